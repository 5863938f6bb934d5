"""A model of ours in the sessions of a test: the greedy action and the most likely answer."""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from xworld.agent.agent import Agent, AttentionModel
from xworld.agent.model import Model, best_actions
from xworld.agent.programmer import Program
from xworld.evaluation import responders
from xworld.evaluation.responders import Numbers
from xworld.teacher.simulator import Simulator
from xworld.teacher.vocabulary import PADDING


class ModelResponder:
    """A model that is given tiles and sentences as training gives them."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._compiled: tuple[NDArray[np.int16], Program] | None = None

    def respond(self, simulator: Simulator, worlds: Numbers) -> tuple[Numbers, Numbers]:
        """The greedy action and the most likely answer; no answer where questions are never asked."""
        if not self._model.atlas.is_cuda:
            return self._respond(simulator, worlds)
        # On a GPU all worlds respond: there, changing batch sizes cost more than they save.
        actions, answers = self._respond(simulator, np.arange(len(simulator)))
        return actions[worlds], answers[worlds]

    @torch.no_grad()
    def _respond(self, simulator: Simulator, worlds: Numbers) -> tuple[Numbers, Numbers]:
        actions, answers = np.zeros(len(worlds), np.int64), np.full(len(worlds), PADDING, np.int64)
        asked = simulator.settings.question_rate > 0
        for start in range(0, len(worlds), responders.BATCH_SIZE):
            batch = slice(start, start + responders.BATCH_SIZE)
            logits, scores = self._look(simulator, worlds[batch], asked)
            actions[batch] = best_actions(logits).cpu().numpy()
            if scores is not None:
                answers[batch] = scores.argmax(dim=1).cpu().numpy()
        return actions, answers

    def _look(self, simulator: Simulator, worlds: Numbers, asked: bool) -> tuple[Tensor, Tensor | None]:
        """The logits of actions, and the scores of answers where questions are asked."""
        model = self._model
        tiles, questions = self._to_device(simulator.tiles[worlds]), self._to_device(simulator.questions[worlds])
        if isinstance(model, Agent):
            program = self._compile(simulator.commands).select(self._to_device(worlds))
            return model.follow(tiles, program)[0], model.answer(tiles, questions) if asked else None
        commands = self._to_device(simulator.commands[worlds])
        if not asked:
            return model.act(tiles, commands)[0], None
        response = model.respond(tiles, commands, questions)
        return response.logits, response.scores

    def _compile(self, commands: NDArray[np.int16]) -> Program:
        """The programs of all commands; a session has one command, so they are compiled once and not at every step."""
        if self._compiled is None or not np.array_equal(self._compiled[0], commands):
            assert isinstance(self._model, Agent)
            parts = torch.split(self._to_device(commands), responders.BATCH_SIZE)
            self._compiled = commands.copy(), Program.join([self._model.compile(part) for part in parts])
        return self._compiled[1]

    def _to_device(self, array: NDArray[Any]) -> Tensor:
        return torch.from_numpy(array).to(self._model.atlas.device)

    @torch.no_grad()
    def attend(self, simulator: Simulator) -> NDArray[np.float32] | None:
        """(worlds, 169) The attention maps of all commands; None for a model without attention."""
        model, maps = self._model, []
        if not isinstance(model, AttentionModel):
            return None
        for start in range(0, len(simulator), responders.BATCH_SIZE):
            batch = slice(start, start + responders.BATCH_SIZE)
            tiles, commands = (self._to_device(array[batch]) for array in (simulator.tiles, simulator.commands))
            attention, _ = model.attend(model.perceive(tiles), commands, model.words.lexicon(commands))
            maps.append(attention.float().cpu().numpy())
        return np.concatenate(maps)

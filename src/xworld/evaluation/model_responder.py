"""A model of ours in the sessions of a test: the greedy action and the most likely answer."""

import numpy as np
import torch
from numpy.typing import NDArray

from xworld.agent.agent import AttentionModel
from xworld.agent.model import Model, best_actions
from xworld.evaluation import responders
from xworld.evaluation.responders import Numbers
from xworld.teacher.simulator import Simulator
from xworld.teacher.vocabulary import PADDING


class ModelResponder:
    """A model that is given tiles and sentences as training gives them."""

    def __init__(self, model: Model) -> None:
        self._model = model

    def respond(self, simulator: Simulator, worlds: Numbers) -> tuple[Numbers, Numbers]:
        """The greedy action and the most likely answer; no answer where questions are never asked."""
        if not self._model.atlas.is_cuda:
            return self._respond(simulator, worlds)
        # On a GPU all worlds respond: there, changing batch sizes cost more than they save.
        actions, answers = self._respond(simulator, np.arange(len(simulator)))
        return actions[worlds], answers[worlds]

    @torch.no_grad()
    def _respond(self, simulator: Simulator, worlds: Numbers) -> tuple[Numbers, Numbers]:
        model, arrays = self._model, (simulator.tiles, simulator.commands, simulator.questions)
        actions, answers = np.zeros(len(worlds), np.int64), np.full(len(worlds), PADDING, np.int64)
        for start in range(0, len(worlds), responders.BATCH_SIZE):
            batch = slice(start, start + responders.BATCH_SIZE)
            tiles, commands, questions = (
                torch.from_numpy(array[worlds[batch]]).to(model.atlas.device) for array in arrays
            )
            if simulator.settings.question_rate == 0:
                logits, _ = model.act(tiles, commands)
            else:
                logits, _, scores, *_ = model.respond(tiles, commands, questions)
                answers[batch] = scores.argmax(dim=1).cpu().numpy()
            actions[batch] = best_actions(logits).cpu().numpy()
        return actions, answers

    @torch.no_grad()
    def attend(self, simulator: Simulator) -> NDArray[np.float32] | None:
        """(worlds, 169) The attention maps of all commands; None for a model without attention."""
        model, maps = self._model, []
        if not isinstance(model, AttentionModel):
            return None
        for start in range(0, len(simulator), responders.BATCH_SIZE):
            batch = slice(start, start + responders.BATCH_SIZE)
            tiles, commands = (
                torch.from_numpy(array[batch]).to(model.atlas.device) for array in (simulator.tiles, simulator.commands)
            )
            attention, _ = model.attend(model.perceive(tiles), commands, model.words.lexicon(commands))
            maps.append(attention.float().cpu().numpy())
        return np.concatenate(maps)

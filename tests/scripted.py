"""Stand-ins for a trained agent whose conduct is known: one that knows the target, and one that heeds no word."""

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import Tensor

from xworld.agent.model import Model, Response
from xworld.evaluation.model_responder import ModelResponder
from xworld.teacher.oracle import expert_actions
from xworld.teacher.simulator import Simulator
from xworld.world.cells import ACTION_COLUMN, ACTION_ROW, CELLS, SIDE, VIEW
from xworld.world.state import FIRST_OBJECT, OUTSIDE, WALL

CENTER = SIDE - 1


def let_the_oracle_respond(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is tested from now on, the oracle acts and answers in its place."""

    def respond(
        _: ModelResponder, simulator: Simulator, worlds: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return expert_actions(simulator)[worlds], simulator.sessions["answer"][worlds]

    monkeypatch.setattr(ModelResponder, "respond", respond)


class Tourist(Model):
    """Goes to the nearest object, and to and fro there, whatever is said."""

    def __init__(self) -> None:
        super().__init__(105, torch.zeros(1))

    def act(self, tiles: Tensor, commands: Tensor) -> tuple[Tensor, Tensor]:
        actions = step_to_the_nearest_object(tiles.numpy())
        return torch.nn.functional.one_hot(torch.from_numpy(actions), 4).float(), torch.zeros(len(tiles))

    def answer(self, tiles: Tensor, questions: Tensor) -> Tensor:
        return torch.zeros(len(tiles), 105)

    def respond(
        self,
        tiles: Tensor,
        commands: Tensor,
        questions: Tensor,
        question_tiles: Tensor | None = None,
        embedding_noise: Tensor | None = None,
    ) -> Response:
        return Response(*self.act(tiles, commands), self.answer(tiles, questions))


def step_to_the_nearest_object(tiles: NDArray[np.int16]) -> NDArray[np.int64]:
    """A wave from all objects, until it meets the agent in the center."""
    passable = (tiles != WALL) & (tiles != OUTSIDE)
    wave, actions = tiles >= FIRST_OBJECT, np.full(len(tiles), -1)
    for _ in range(CELLS):
        for action, (down, right) in enumerate(zip(ACTION_ROW, ACTION_COLUMN, strict=True)):
            actions[(actions < 0) & wave[:, CENTER + down, CENTER + right]] = action
        padded = np.pad(wave, ((0, 0), (1, 1), (1, 1)))
        neighbors = [padded[:, 1 + d : 1 + d + VIEW, 1 + r : 1 + r + VIEW] for d, r in zip(ACTION_ROW, ACTION_COLUMN)]
        wave = wave | (np.any(neighbors, axis=0) & passable)
    return np.array(np.maximum(actions, 0))

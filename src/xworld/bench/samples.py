"""What both ways of running the agent are measured on: real scenes, with what was said, done and earned in them."""

from collections.abc import Iterator
from dataclasses import dataclass, fields

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from xworld.teacher.simulator import Simulator
from xworld.world.cells import ACTIONS
from xworld.world.view import VIEW_PIXELS

_STEPS = 8
"""Random steps into the sessions before the scenes are taken."""
_TO_SPARE = 2
"""Worlds for each scene that is wanted: now and then there is nothing to ask."""


@dataclass(frozen=True)
class Samples:
    """Scenes in which something is asked, twice over: as tile ids and as pixels."""

    tiles: Tensor
    """(samples, 13, 13)"""
    pixels: Tensor
    """(samples, 156, 156, 3)"""
    commands: Tensor
    """(samples, 12)"""
    questions: Tensor
    """(samples, 12)"""
    answers: Tensor
    actions: Tensor
    old_log: Tensor
    advantages: Tensor
    returns: Tensor

    def __len__(self) -> int:
        return len(self.tiles)

    def first(self, count: int) -> "Samples":
        """The first ones alone."""
        return next(self.split(count))

    def split(self, size: int) -> Iterator["Samples"]:
        """All of them in parts of this size."""
        for parts in zip(*(getattr(self, field.name).split(size) for field in fields(self)), strict=True):
            yield Samples(*parts)


def gather_samples(count: int, device: torch.device, seed: int = 0) -> Samples:
    """Walk at random in a simulator, and keep scenes with a question; what was earned is drawn, it changes no work."""
    chance = np.random.default_rng(seed)
    simulator = Simulator(_TO_SPARE * count)
    simulator.reset(range(seed, seed + len(simulator)))
    for _ in range(_STEPS):
        simulator.step(chance.integers(len(ACTIONS), size=len(simulator)))
    asked = np.flatnonzero(simulator.questions.any(axis=1))[:count]
    tiles, answers = simulator.tiles[asked], simulator.sessions["answer"][asked].astype(np.int64)
    arrays = (
        tiles,
        draw_pixels(tiles, simulator.grammar.catalogue.atlas()),
        simulator.commands[asked],
        simulator.questions[asked],
        answers,
        chance.integers(len(ACTIONS), size=count),
        np.full(count, -np.log(len(ACTIONS)), np.float32),  # all actions are as likely in a walk at random
        chance.standard_normal(count, np.float32),
        chance.standard_normal(count, np.float32),
    )
    return Samples(*(torch.from_numpy(array).to(device) for array in arrays))


def draw_pixels(tiles: NDArray[np.int16], atlas: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(scenes, 156, 156, 3) Scenes of (scenes, 13, 13) tiles as pictures."""
    cells = atlas[tiles]  # (scenes, 13, 13, 12, 12, 3)
    return cells.swapaxes(2, 3).reshape(len(tiles), VIEW_PIXELS, VIEW_PIXELS, 3)

"""Doing everything once before the first visitor comes: kernels are compiled or loaded, and the network has run."""

from collections.abc import Iterable

import torch

from xworld.demo.agents import DemoAgent
from xworld.demo.new_map import Wish, lay
from xworld.demo.suggesting import suggest
from xworld.demo.understanding import understand

_SENTENCES = "go to the apple .", "what color is the apple ?"


def warm_up(minds: Iterable[DemoAgent]) -> None:
    """Lay out a map and say something there to every agent, on one thread each from now on.

    Visitors share the processor by the threads that serve them; that a step would take several more makes all slower.
    """
    torch.set_num_threads(1)
    for mind in minds:
        scene = lay(mind, Wish(seed=0, word="apple")).scene
        suggest(mind, scene)
        for sentence in _SENTENCES:
            understand(mind, scene, sentence)

"""The sessions of a seed are the same on every machine and in every release: results refer to them."""

import hashlib

import numpy as np
import pytest

from xworld.teacher.holdout import Holdout
from xworld.teacher.oracle import expert_actions
from xworld.teacher.settings import TeacherSettings
from xworld.teacher.simulator import Simulator
from xworld.world.catalogue import Catalogue

PUBLISHED = {
    ("Standard", 0): "c7c8566eb3fb6575",
    ("Standard", 4): "6769e220cc547d1c",
    ("NC", 0): "84684a1b3bd02373",
    ("NWNavRec", 2): "e4671a882cf36e4d",
}
"""A digest of the first sessions by condition and length of the curriculum. A release that changes one says so."""


def digest(condition: str, curriculum_sessions: int) -> str:
    """Everything seen, heard and earned in 64 worlds with every kind of question; every other step is the oracle's."""
    catalogue = Catalogue.load()
    holdout = Holdout.draw(condition, catalogue, seed=0, share=0.3)
    simulator = Simulator(64, catalogue, holdout, TeacherSettings(question_rate=0.8), curriculum_sessions, threads=1)
    simulator.reset(seeds=np.arange(64))
    rng, hashed = np.random.default_rng(0), hashlib.sha256()
    for step in range(150):
        actions = expert_actions(simulator) if step % 2 else rng.integers(4, size=64)
        results = simulator.step(actions)
        answers = simulator.sessions["answer"].astype(np.int64)
        for array in (*results, simulator.tiles, simulator.commands, simulator.questions, answers):
            hashed.update(np.ascontiguousarray(array).tobytes())
    return hashed.hexdigest()[:16]


@pytest.mark.parametrize(("condition", "curriculum_sessions"), PUBLISHED)
def test_sessions_are_those_that_were_published(condition: str, curriculum_sessions: int) -> None:
    assert digest(condition, curriculum_sessions) == PUBLISHED[condition, curriculum_sessions]

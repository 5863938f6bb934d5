"""Test sessions: finding them by seed, and running them to their end."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from xworld.evaluation import RAREST
from xworld.evaluation.responders import as_responder
from xworld.teacher.holdout import Holdout
from xworld.teacher.oracle import shortest_paths
from xworld.teacher.settings import QUESTION_NAMES, TeacherSettings
from xworld.teacher.simulator import Simulator
from xworld.teacher.vocabulary import PADDING
from xworld.world.catalogue import Catalogue
from xworld.world.cells import SIDE

NOWHERE = -1
"""The cell of a session that has ended."""
_SEARCH_BATCH = 8192


@dataclass(frozen=True)
class SessionResults:
    """What happened in a number of sessions."""

    commands: NDArray[np.int16]
    """(sessions, 12) Word numbers."""
    success: NDArray[np.bool_]
    """(sessions,) Whether the agent reached the target in time."""
    shortest: NDArray[np.int64]
    """(sessions,) The length of a shortest path."""
    path: NDArray[np.int64]
    """(sessions, steps) The cell after each step, row x 7 + column; `NOWHERE` once a session has ended."""
    correct: NDArray[np.int64]
    """(question types,) Correct answers."""
    asked: NDArray[np.int64]
    """(question types,) Questions asked."""

    @property
    def steps(self) -> NDArray[np.int64]:
        """(sessions,) Steps taken."""
        return np.array(np.count_nonzero(self.path != NOWHERE, axis=1), np.int64)


def begin_sessions(
    seeds: Iterable[Any], catalogue: Catalogue | None, settings: TeacherSettings, holdout: Holdout | None = None
) -> Simulator:
    """A simulator that has just begun one session for each seed; without a hold-out, nothing is held out."""
    chosen = list(seeds)
    simulator = Simulator(len(chosen), catalogue, holdout, settings)
    simulator.reset(chosen)
    return simulator


def find_sessions(
    matches: Callable[[Simulator], NDArray[np.bool_]],
    count: int,
    seed: int,
    catalogue: Catalogue | None,
    settings: TeacherSettings,
    holdout: Holdout | None = None,
) -> NDArray[np.uint64]:
    """The first `count` seeds from `seed` on whose sessions match; fewer if such sessions are too rare.

    A world depends on its seed alone, so `begin_sessions` with these seeds begins the same sessions again.
    """
    simulator = Simulator(_SEARCH_BATCH, catalogue, holdout, settings)
    found: list[int] = []
    for first in range(seed, seed + RAREST * count, _SEARCH_BATCH):
        simulator.reset(range(first, first + _SEARCH_BATCH))
        found += (first + np.flatnonzero(matches(simulator))).tolist()
        if len(found) >= count:
            break
    return np.array(found[:count], np.uint64)


def without_questions(settings: TeacherSettings, command: str) -> TeacherSettings:
    """Settings for sessions with one type of command and no questions.

    The teacher draws questions after the command, so a seed gives the same map and command with and without them.
    """
    return replace(settings, commands=(command,), question_rate=0.0)


def tiles_at_target(worlds: NDArray[np.void]) -> NDArray[np.int16]:
    """(worlds,) The tile of each target cell."""
    return np.array(worlds["grid"][np.arange(len(worlds)), worlds["target_row"], worlds["target_column"]])


def run_sessions(agent: Any, simulator: Simulator, ignored_answer: int = PADDING) -> SessionResults:
    """Run all sessions of a simulator to their end; questions with the word number `ignored_answer` do not count.

    The agent is a model, a policy or a responder.
    """
    responder = as_responder(agent)
    sessions, commands = len(simulator), simulator.commands.copy()
    shortest, path = shortest_paths(simulator), []
    running, success = np.ones(sessions, np.bool_), np.zeros(sessions, np.bool_)
    correct, asked = np.zeros(len(QUESTION_NAMES), np.int64), np.zeros(len(QUESTION_NAMES), np.int64)
    while running.any():
        actions, answers = np.zeros(sessions, np.int64), np.zeros(sessions, np.int64)
        actions[running], answers[running] = responder.respond(simulator, np.flatnonzero(running))
        types, expected = simulator.sessions["question_type"], simulator.sessions["answer"]
        counted = running & (types >= 0) & (expected != ignored_answer)
        asked += np.bincount(types[counted], minlength=len(asked))
        correct += np.bincount(types[counted & (answers == expected)], minlength=len(correct))
        _, terminated, truncated = simulator.step(actions, autoreset=False)
        cells = simulator.worlds["agent_row"] * SIDE + simulator.worlds["agent_column"]
        path.append(np.where(running, cells, NOWHERE))
        success |= running & terminated
        running &= ~(terminated | truncated)
    return SessionResults(commands, success, shortest, np.stack(path, axis=1), correct, asked)

"""Which sessions are shown: the first, from a seed on, that meet the criteria of a figure.

They are selected by their worlds and by whether the teacher asks a question, not by how well the agent does.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from xworld.agent.agent import Agent
from xworld.evaluation.sessions import find_sessions
from xworld.figures.session import RecordedSession, record_session
from xworld.teacher.oracle import shortest_paths
from xworld.teacher.settings import TeacherSettings
from xworld.teacher.simulator import Simulator
from xworld.teacher.vocabulary import PADDING
from xworld.world.catalogue import Catalogue
from xworld.world.cells import SIDE
from xworld.world.state import WALL

QUESTION_RATE = 0.25
"""A question at every step, as in training, would leave no time to watch the agent walk."""
SEED_STRIDE = 1_000
"""Types of command search from seeds this far apart: the same seeds would give them the same maps."""
_INNER = 2, SIDE - 3
"""Rows and columns away from the border."""


@dataclass(frozen=True)
class Criteria:
    """Which sessions a figure can show well."""

    command: str
    steps: tuple[int, int] = (4, 9)
    """The shortest path: not right beside the target, and not at the other end of a maze."""
    words: tuple[int, int] = (5, 10)
    """The length of the command, including the closing mark."""
    walls: int = 0
    """The least number of walls."""
    central: bool = False
    """Whether the agent has to start away from the border, so that it sees much of the world on all sides."""

    def __call__(self, simulator: Simulator) -> NDArray[np.bool_]:
        """Which of the sessions that have just begun meet the criteria."""
        words, worlds = np.count_nonzero(simulator.commands != PADDING, axis=1), simulator.worlds
        walled = np.count_nonzero(worlds["grid"] == WALL, axis=(1, 2)) >= self.walls
        fitting = _within(shortest_paths(simulator), self.steps) & _within(words, self.words) & walled
        if self.central:
            fitting &= _within(worlds["agent_row"], _INNER) & _within(worlds["agent_column"], _INNER)
        return np.array(fitting)

    def settings(self, question_rate: float = 0.0) -> TeacherSettings:
        """The worlds in which such sessions are searched."""
        # Three objects, the most that the teacher places, leave a command something to choose from.
        return TeacherSettings(commands=(self.command,), objects=(3, 3), question_rate=question_rate)


def find_seeds(
    criteria: Criteria, seed: int, count: int = 1, question_rate: float = 0.0, catalogue: Catalogue | None = None
) -> list[int]:
    """The first seeds from `seed` on whose sessions meet the criteria.

    >>> find_seeds(Criteria("nav_bw_obj"), 0, count=3)
    [1, 3, 5]
    """
    found = find_sessions(criteria, count, seed, catalogue, criteria.settings(question_rate))
    return [int(number) for number in found]


def first_session(agent: Agent, criteria: Criteria, seed: int, catalogue: Catalogue | None = None) -> RecordedSession:
    """The first session from a seed on that meets the criteria, without questions."""
    found = find_seeds(criteria, seed, catalogue=catalogue)[0]
    return record_session(agent, found, criteria.settings(), catalogue)


def session_with_question(
    agent: Agent, criteria: Criteria, seed: int, tries: int = 16, catalogue: Catalogue | None = None
) -> RecordedSession:
    """The first session that meets the criteria and has one or two questions, none at the start; else the first."""
    sessions = []
    for found in find_seeds(criteria, seed, tries, QUESTION_RATE, catalogue):
        sessions.append(record_session(agent, found, criteria.settings(QUESTION_RATE), catalogue))
        asked = [snapshot.question is not None for snapshot in sessions[-1].snapshots]
        if not asked[0] and 1 <= sum(asked) <= 2:
            return sessions[-1]
    return sessions[0]


def _within(values: NDArray[np.int64], ends: tuple[int, int]) -> NDArray[np.bool_]:
    return np.array((values >= ends[0]) & (values <= ends[1]))

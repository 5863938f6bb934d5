"""Which sessions are shown: the first, from a seed on, of the kind that a picture is about.

They are chosen by their worlds and by whether the teacher asks something, not by how well the agent does.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from xworld.agent.agent import Agent
from xworld.evaluation.sessions import find_sessions
from xworld.figures.session import Session, live
from xworld.teacher.oracle import shortest_paths
from xworld.teacher.settings import TeacherSettings
from xworld.teacher.simulator import Simulator
from xworld.teacher.vocabulary import PADDING
from xworld.world.cells import SIDE
from xworld.world.state import WALL

OBJECTS = 3, 3
"""Maps with three objects, the most that the teacher sets up, leave a command something to choose from."""

SEEDS_APART = 1_000
"""Types of command look for their scenes from different seeds on: the same ones would give them the same maps."""
_INNER = 2, SIDE - 3
"""Rows and columns that are away from the border."""


@dataclass(frozen=True)
class Wanted:
    """The sessions that a picture can show well."""

    command: str
    steps: tuple[int, int] = (4, 9)
    """The shortest way: neither next to the target nor at the other end of a maze."""
    words: tuple[int, int] = (5, 10)
    """The length of the command, the closing mark counted."""
    walls: int = 0
    """So many walls at least."""
    central: bool = False
    """Whether the agent is to start away from the border, so that it sees much of the world on all sides."""

    def __call__(self, simulator: Simulator) -> NDArray[np.bool_]:
        """Which of the sessions that have just begun are like that."""
        words, worlds = np.count_nonzero(simulator.commands != PADDING, axis=1), simulator.worlds
        walled = np.count_nonzero(worlds["grid"] == WALL, axis=(1, 2)) >= self.walls
        fitting = _within(shortest_paths(simulator), self.steps) & _within(words, self.words) & walled
        if self.central:
            fitting &= _within(worlds["agent_row"], _INNER) & _within(worlds["agent_column"], _INNER)
        return np.array(fitting)


def choose(wanted: Wanted, seed: int, count: int = 1, question_rate: float = 0.0) -> list[int]:
    """The first seeds from `seed` on whose sessions are wanted.

    >>> choose(Wanted("nav_bw_obj"), 0, count=3)
    [1, 3, 5]
    """
    return [int(found) for found in find_sessions(wanted, count, seed, None, settings_for(wanted, question_rate))]


def settings_for(wanted: Wanted, question_rate: float = 0.0) -> TeacherSettings:
    """The worlds in which such sessions are looked for."""
    return replace(TeacherSettings(), commands=(wanted.command,), objects=OBJECTS, question_rate=question_rate)


def first_session(agent: Agent, wanted: Wanted, seed: int, question_rate: float = 0.0) -> Session:
    """The first wanted session from a seed on, as the agent lives it."""
    return next(_sessions(agent, wanted, seed, 1, question_rate))


def session_with_question(agent: Agent, wanted: Wanted, seed: int, question_rate: float, tries: int = 16) -> Session:
    """The first wanted session in which the teacher asks once or twice; without such a one, the first of all."""
    sessions = []
    for session in _sessions(agent, wanted, seed, tries, question_rate):
        sessions.append(session)
        # At the start, the command itself is what there is to see.
        if session.moments[0].question is None and 1 <= sum(_asked(session)) <= 2:
            return session
    return sessions[0]


def _sessions(agent: Agent, wanted: Wanted, seed: int, count: int, question_rate: float) -> Iterator[Session]:
    for found in choose(wanted, seed, count, question_rate):
        yield live(agent, found, settings_for(wanted, question_rate))


def _asked(session: Session) -> list[bool]:
    return [moment.question is not None for moment in session.moments]


def _within(values: NDArray[np.int64], ends: tuple[int, int]) -> NDArray[np.bool_]:
    return np.array((values >= ends[0]) & (values <= ends[1]))

"""A session as the agent lives it, with everything that goes on in its head, for pictures of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from xworld.agent.agent import Agent
from xworld.agent.thought import Map, Thought, think
from xworld.evaluation.sessions import begin_sessions
from xworld.teacher.oracle import shortest_paths
from xworld.teacher.settings import TeacherSettings
from xworld.teacher.simulator import Simulator
from xworld.world.cells import SIDE, VIEW
from xworld.world.state import FIRST_OBJECT

Cell = tuple[int, int]
"""A row and a column of the map."""


@dataclass(frozen=True)
class Moment:
    """A scene, and what the agent makes of what it hears there."""

    agent: Cell
    grid: NDArray[np.int16]
    """(7, 7) The tiles of the map; the agent is not drawn in."""
    view: NDArray[np.int16]
    """(13, 13) The tiles that the agent sees."""
    command: Thought
    question: Thought | None
    answer: str
    """What the teacher wants to hear; empty where nothing is asked."""


@dataclass(frozen=True)
class Session:
    """The moments before each step, and how it ended."""

    seed: int
    moments: tuple[Moment, ...]
    target: Cell
    end: Cell
    arrived: bool
    shortest: int
    """The least number of steps that would have done, without stepping on any other object."""

    @property
    def trespasses(self) -> int:
        """Steps onto objects that were not the target."""
        return count_trespasses(
            [*(moment.agent for moment in self.moments), self.end], self.moments[0].grid, self.target
        )


def live(agent: Agent, seed: int, settings: TeacherSettings) -> Session:
    """Lead the session of a seed to its end with the greedy policy.

    >>> from xworld.training.pretrained import load_agent
    >>> session = live(load_agent()[0], 2, TeacherSettings(commands=("nav_nr_obj",)))
    >>> session.moments[0].command.words, len(session.moments), session.arrived
    (('the', 'north', 'of', 'the', 'octopus', 'is', 'your', 'destination', '.'), 6, True)
    """
    simulator, moments, over = begin_sessions([seed], None, settings), [], False
    shortest, arrived = int(shortest_paths(simulator)[0]), False
    while not over:
        moments.append(look(agent, simulator))
        _, terminated, truncated = simulator.step([int(moments[-1].command.policy.argmax())], autoreset=False)
        arrived, over = bool(terminated[0]), bool(terminated[0] or truncated[0])
    world = simulator.worlds[0]
    target = int(world["target_row"]), int(world["target_column"])
    return Session(seed, tuple(moments), target, agent_cell(simulator), arrived, shortest)


def look(agent: Agent, simulator: Simulator, world: int = 0) -> Moment:
    """What an agent makes of a world as it is."""
    vocabulary, view = simulator.grammar.vocabulary, simulator.tiles[world]
    asked = bool(simulator.questions[world].any())
    return Moment(
        agent=agent_cell(simulator, world),
        grid=simulator.worlds["grid"][world].copy(),
        view=view,
        command=think(agent, view, simulator.commands[world], vocabulary.words),
        question=think(agent, view, simulator.questions[world], vocabulary.words) if asked else None,
        answer=vocabulary.words[simulator.sessions["answer"][world]] if asked else "",
    )


def agent_cell(simulator: Simulator, world: int = 0) -> Cell:
    """Where the agent stands."""
    here = simulator.worlds[world]
    return int(here["agent_row"]), int(here["agent_column"])


def count_trespasses(cells: Sequence[Cell], grid: NDArray[np.int16], target: Cell) -> int:
    """Steps of a way that lead onto an object other than the target.

    >>> grid = np.array([[1, FIRST_OBJECT, 1]], np.int16)
    >>> count_trespasses([(0, 0), (0, 1), (0, 2)], grid, target=(0, 2))
    1
    """
    steps = [there for here, there in pairwise(cells) if here != there]
    return sum(bool(grid[cell] >= FIRST_OBJECT) and cell != target for cell in steps)


def on_the_map(view: Map, agent: Cell) -> Map:
    """(7, 7) The part of an egocentric map that lies on the map of the world.

    >>> on_the_map(np.arange(169, dtype=np.float32).reshape(13, 13), (0, 0))[0, 0]
    np.float32(84.0)
    """
    top, left = VIEW // 2 - agent[0], VIEW // 2 - agent[1]
    return view[top : top + SIDE, left : left + SIDE]

"""A recorded session: every scene, and every intermediate result of the agent, to draw figures from."""

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
from xworld.teacher.vocabulary import write_out
from xworld.world.catalogue import Catalogue
from xworld.world.cells import SIDE, VIEW
from xworld.world.state import FIRST_OBJECT

Cell = tuple[int, int]
"""A row and a column of the map."""


@dataclass(frozen=True)
class Snapshot:
    """One time step: the scene, and what the agent makes of the sentences it hears there."""

    agent: Cell
    grid: NDArray[np.int16]
    """(7, 7) The tiles of the map, without the agent."""
    view: NDArray[np.int16]
    """(13, 13) The tiles that the agent sees."""
    command: Thought
    question: Thought | None
    answer: str
    """The teacher's answer; empty without a question."""


@dataclass(frozen=True)
class Route:
    """The path that the agent took in a session."""

    command: str
    grid: NDArray[np.int16]
    """(7, 7)"""
    cells: tuple[Cell, ...]
    """Where it stood, from the start on."""
    target: Cell
    arrived: bool
    shortest: int
    """The length of the shortest path that steps on no other object."""

    @property
    def straight(self) -> int:
        """The length of the shortest path if there were no walls."""
        start = self.cells[0]
        return abs(start[0] - self.target[0]) + abs(start[1] - self.target[1])

    @property
    def detour(self) -> int:
        """The additional steps because of the walls."""
        return self.shortest - self.straight

    @property
    def trespasses(self) -> int:
        """Steps onto objects other than the target: a forbidden short cut."""
        entered = [there for here, there in pairwise(self.cells) if here != there]
        return sum(bool(self.grid[cell] >= FIRST_OBJECT) and cell != self.target for cell in entered)

    @property
    def bumps(self) -> int:
        """Steps into a wall or the border."""
        return sum(here == there for here, there in pairwise(self.cells))


@dataclass(frozen=True)
class RecordedSession(Route):
    """A route with a snapshot before each action."""

    seed: int
    snapshots: tuple[Snapshot, ...]


def record_session(
    agent: Agent, seed: int, settings: TeacherSettings, catalogue: Catalogue | None = None
) -> RecordedSession:
    """Run the session of a seed to its end with the greedy policy.

    >>> from xworld.training.pretrained import load_model
    >>> session = record_session(load_model()[0], 2, TeacherSettings(commands=("nav_nr_obj",)))
    >>> session.command, len(session.snapshots), session.arrived
    ('The north of the octopus is your destination.', 6, True)
    """
    simulator, snapshots, over = begin_sessions([seed], catalogue, settings), [], False
    shortest, arrived = int(shortest_paths(simulator)[0]), False
    while not over:
        snapshots.append(take_snapshot(agent, simulator))
        _, terminated, truncated = simulator.step([snapshots[-1].command.action], autoreset=False)
        arrived, over = bool(terminated[0]), bool(terminated[0] or truncated[0])
    world = simulator.worlds[0]
    return RecordedSession(
        command=write_out(snapshots[0].command.words),
        grid=snapshots[0].grid,
        cells=(*(snapshot.agent for snapshot in snapshots), agent_cell(simulator)),
        target=(int(world["target_row"]), int(world["target_column"])),
        arrived=arrived,
        shortest=shortest,
        seed=seed,
        snapshots=tuple(snapshots),
    )


def take_snapshot(agent: Agent, simulator: Simulator) -> Snapshot:
    """What an agent makes of the current state of the first world."""
    words, view, question = simulator.grammar.vocabulary.words, simulator.tiles[0], simulator.questions[0]
    return Snapshot(
        agent=agent_cell(simulator),
        grid=simulator.worlds["grid"][0].copy(),
        view=view,
        command=think(agent, view, simulator.commands[0], words),
        question=think(agent, view, question, words) if question.any() else None,
        answer=words[simulator.sessions["answer"][0]] if question.any() else "",
    )


def agent_cell(simulator: Simulator, world: int = 0) -> Cell:
    """Where the agent stands."""
    here = simulator.worlds[world]
    return int(here["agent_row"]), int(here["agent_column"])


def crop_to_map(view: Map, agent: Cell) -> Map:
    """(7, 7) The part of an egocentric map that covers the map of the world."""
    top, left = VIEW // 2 - agent[0], VIEW // 2 - agent[1]
    return view[top : top + SIDE, left : left + SIDE]

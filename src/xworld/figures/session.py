"""A recorded session: every scene, and every intermediate result of the agent, to draw figures from."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch
from numpy.typing import NDArray

from xworld.agent.agent import Agent, Reading
from xworld.evaluation.sessions import begin_sessions
from xworld.teacher.oracle import shortest_paths
from xworld.teacher.settings import TeacherSettings
from xworld.teacher.simulator import Simulator
from xworld.teacher.vocabulary import Vocabulary, write_out
from xworld.world.cells import SIDE, VIEW
from xworld.world.state import FIRST_OBJECT

Map = NDArray[np.float32]
Cell = tuple[int, int]
"""A row and a column of the map."""


@dataclass(frozen=True)
class Thought:
    """What a sentence about a scene leads to; maps are (13, 13), the agent in the center."""

    words: tuple[str, ...]
    word_attention: Map
    """(3, words)"""
    gates: Map
    """(3,)"""
    found: Map
    """(3, 13, 13) Where the words of each step are."""
    moved: Map
    """(3, 13, 13) The attention so far, translated by that."""
    kept: Map
    """(3, 13, 13) What the gate lets through of it, and of what was there before."""
    environment: Map
    policy: Map
    """(4,) The probability of each action, if the sentence is a command."""
    value: float
    answers: tuple[tuple[str, float], ...]
    """The likeliest words and their probabilities, if the sentence is a question."""

    @property
    def attention(self) -> Map:
        """The outcome."""
        outcome: Map = self.kept[-1]
        return outcome

    @property
    def text(self) -> str:
        """The sentence as a person writes it."""
        return write_out(self.words)

    @property
    def heeded(self) -> Map:
        """(words,) The attention to each word over all steps, each as much as its gate lets through."""
        weighted: Map = self.gates @ self.word_attention / self.gates.sum()
        return weighted


@dataclass(frozen=True)
class Snapshot:
    """One time step: the scene, and what the agent makes of the sentences it hears there."""

    agent: Cell
    grid: NDArray[np.int16]
    """(7, 7) The tiles of the map; the agent is not drawn in."""
    view: NDArray[np.int16]
    """(13, 13) The tiles that the agent sees."""
    command: Thought
    question: Thought | None
    answer: str
    """The teacher's answer; empty without a question."""


@dataclass(frozen=True)
class RecordedSession:
    """A snapshot before each action, and how the session ended."""

    seed: int
    snapshots: tuple[Snapshot, ...]
    target: Cell
    end: Cell
    arrived: bool
    shortest: int
    """The length of the shortest path that steps on no other object."""

    @property
    def trespasses(self) -> int:
        """Steps onto objects that were not the target."""
        cells = [*(snapshot.agent for snapshot in self.snapshots), self.end]
        return count_trespasses(cells, self.snapshots[0].grid, self.target)


def record_session(agent: Agent, seed: int, settings: TeacherSettings) -> RecordedSession:
    """Run the session of a seed to its end with the greedy policy.

    >>> from xworld.training.pretrained import load_agent
    >>> session = record_session(load_agent()[0], 2, TeacherSettings(commands=("nav_nr_obj",)))
    >>> write_out(session.snapshots[0].command.words), len(session.snapshots), session.arrived
    ('The north of the octopus is your destination.', 6, True)
    """
    simulator, snapshots, over = begin_sessions([seed], None, settings), [], False
    shortest, arrived = int(shortest_paths(simulator)[0]), False
    while not over:
        snapshots.append(take_snapshot(agent, simulator))
        _, terminated, truncated = simulator.step([int(snapshots[-1].command.policy.argmax())], autoreset=False)
        arrived, over = bool(terminated[0]), bool(terminated[0] or truncated[0])
    world = simulator.worlds[0]
    target = int(world["target_row"]), int(world["target_column"])
    return RecordedSession(seed, tuple(snapshots), target, agent_cell(simulator), arrived, shortest)


def take_snapshot(agent: Agent, simulator: Simulator, world: int = 0) -> Snapshot:
    """What an agent makes of the current state of a world."""
    vocabulary, view = simulator.grammar.vocabulary, simulator.tiles[world]
    asked = bool(simulator.questions[world].any())
    return Snapshot(
        agent=agent_cell(simulator, world),
        grid=simulator.worlds["grid"][world].copy(),
        view=view,
        command=think(agent, view, simulator.commands[world], vocabulary),
        question=think(agent, view, simulator.questions[world], vocabulary) if asked else None,
        answer=vocabulary.words[simulator.sessions["answer"][world]] if asked else "",
    )


def think(
    agent: Agent,
    view: NDArray[np.int16],
    sentence: NDArray[np.int16],
    vocabulary: Vocabulary,
    answers: int = 3,
    reading: Reading | None = None,
) -> Thought:
    """What one sentence about one view leads to; so many of the likeliest answers are told.

    Who has read the sentence before may pass what came of it.
    """
    explained = agent.explain(torch.from_numpy(view[None]), torch.from_numpy(sentence[None]), reading)
    words = vocabulary.decode(sentence)
    program, run = explained.program, explained.run
    found, moved, kept = (maps[0].view(-1, VIEW, VIEW).numpy() for maps in (run.found, run.moved, run.kept))
    return Thought(
        words=tuple(words),
        word_attention=program.word_attention[0, :, : len(words)].numpy(),
        gates=program.gates[0].numpy(),
        found=found,
        moved=moved,
        kept=kept,
        environment=explained.environment_map[0].view(VIEW, VIEW).numpy(),
        policy=explained.policy[0].numpy(),
        value=float(explained.value[0]),
        answers=_likeliest(explained.answer[0], vocabulary.words, answers),
    )


def agent_cell(simulator: Simulator, world: int = 0) -> Cell:
    """Where the agent stands."""
    here = simulator.worlds[world]
    return int(here["agent_row"]), int(here["agent_column"])


def count_trespasses(cells: Sequence[Cell], grid: NDArray[np.int16], target: Cell) -> int:
    """Steps of a path that lead onto an object other than the target.

    >>> grid = np.array([[1, FIRST_OBJECT, 1]], np.int16)
    >>> count_trespasses([(0, 0), (0, 1), (0, 2)], grid, target=(0, 2))
    1
    """
    steps = [there for here, there in pairwise(cells) if here != there]
    return sum(bool(grid[cell] >= FIRST_OBJECT) and cell != target for cell in steps)


def crop_to_map(view: Map, agent: Cell) -> Map:
    """(7, 7) The part of an egocentric map that covers the map of the world.

    >>> crop_to_map(np.arange(169, dtype=np.float32).reshape(13, 13), (0, 0))[0, 0]
    np.float32(84.0)
    """
    top, left = VIEW // 2 - agent[0], VIEW // 2 - agent[1]
    return view[top : top + SIDE, left : left + SIDE]


def _likeliest(answer: torch.Tensor, words: Sequence[str], count: int) -> tuple[tuple[str, float], ...]:
    best = answer.topk(count)
    return tuple((words[word], float(share)) for share, word in zip(best.values, best.indices.tolist(), strict=True))

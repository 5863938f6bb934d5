"""The one who knows: the shortest way to the target, and everything that can truly be said of a world."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from xworld.teacher.choice import ABSENT, CHOICE, SpeechContext
from xworld.teacher.commands import COMMANDS, propose_command
from xworld.teacher.grammar import Sentence
from xworld.teacher.questions import QUESTIONS, propose_question
from xworld.teacher.session import Rules
from xworld.teacher.simulator import Simulator
from xworld.world.catalogue import COLORS
from xworld.world.cells import (
    ACTION_COLUMN,
    ACTION_ROW,
    ACTIONS,
    CELLS,
    DIRECTIONS,
    SIDE,
    cell_bit,
    grow,
    holds,
    inside,
)
from xworld.world.kernel import Record, entry, kernel
from xworld.world.layout import floor_and_open, reachable


@dataclass(frozen=True)
class Possible:
    """Something that the teacher could say now, and what it comes to: a target (row, column) or an answer."""

    subtask: str
    location: str | None
    color: str | None
    object: str | None
    second: str | None
    target: tuple[int, int] | None = None
    answer: str | None = None


def expert_actions(simulator: Simulator) -> NDArray[np.int64]:
    """A first step on a shortest way to the target, for every world.

    >>> simulator = Simulator(1)
    >>> simulator.reset(seeds=[3])
    >>> while not simulator.worlds["reached"][0]:
    ...     _ = simulator.step(expert_actions(simulator), autoreset=False)
    """
    return _plan_all(simulator.worlds)[0]


def shortest_paths(simulator: Simulator) -> NDArray[np.int64]:
    """The least number of steps to the target, for every world."""
    return way_lengths(simulator.worlds)


def way_lengths(worlds: NDArray[np.void]) -> NDArray[np.int64]:
    """The least number of steps from the agent to the target, in worlds of no simulator as well."""
    return _plan_all(worlds)[1]


def every_command(simulator: Simulator) -> tuple[NDArray[np.void], NDArray[np.bool_]]:
    """All that could be commanded instead, by commands of the same type, in all worlds at once.

    Returns (worlds, most) records of `CHOICE`, the target as their outcome, and which of them there are.

    >>> simulator = Simulator(1)
    >>> simulator.reset(seeds=[3])
    >>> offers, there = every_command(simulator)
    >>> [divmod(int(target), SIDE) for target in offers["outcome"][there]]
    [(6, 0), (6, 1)]
    """
    # Nothing has more offers than an object has sides; pairs of objects would, with more than nine.
    most = int(simulator.worlds["objects"].max()) * len(DIRECTIONS)
    offers, counts = np.zeros((len(simulator), most), CHOICE), np.zeros(len(simulator), np.int64)
    _list_each(simulator.worlds, simulator.sessions["command_type"].copy(), offers, counts, simulator.rules)
    return offers, np.arange(most) < counts[:, None]


def possible_commands(simulator: Simulator, world: int = 0) -> list[Possible]:
    """Every command that the teacher could give in a world as it stands, in whatever words."""
    return [
        _possible(simulator, subtask.name, choice, target=divmod(int(choice["outcome"]), SIDE))
        for index, subtask in enumerate(COMMANDS)
        for choice in _enumerate(simulator, world, index, command=True)
    ]


def possible_questions(simulator: Simulator, world: int = 0) -> list[Possible]:
    """Every question that the teacher could ask in a world as it stands, in whatever words."""
    words = simulator.grammar.vocabulary.words
    return [
        _possible(simulator, subtask.name, choice, answer=words[choice["outcome"]])
        for index, subtask in enumerate(QUESTIONS)
        for choice in _enumerate(simulator, world, index, command=False)
    ]


def true_answer(simulator: Simulator, question: Sentence, world: int = 0) -> str | None:
    """The answer to a question about a world as it stands; None where it cannot fairly be asked."""
    return next((item.answer for item in possible_questions(simulator, world) if _says(item, question)), None)


def true_target(simulator: Simulator, command: Sentence, world: int = 0) -> tuple[int, int] | None:
    """The cell that a command means in a world as it stands; None where it cannot fairly be given."""
    return next((item.target for item in possible_commands(simulator, world) if _says(item, command)), None)


def _says(item: Possible, sentence: Sentence) -> bool:
    return (item.subtask, item.location, item.color, item.object, item.second) == (
        sentence.subtask,
        sentence.location,
        sentence.color,
        sentence.object,
        sentence.second,
    )


def _possible(
    simulator: Simulator,
    subtask: str,
    choice: Record,
    target: tuple[int, int] | None = None,
    answer: str | None = None,
) -> Possible:
    def word(words: tuple[str, ...], place: int) -> str | None:
        return None if place == ABSENT else words[place]

    classes = simulator.grammar.catalogue.classes
    return Possible(
        subtask,
        word(DIRECTIONS, choice["location"]),
        word(COLORS, choice["color"]),
        word(classes, choice["object"]),
        word(classes, choice["second"]),
        target,
        answer,
    )


def _enumerate(simulator: Simulator, world: int, subtask: int, command: bool) -> list[Record]:
    """All offers of a subtask: the first is asked for, then the second, until there is none."""
    worlds, choices = simulator.worlds[[world]], np.zeros(1, CHOICE)
    offers: list[Record] = []
    while True:
        choices["offers"], choices["wanted"] = 0, len(offers) + 1
        _propose(worlds, choices, subtask, command, simulator.rules)
        if choices["offers"][0] <= len(offers):
            return offers
        offers.append(choices[0].copy())


@entry
def _propose(worlds: NDArray[np.void], choices: NDArray[np.void], subtask: int, command: bool, rules: Rules) -> None:
    wording = rules.params[0].wording
    if command:
        speech = SpeechContext(wording, rules.object_words, rules.banned_in_commands)
        propose_command(subtask, worlds[0], choices[0], speech, reachable(worlds[0]))
    else:
        speech = SpeechContext(wording, rules.object_words, rules.banned_in_questions)
        propose_question(subtask, worlds[0], choices[0], speech)


@entry
def _list_each(
    worlds: NDArray[np.void],
    types: NDArray[np.int64],
    offers: NDArray[np.void],
    counts: NDArray[np.int64],
    rules: Rules,
) -> None:
    speech = SpeechContext(rules.params[0].wording, rules.object_words, rules.banned_in_commands)
    for i in range(len(worlds)):
        reach = reachable(worlds[i])
        for k in range(offers.shape[1]):
            offers[i, k].wanted = k + 1
            propose_command(types[i], worlds[i], offers[i, k], speech, reach)
            counts[i] = offers[i, k].offers
            if counts[i] <= k + 1:
                break


def _plan_all(worlds: NDArray[np.void]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    actions, distances = np.empty(len(worlds), np.int64), np.empty(len(worlds), np.int64)
    _plan_each(worlds, actions, distances)
    return actions, distances


@entry
def _plan_each(worlds: NDArray[np.void], actions: NDArray[np.int64], distances: NDArray[np.int64]) -> None:
    for i in range(len(worlds)):
        floor, open_cells = floor_and_open(worlds[i])
        actions[i], distances[i] = _plan(worlds[i], floor)
        if distances[i] < 0:  # shut in by objects that it has stepped over before
            actions[i], distances[i] = _plan(worlds[i], open_cells)


@kernel
def _plan(world: Record, passable: np.uint64) -> tuple[int, int]:
    """The first step and the length of a shortest way over these cells: a wave from the target meets the agent."""
    wave = cell_bit(world.target_row, world.target_column)
    for distance in range(1, CELLS):
        for action in range(len(ACTIONS)):
            row = world.agent_row + ACTION_ROW[action]
            column = world.agent_column + ACTION_COLUMN[action]
            if inside(row, column) and holds(wave, row, column):
                return action, distance
        wave |= grow(wave) & passable
    return 0, -1

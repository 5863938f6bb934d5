"""The oracle: the shortest path to the target, and everything that can truly be said about a world."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from xworld.teacher import dispatch
from xworld.teacher.choice import ABSENT, CHOICE, SpeechContext
from xworld.teacher.commands import COMMANDS
from xworld.teacher.grammar import Sentence
from xworld.teacher.questions import QUESTIONS
from xworld.teacher.rules import Rules
from xworld.teacher.simulator import Simulator
from xworld.teacher.subtask import SLOTS
from xworld.world.cells import (
    ACTION_COLUMN,
    ACTION_ROW,
    CELLS,
    DIRECTIONS,
    SIDE,
    CellSet,
    cell_bit,
    grow,
    holds,
    inside,
)
from xworld.world.kernel import Record, entry, kernel
from xworld.world.layout import floor_and_open, reachable


@dataclass(frozen=True)
class Possible:
    """Something that the teacher could say now, with its target (row, column) or its answer."""

    subtask: str
    location: str | None
    color: str | None
    object: str | None
    second: str | None
    target: tuple[int, int] | None = None
    answer: str | None = None

    def says(self, sentence: Sentence) -> bool:
        """Whether a sentence says this, in whatever words."""
        return all(getattr(self, slot) == getattr(sentence, slot) for slot in ("subtask", *SLOTS))


def expert_actions(simulator: Simulator) -> NDArray[np.int64]:
    """The first step of a shortest path to the target, for every world.

    >>> simulator = Simulator(1)
    >>> simulator.reset(seeds=[3])
    >>> while not simulator.worlds["reached"][0]:
    ...     _ = simulator.step(expert_actions(simulator), autoreset=False)
    """
    return _plan_all(simulator.worlds)[0]


def shortest_paths(simulator: Simulator) -> NDArray[np.int64]:
    """The length of a shortest path to the target, for every world."""
    return path_lengths(simulator.worlds)


def path_lengths(worlds: NDArray[np.void]) -> NDArray[np.int64]:
    """The length of a shortest path from the agent to the target, for worlds outside a simulator."""
    return _plan_all(worlds)[1]


def alternative_commands(simulator: Simulator) -> tuple[NDArray[np.void], NDArray[np.bool_]]:
    """All commands that the teacher could give instead, of the same type as the given one, in all worlds at once.

    Returns (worlds, most) records of `CHOICE`, and which of them exist.
    """
    return _list_offers(simulator, simulator.worlds, simulator.sessions["command_type"].copy(), commands=True)


def possible_commands(simulator: Simulator, world: int = 0) -> list[Possible]:
    """Every command that the teacher could give in a world now, in whatever words."""
    return _list_possible(simulator, world, commands=True)


def possible_questions(simulator: Simulator, world: int = 0) -> list[Possible]:
    """Every question that the teacher could ask in a world now, in whatever words."""
    return _list_possible(simulator, world, commands=False)


def true_answer(simulator: Simulator, question: Sentence, world: int = 0) -> str | None:
    """The answer to a question about a world now; None if the teacher could not ask it."""
    return next((item.answer for item in possible_questions(simulator, world) if item.says(question)), None)


def true_target(simulator: Simulator, command: Sentence, world: int = 0) -> tuple[int, int] | None:
    """The target cell of a command in a world now; None if the teacher could not give it."""
    return next((item.target for item in possible_commands(simulator, world) if item.says(command)), None)


def _list_possible(simulator: Simulator, world: int, commands: bool) -> list[Possible]:
    kinds = simulator.grammar.slot_words
    possible = []
    for index, name in enumerate(COMMANDS.names if commands else QUESTIONS.names):
        offers, exists = _list_offers(simulator, simulator.worlds[[world]], np.array([index]), commands)
        for choice in offers[exists]:
            words = {slot: None if choice[slot] == ABSENT else kinds[slot][choice[slot]] for slot in kinds}
            number = int(choice["target_or_answer"])
            target, answer = (divmod(number, SIDE), None) if commands else (None, _answer(simulator, index, number))
            possible.append(Possible(name, **words, target=target, answer=answer))
    return possible


def _answer(simulator: Simulator, subtask: int, number: int) -> str:
    """The word of an offer's answer, which is the number of a word or a code of `own_answer`."""
    return simulator.grammar.vocabulary.words[number] if number >= 0 else QUESTIONS[subtask].answers[-1 - number]


def _list_offers(
    simulator: Simulator, worlds: NDArray[np.void], types: NDArray[np.int64], commands: bool
) -> tuple[NDArray[np.void], NDArray[np.bool_]]:
    """(worlds, most) All offers of one type in each world, as records of `CHOICE`, and which of them exist."""
    counts, most = np.zeros(len(worlds), np.int64), max(1, int(worlds["objects"].max())) * len(DIRECTIONS)
    while True:
        offers = np.zeros((len(worlds), most), CHOICE)
        _list_each(worlds, types, commands, offers, counts, simulator.rules)
        if counts.max() <= most:  # as for every built-in type: none makes more offers than objects have sides
            break
        most = int(counts.max())
    return offers, np.arange(most) < counts[:, None]


@entry
def _list_each(
    worlds: NDArray[np.void],
    types: NDArray[np.int64],
    commands: bool,
    offers: NDArray[np.void],
    counts: NDArray[np.int64],
    rules: Rules,
) -> None:
    banned = rules.banned_in_commands if commands else rules.banned_in_questions
    speech = SpeechContext(rules.params[0].wording, rules.object_words, banned)
    for i in range(len(worlds)):
        reach = reachable(worlds[i])
        for k in range(offers.shape[1]):
            offers[i, k].keep_nth = k + 1
            if commands:
                dispatch.propose_command(types[i], worlds[i], offers[i, k], speech, reach)
            else:
                dispatch.propose_question(types[i], worlds[i], offers[i, k], speech)
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
        if distances[i] < 0:  # enclosed by objects that it has crossed before
            actions[i], distances[i] = _plan(worlds[i], open_cells)


@kernel
def _plan(world: Record, passable: CellSet) -> tuple[int, int]:
    """The first step and the length of a shortest path over these cells: a wave spreads from target to agent."""
    wave = cell_bit(world.target_row, world.target_column)
    for distance in range(1, CELLS):
        for action in range(len(ACTION_ROW)):
            row = world.agent_row + ACTION_ROW[action]
            column = world.agent_column + ACTION_COLUMN[action]
            if inside(row, column) and holds(wave, row, column):
                return action, distance
        wave |= grow(wave) & passable
    return 0, -1

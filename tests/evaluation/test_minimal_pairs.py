"""Minimal pairs are what they are said to be, the oracle tells all of them apart, and who heeds no noun tells none."""

from collections import deque

import numpy as np
import pytest
from numpy.typing import NDArray

from referee import NAMES, Cell, Scene, applicable_commands, judge_command
from scenes import scene_of
from scripted import Tourist, let_the_oracle_respond
from xworld.evaluation.minimal_pairs import begin_pairs, evaluate_minimal_pairs, find_pairs
from xworld.evaluation.rate import PairRates, Rate
from xworld.evaluation.sessions import begin_sessions, without_questions
from xworld.teacher.oracle import expert_actions
from xworld.teacher.settings import COMMAND_NAMES, TeacherSettings
from xworld.teacher.simulator import Simulator

PAIRS = 150


def make_pairs(command: str, pairs: int = PAIRS, seed: int = 0) -> Simulator:
    simulator = begin_pairs(pairs, seed, None, without_questions(TeacherSettings(), command))
    assert simulator is not None
    return simulator


def distances(scene: Scene, start: Cell) -> dict[Cell, int]:
    """Steps from a cell to every other, over empty floor but for the last one."""
    reached, waiting = {start: 0}, deque([start])
    blocked = {thing.cell for thing in scene.things}
    while waiting:
        row, column = cell = waiting.popleft()
        if cell in blocked and cell != start:
            continue
        for beside in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            inside = 0 <= beside[0] < scene.size and 0 <= beside[1] < scene.size
            if inside and beside not in scene.walls and beside not in reached:
                reached[beside] = reached[cell] + 1
                waiting.append(beside)
    return reached


@pytest.mark.parametrize("command", COMMAND_NAMES)
def test_both_commands_are_true_and_differ_in_one_noun(command: str) -> None:
    simulator = make_pairs(command)
    assert len(simulator) == 2 * PAIRS
    np.testing.assert_array_equal(simulator.tiles[:PAIRS], simulator.tiles[PAIRS:])
    for index in range(PAIRS):
        scene = scene_of(simulator, index)
        assert scene == scene_of(simulator, index + PAIRS)
        tokens = [simulator.grammar.vocabulary.decode(simulator.commands[which]) for which in (index, index + PAIRS)]
        verdicts = [judge_command(scene, words) for words in tokens]
        for which, verdict in zip((index, index + PAIRS), verdicts, strict=True):
            assert verdict.subtask == command
            assert verdict.target == (simulator.worlds["target_row"][which], simulator.worlds["target_column"][which])
        assert verdicts[0].target != verdicts[1].target
        (changed,) = (pair for pair in zip(*tokens, strict=True) if pair[0] != pair[1])
        assert set(changed) <= NAMES & {thing.name for thing in scene.things}


@pytest.mark.parametrize("command", COMMAND_NAMES)
def test_no_target_is_on_a_shortest_way_to_the_other(command: str) -> None:
    simulator = make_pairs(command)
    targets = list(
        zip(simulator.worlds["target_row"].tolist(), simulator.worlds["target_column"].tolist(), strict=True)
    )
    for index, (one, other) in enumerate(zip(targets[:PAIRS], targets[PAIRS:], strict=True)):
        scene = scene_of(simulator, index)
        from_agent, from_one, from_other = (distances(scene, cell) for cell in (scene.agent, one, other))
        if all(thing.cell not in (one, other) for thing in scene.things):  # objects are in the way of any way
            assert from_agent[one] < from_agent[other] + from_other[one]
            assert from_agent[other] < from_agent[one] + from_one[other]


def test_a_session_without_a_partner_has_none() -> None:
    """As the referee lists all that could be said; for objects as targets, none is ever on the way."""
    simulator = begin_sessions(range(400), None, without_questions(TeacherSettings(), "nav_obj"))
    there, _, _ = find_pairs(simulator)
    for index in range(400):
        commands = applicable_commands(scene_of(simulator, index))
        assert there[index] == (sum(command[0] == "nav_obj" for command in commands) > 1)


def test_pairs_are_those_of_their_seeds() -> None:
    few, many = make_pairs("nav_bw_obj", 20), make_pairs("nav_bw_obj", 60)
    for array in ("commands", "tiles"):
        first, again = getattr(few, array), getattr(many, array)
        np.testing.assert_array_equal(first[:20], again[:20])
        np.testing.assert_array_equal(first[20:], again[60:80])


def test_the_oracle_tells_all_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    let_the_oracle_respond(monkeypatch)
    everything = PairRates(Rate(PAIRS, PAIRS), Rate(PAIRS, PAIRS), Rate(2 * PAIRS, 2 * PAIRS))
    assert evaluate_minimal_pairs(Tourist(), PAIRS) == dict.fromkeys(COMMAND_NAMES, everything)


class HearsTheFirstNounOnly:
    """A responder that goes to the first target in both sessions, on the shortest way."""

    def __init__(self) -> None:
        self._meant: NDArray[np.void] | None = None

    def respond(self, simulator: Simulator, worlds: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        own, half = simulator.worlds.copy(), len(simulator) // 2
        self._meant = own.copy() if self._meant is None else self._meant
        for field in ("target_row", "target_column"):
            simulator.worlds[field][half:] = self._meant[field][:half]
        actions = expert_actions(simulator)[worlds]
        simulator.worlds[:] = own
        return actions, np.zeros(len(worlds), np.int64)


@pytest.mark.parametrize("command", COMMAND_NAMES)
def test_who_hears_the_first_noun_only_tells_none_apart(command: str) -> None:
    responder, settings = HearsTheFirstNounOnly(), TeacherSettings(commands=(command,))
    (rates,) = evaluate_minimal_pairs(responder, 60, settings=settings).values()
    assert rates.told_apart == Rate(0, 60)
    assert 0.5 <= rates.single.value < 0.75


def test_visiting_everything_is_not_understanding() -> None:
    rates = evaluate_minimal_pairs(Tourist(), PAIRS)
    assert all(rate.told_apart.hits == 0 for rate in rates.values())
    assert rates["nav_obj"].both.value > 0.2
    assert rates["nav_bw_obj"].single.value > 0.5  # as the paper says: a gap is found without any noun
    assert rates["nav_obj"].single.value > rates["nav_obj"].both.value


def test_where_there_are_no_pairs_there_is_no_rate() -> None:
    alone = TeacherSettings(objects=(1, 1), commands=("nav_obj",))
    assert evaluate_minimal_pairs(Tourist(), 5, settings=alone) == {}
    two = TeacherSettings(objects=(2, 2), commands=("nav_bw_obj",))  # two gaps need three objects
    assert evaluate_minimal_pairs(Tourist(), 5, settings=two) == {}

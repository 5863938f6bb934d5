"""Failed sessions and their causes: walkers that fail in a known way, and a recount in plain Python."""

from collections import Counter
from collections.abc import Callable
from itertools import groupby

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from scripted import Tourist, let_the_oracle_respond, step_to_the_nearest_object
from xworld.agent.agent import Agent
from xworld.envs.observation import Observation
from xworld.evaluation import responders
from xworld.evaluation.failures import CAUSES, LENGTHS, FailedSession, FailureReport, find_failures
from xworld.evaluation.rate import Rate
from xworld.evaluation.sessions import begin_sessions, run_sessions, without_questions
from xworld.evaluation.success import evaluate
from xworld.teacher.settings import TeacherSettings
from xworld.teacher.simulator import Simulator
from xworld.world.catalogue import Catalogue
from xworld.world.cells import SIDE, VIEW
from xworld.world.state import FIRST_OBJECT, WALL

Numbers = NDArray[np.int64]
Cell = tuple[int, int]
SEEDS = range(300)
UP, DOWN, LEFT = 0, 1, 2


def go_up(simulator: Simulator) -> Numbers:
    return np.full(len(simulator), UP)


def turn_left_at_the_end(simulator: Simulator) -> Numbers:
    return np.where(simulator.worlds["time"] < 25, UP, LEFT)


def go_down_then_up(simulator: Simulator) -> Numbers:
    """In the first row after 13 or 14 of 28 steps, if nothing is in the way."""
    turn = 7 + np.arange(len(simulator)) % 2
    return np.where(simulator.worlds["time"] < turn, DOWN, UP)


def go_to_the_nearest_object(simulator: Simulator) -> Numbers:
    return step_to_the_nearest_object(simulator.tiles)


class Walker:
    """Walks by a rule, and attends to the target or, where it is astray, to a cell some rows below or above it."""

    def __init__(self, move: Callable[[Simulator], Numbers], below: int = 0, northern: int = SIDE) -> None:
        """It goes astray in the `northern` rows of the map."""
        self._move, self._below, self._northern = move, below, northern

    def respond(self, simulator: Simulator, worlds: Numbers) -> tuple[Numbers, Numbers]:
        return self._move(simulator)[worlds], np.zeros(len(worlds), np.int64)

    def attend(self, simulator: Simulator) -> NDArray[np.float32]:
        worlds, maps = simulator.worlds, np.zeros((len(simulator), VIEW, VIEW), np.float32)
        below = np.where(worlds["agent_row"] < self._northern, self._below, 0)
        rows = VIEW // 2 + worlds["target_row"] - worlds["agent_row"]
        rows += np.where(rows + below < VIEW, below, -below)
        columns = VIEW // 2 + worlds["target_column"] - worlds["agent_column"]
        maps[np.arange(len(maps)), rows, columns] = 1.0
        return maps.reshape(len(maps), VIEW * VIEW)


def fail(agent: Walker | Tourist, command: str, settings: TeacherSettings | None = None) -> FailureReport:
    """The failures of an agent in sessions of one type."""
    only = without_questions(settings or TeacherSettings(), command)
    results = {command: run_sessions(agent, begin_sessions(SEEDS, None, only))}
    return find_failures(agent, results, SEEDS, None, only)


def distances(session: FailedSession) -> dict[Cell, int]:
    """The steps to the target from every cell, around walls and objects."""
    steps, wave = {session.target: 0}, [session.target]
    for row, column in wave:
        for cell in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            inside = 0 <= cell[0] < SIDE and 0 <= cell[1] < SIDE
            if inside and cell not in steps and session.grid[cell] != WALL:
                steps[cell] = steps[row, column] + 1
                if session.grid[cell] < FIRST_OBJECT:
                    wave.append(cell)
    return steps


def judge(session: FailedSession) -> str:
    """The cause by the path alone, as the documentation has it."""
    taken = len(session.cells) - 1
    early, late = session.cells[: -(taken // 3)], session.cells[-(taken // 3) :]
    if any(session.grid[cell] >= FIRST_OBJECT for cell in session.cells):
        return "wrong_object"
    if all(cell in early for cell in late):
        return "back_and_forth"
    steps = distances(session)
    return "out_of_time" if steps[late[-1]] < steps[early[-1]] else "other"


@pytest.mark.parametrize("command", ["nav_obj", "nav_bw_obj"])
@pytest.mark.parametrize(
    ("move", "expected"),
    [
        (go_up, {"back_and_forth", "wrong_object"}),
        (go_to_the_nearest_object, {"wrong_object"}),
        (turn_left_at_the_end, {"back_and_forth", "wrong_object", "out_of_time", "other"}),
    ],
)
def test_a_walker_that_attends_rightly_fails_by_its_path(
    move: Callable[[Simulator], Numbers], expected: set[str], command: str
) -> None:
    report = fail(Walker(move), command)
    assert {session.cause for session in report.sessions} == expected
    assert [session.cause for session in report.sessions] == [judge(session) for session in report.sessions]


def test_paths_in_small_worlds_are_judged_by_the_same_rule() -> None:
    report = fail(Walker(turn_left_at_the_end), "nav_obj", TeacherSettings(map_size=(3, 3), walls=(0, 2)))
    assert {len(session.cells) for session in report.sessions} == {13}
    assert [session.cause for session in report.sessions] == [judge(session) for session in report.sessions]


@pytest.mark.parametrize(
    ("command", "below", "astray"), [("nav_obj", 1, True), ("nav_bw_obj", 1, False), ("nav_bw_obj", 2, True)]
)
def test_attention_beside_the_target_is_right_only_between_two_objects(command: str, below: int, astray: bool) -> None:
    causes = [session.cause for session in fail(Walker(go_up, below), command).sessions]
    assert causes
    assert [cause == "wrong_place" for cause in causes] == [astray] * len(causes)


def test_most_steps_decide_whether_attention_was_wrong() -> None:
    report, counts = fail(Walker(go_down_then_up, below=3, northern=1), "nav_obj"), set()
    for session in report.sessions:
        astray = sum(row < 1 for row, _ in session.cells[:-1])  # the last cell is where time was up
        assert (session.cause == "wrong_place") == (astray > 14)
        counts.add(astray)
    assert {14, 15} <= counts


def step_at_random(observation: Observation) -> Numbers:
    return np.random.default_rng(len(observation["command"])).integers(4, size=len(observation["command"]))


def test_causes_divide_the_failures_and_all_counts_add_up() -> None:
    report = evaluate(step_at_random, sessions=800, observation="tiles", failures=True)
    failures = report.failures
    assert failures is not None
    assert "wrong_place" not in failures.causes  # who knows where it attends?
    assert all(session.attention is None for session in failures.sessions)
    failed = {name: rate.trials - rate.hits for name, rate in report.success.items()}
    for name, count in failed.items():
        assert sum(rates[name].hits for rates in failures.causes.values()) == count
        assert all(rates[name].trials == 200 for rates in failures.causes.values())
    counted = Counter(session.cause for session in failures.sessions)
    assert counted == {cause: failures.share(cause).hits for cause in failures.causes}
    assert sum(failures.lengths.values(), start=Rate(0, 0)) == Rate(sum(failed.values()), 800)
    for name, lengths in LENGTHS.items():
        assert failures.lengths[name].hits == sum(session.shortest in lengths for session in failures.sessions)
    assert [session.cause for session in failures.sessions] == [judge(session) for session in failures.sessions]


def test_an_example_is_the_first_of_its_cause() -> None:
    failures = evaluate(step_at_random, sessions=400, observation="tiles", failures=True).failures
    assert failures is not None
    assert list(failures.examples) == [cause for cause in CAUSES if cause != "wrong_place"]
    for cause, session in failures.examples.items():
        assert session is next(other for other in failures.sessions if other.cause == cause)
    for _, group in groupby(failures.sessions, lambda session: session.command_type):
        seeds = [session.seed for session in group]
        assert seeds == sorted(set(seeds))


def test_a_model_without_attention_fails_by_its_path() -> None:
    failures = evaluate(Tourist(), sessions=80, failures=True).failures
    assert failures is not None
    assert {session.cause for session in failures.sessions} == {"wrong_object"}
    assert "wrong_place" not in failures.causes


def test_nobody_fails_where_the_oracle_responds(monkeypatch: pytest.MonkeyPatch) -> None:
    let_the_oracle_respond(monkeypatch)
    failures = evaluate(Tourist(), sessions=80, failures=True).failures
    assert failures is not None
    assert not failures.sessions
    assert not failures.examples
    assert sum(failures.share(cause).hits for cause in failures.causes) == 0
    assert sum(rate.trials for rate in failures.lengths.values()) == 80


def test_failures_are_looked_at_on_request_alone() -> None:
    assert evaluate(Tourist(), sessions=8).failures is None


def test_a_few_scenes_at_a_time_have_the_same_causes(catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch) -> None:
    torch.manual_seed(0)
    agent = Agent(105, torch.from_numpy(catalogue.atlas()))
    settings = without_questions(TeacherSettings(map_size=(3, 3)), "nav_obj")
    results = {"nav_obj": run_sessions(agent, begin_sessions(range(12), catalogue, settings))}
    together = find_failures(agent, results, range(12), catalogue, settings)
    monkeypatch.setattr(responders, "BATCH_SIZE", 5)
    apart = find_failures(agent, results, range(12), catalogue, settings)
    assert len(together.sessions) > 5
    assert together.causes == apart.causes
    for one, other in zip(together.sessions, apart.sessions, strict=True):
        assert (one.seed, one.cause, one.cells) == (other.seed, other.cause, other.cells)
        np.testing.assert_allclose(one.attention, other.attention, atol=1e-5)  # type: ignore[arg-type]

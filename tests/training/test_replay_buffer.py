"""The replay against a slow referee that keeps time steps in plain lists."""

from collections import Counter
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from xworld.training.checkpoint import load_state, save_state
from xworld.training.replay_buffer import Experiences, NothingToReplay, ReplayBuffer, Transitions
from xworld.world.cells import ACTIONS
from xworld.world.checks import SettingsError

ERRORS = (0.0, -0.5, 0.5, 0.25, -2.0, 3.0, 1.0)
"""Few and partly of equal size, so that ties are common; some exceed the priority that all start with."""

Step = dict[str, NDArray[Any]]


def random_step(worlds: int, rng: np.random.Generator, asked: float = 0.5, ended: float = 0.3) -> Step:
    return {
        "tiles": rng.integers(0, 1000, (worlds, 13, 13)).astype(np.int16),
        "commands": rng.integers(1, 100, (worlds, 12)).astype(np.int16),
        "questions": rng.integers(1, 100, (worlds, 12)).astype(np.int16),
        "answers": np.where(rng.random(worlds) < asked, rng.integers(1, 100, worlds), 0),
        "actions": rng.integers(0, len(ACTIONS), worlds),
        "rewards": rng.standard_normal(worlds).astype(np.float32),
        "dones": rng.random(worlds) < ended,
    }


@dataclass
class Referee:
    """All time steps ever, the priority of each experience, and the rules of the replay read off them one by one."""

    steps_kept: int
    worlds: int
    steps: list[Step] = field(default_factory=list)
    priorities: dict[int, float] = field(default_factory=dict)
    highest: float = 1.0

    def add(self, step: Step) -> None:
        for world in range(self.worlds):
            self.priorities[len(self.steps) * self.worlds + world] = self.highest
        self.steps.append(step)

    def set_priorities(self, numbers: list[int], errors: list[float]) -> None:
        for number, error in zip(numbers, errors, strict=True):
            self.priorities[number] = abs(error)
            self.highest = max(self.highest, abs(error))

    def kept(self) -> list[int]:
        count = len(self.steps) * self.worlds
        return list(range(max(0, count - self.steps_kept * self.worlds), count))

    def of(self, name: str, number: int) -> Any:
        step, world = divmod(number, self.worlds)
        return self.steps[step][name][world]

    def questions(self) -> list[int]:
        return [number for number in self.kept() if self.of("answers", number)]

    def ranked_transitions(self) -> list[int]:
        newest = len(self.steps) - 1
        able = [number for number in self.kept() if number // self.worlds != newest or self.of("dones", number)]
        return sorted(able, key=lambda number: (-self.priorities[number], number))


def check_same(experiences: Experiences, numbers: list[int], referee: Referee) -> None:
    for name, array in experiences._asdict().items():
        expected = np.stack([referee.of(name, number) for number in numbers])
        assert array.dtype == expected.dtype
        assert np.array_equal(array, expected), name


def check_transitions(batch: Transitions, referee: Referee, exponent: float) -> None:
    numbers = batch.numbers.tolist()
    check_same(batch.now, numbers, referee)
    after = [number if referee.of("dones", number) else number + referee.worlds for number in numbers]
    assert np.array_equal(batch.next_tiles, np.stack([referee.of("tiles", number) for number in after]))
    assert np.array_equal(batch.next_commands, np.stack([referee.of("commands", number) for number in after]))
    check_stratified(numbers, referee.ranked_transitions(), exponent)


def check_stratified(numbers: list[int], ranked: list[int], exponent: float) -> None:
    """The j-th of k draws is of a rank that covers part of the j-th of k equal parts of all probability."""
    bounds = [0.0, *accumulate(probabilities(len(ranked), exponent))]
    for part, number in enumerate(numbers):
        rank = ranked.index(number)
        assert bounds[rank] < (part + 1) / len(numbers) + 1e-9
        assert bounds[rank + 1] > part / len(numbers) - 1e-9


def probabilities(ranks: int, exponent: float) -> list[float]:
    weights = [(1 / rank) ** exponent for rank in range(1, ranks + 1)]
    return [weight / sum(weights) for weight in weights]


@dataclass
class Pair:
    """A replay and its referee, to which the same things happen."""

    steps_kept: int
    worlds: int
    exponent: float = 0.7

    def __post_init__(self) -> None:
        self.replay = ReplayBuffer(self.steps_kept * self.worlds, self.worlds, self.exponent)
        self.referee = Referee(self.steps_kept, self.worlds)

    def add(self, rng: np.random.Generator, **shares: float) -> None:
        step = random_step(self.worlds, rng, **shares)
        self.replay.add(Experiences(**step))
        self.referee.add(step)

    def set_priorities(self, numbers: list[int], errors: list[float]) -> None:
        self.replay.set_priorities(np.array(numbers, np.int64), errors)
        self.referee.set_priorities(numbers, errors)

    def check_transitions(self, count: int, rng: np.random.Generator) -> None:
        if self.referee.ranked_transitions():
            check_transitions(self.replay.sample_transitions(count, rng), self.referee, self.exponent)
        else:
            with pytest.raises(NothingToReplay, match="no transition"):
                self.replay.sample_transitions(count, rng)

    def check_questions(self, count: int, rng: np.random.Generator) -> None:
        asked = self.referee.questions()
        if not asked:
            with pytest.raises(NothingToReplay, match="no question"):
                self.replay.sample_questions(count, rng)
            return
        numbers = self.numbers_of(self.replay.sample_questions(count, rng))
        assert len(numbers) == count
        assert set(numbers) <= set(asked)
        assert len(set(numbers)) == count or len(asked) < count

    def numbers_of(self, experiences: Experiences) -> list[int]:
        """The numbers of some experiences, which are recognized by what was seen in them."""
        known = {self.referee.of("tiles", number).tobytes(): number for number in self.referee.kept()}
        numbers = [known[tiles.tobytes()] for tiles in experiences.tiles]
        check_same(experiences, numbers, self.referee)
        return numbers


@settings(max_examples=300)
@given(st.data(), st.integers(1, 5), st.integers(1, 3), st.sampled_from([0.0, 0.7, 2.0]), st.integers(0, 2**32))
def test_as_the_referee_has_it(data: st.DataObject, steps_kept: int, worlds: int, exponent: float, seed: int) -> None:
    pair, rng = Pair(steps_kept, worlds, exponent), np.random.default_rng(seed)
    for happening in data.draw(st.lists(st.sampled_from(["add", "add", "rank", "walk", "ask"]), max_size=30)):
        known = len(pair.referee.steps) * worlds
        if happening == "add":
            pair.add(rng)
        elif happening == "rank" and known:
            numbers = data.draw(st.lists(st.integers(0, known - 1), max_size=4))  # also twice, and some long gone
            errors = data.draw(st.lists(st.sampled_from(ERRORS), min_size=len(numbers), max_size=len(numbers)))
            pair.set_priorities(numbers, errors)
        elif happening == "walk":
            pair.check_transitions(data.draw(st.integers(1, 6)), rng)
        elif happening == "ask":
            pair.check_questions(data.draw(st.integers(1, 6)), rng)
        assert len(pair.replay) == len(pair.referee.kept())


def filled_pair(steps: int = 25, exponent: float = 0.7, **shares: float) -> Pair:
    """Twenty time steps of three worlds in memory, the last ones wrapped around, with many different priorities."""
    pair, rng = Pair(20, 3, exponent), np.random.default_rng(1)
    for _ in range(steps):
        pair.add(rng, **shares)
    numbers = rng.choice(pair.referee.kept(), 40, replace=False)
    pair.set_priorities(numbers.tolist(), rng.standard_normal(40).astype(np.float32).tolist())
    return pair


def check_frequencies(drawn: Counter[int], expected: dict[int, float], draws: int) -> None:
    """That all expected things, and no others, were drawn as often as expected, within five standard deviations."""
    assert set(drawn) == set(expected)
    for thing, share in expected.items():
        assert drawn[thing] / draws == pytest.approx(share, abs=5 * (share / draws) ** 0.5)


class TestTransitions:
    @pytest.mark.parametrize("exponent", [0.0, 0.7, 1.0])
    @pytest.mark.parametrize("count", [1, 16])
    def test_are_as_likely_as_their_rank_says(self, exponent: float, count: int) -> None:
        pair, rng = filled_pair(exponent=exponent), np.random.default_rng(2)
        drawn: Counter[int] = Counter()
        for _ in range(32_000 // count):
            drawn.update(pair.replay.sample_transitions(count, rng).numbers.tolist())
        ranked = pair.referee.ranked_transitions()
        check_frequencies(drawn, dict(zip(ranked, probabilities(len(ranked), exponent), strict=True)), 32_000)

    def test_are_drawn_one_from_each_part(self) -> None:
        pair, rng = filled_pair(exponent=0.0, ended=1.0), np.random.default_rng(3)
        ranked = pair.referee.ranked_transitions()
        for _ in range(
            100
        ):  # all ranks being equally likely, each comes once in a batch that is as large as the memory
            assert pair.replay.sample_transitions(60, rng).numbers.tolist() == ranked

    def test_where_in_its_part_one_is_drawn_says_nothing_of_the_next(self) -> None:
        pair, rng = filled_pair(exponent=0.0, ended=1.0), np.random.default_rng(3)
        ranked = pair.referee.ranked_transitions()
        draws = [pair.replay.sample_transitions(2, rng).numbers.tolist() for _ in range(2_000)]
        places = np.array([[ranked.index(number) for number in numbers] for numbers in draws])
        assert abs(np.corrcoef(places.T)[0, 1]) < 0.1

    @pytest.mark.parametrize("steps", [1, 2, 20, 21, 40, 41, 59])
    def test_the_newest_wait_for_their_successors(self, steps: int) -> None:
        pair, rng = Pair(20, 3, exponent=0.0), np.random.default_rng(4)
        for _ in range(steps):
            pair.add(rng, ended=0.0)
        able = pair.referee.ranked_transitions()
        assert len(able) == 3 * (min(steps, 20) - 1)
        pair.check_transitions(200, rng)
        if able:
            assert set(pair.replay.sample_transitions(len(able), rng).numbers.tolist()) == set(able)

    def test_the_newest_that_ended_a_session_need_no_successor(self) -> None:
        pair, rng = Pair(20, 3), np.random.default_rng(5)
        pair.add(rng, ended=1.0)
        batch = pair.replay.sample_transitions(8, rng)
        assert batch.now.dones.all()
        assert np.array_equal(batch.next_tiles, batch.now.tiles)
        assert np.array_equal(batch.next_commands, batch.now.commands)

    def test_new_ones_come_with_the_highest_priority_so_far(self) -> None:
        pair, rng = filled_pair(ended=1.0), np.random.default_rng(6)
        first = pair.referee.kept()[0]
        pair.set_priorities([first, first + 1], [-7.0, 0.1])
        pair.set_priorities([first], [0.2])  # the highest so far, though no longer of anything that is kept
        pair.set_priorities([first + 4], [6.9])
        pair.add(rng, ended=1.0)
        newest = pair.referee.kept()[-3:]
        assert pair.referee.ranked_transitions()[:4] == [*newest, first + 4]
        assert pair.replay.arrays()["priorities"].max() == 7
        pair.check_transitions(60, rng)

    def test_errors_of_what_is_gone_do_not_touch_what_took_its_place(self) -> None:
        pair = filled_pair()
        before = pair.replay.arrays()["priorities"]
        oldest = pair.referee.kept()[0]
        pair.set_priorities([oldest - 1, 0], [0.125, 0.125])
        assert np.array_equal(pair.replay.arrays()["priorities"], before)
        pair.set_priorities([oldest], [0.125])
        assert np.count_nonzero(pair.replay.arrays()["priorities"] != before) == 1

    def test_a_sample_is_not_changed_by_what_comes_later(self) -> None:
        pair, rng = filled_pair(), np.random.default_rng(7)
        batch = pair.replay.sample_transitions(16, rng)
        for _ in range(20):
            pair.replay.add(Experiences(**random_step(3, rng)))
        check_same(batch.now, batch.numbers.tolist(), pair.referee)


class TestQuestions:
    def test_are_there_once_one_was_asked(self) -> None:
        replay, rng = ReplayBuffer(12, 3, 0.7), np.random.default_rng(0)
        assert not replay.has_questions
        for asked in (False, True):
            replay.add(Experiences(**random_step(3, rng, asked=float(asked))))
            assert replay.has_questions == asked

    @pytest.mark.parametrize("count", [1, 8])
    def test_are_equally_likely(self, count: int) -> None:
        pair, rng = filled_pair(asked=0.4), np.random.default_rng(8)
        asked = pair.referee.questions()
        assert 8 < len(asked) < 40
        drawn: Counter[int] = Counter()
        for _ in range(8_000 // count):
            drawn.update(pair.numbers_of(pair.replay.sample_questions(count, rng)))
        check_frequencies(drawn, dict.fromkeys(asked, 1 / len(asked)), 8_000)

    def test_come_twice_only_where_there_are_too_few(self) -> None:
        pair, rng = filled_pair(), np.random.default_rng(9)
        asked = pair.referee.questions()
        all_of_them = pair.numbers_of(pair.replay.sample_questions(len(asked), rng))
        assert sorted(all_of_them) == asked
        assert len(pair.replay.sample_questions(len(asked) + 1, rng).answers) == len(asked) + 1

    def test_the_newest_is_among_them(self) -> None:
        pair, rng = Pair(4, 1), np.random.default_rng(10)
        pair.add(rng, asked=0.0)
        pair.add(rng, asked=1.0, ended=0.0)
        assert pair.numbers_of(pair.replay.sample_questions(2, rng)) == [1, 1]


def live_on(replay: ReplayBuffer, steps: int, seed: int) -> list[NDArray[Any]]:
    """What is drawn while time goes on."""
    rng = np.random.default_rng(seed)
    replay.add(Experiences(**random_step(3, rng, asked=1.0, ended=1.0)))
    drawn: list[NDArray[Any]] = []
    for _ in range(steps):
        replay.add(Experiences(**random_step(3, rng)))
        batch = replay.sample_transitions(16, rng)
        replay.set_priorities(batch.numbers, rng.standard_normal(16))
        drawn += [batch.numbers, batch.next_tiles, batch.next_commands, *batch.now]
        drawn += replay.sample_questions(16, rng)
    return drawn


class TestState:
    @pytest.mark.parametrize("steps", [5, 19, 33])
    def test_a_restored_replay_goes_on_as_it_would_have(self, tmp_path: Path, steps: int) -> None:
        replay, resumed = ReplayBuffer(60, 3), ReplayBuffer(60, 3)
        live_on(replay, steps, seed=11)
        live_on(resumed, 37, seed=12)  # of which nothing may remain
        save_state(tmp_path / "state", {}, replay.arrays(), {})
        resumed.restore(load_state(tmp_path / "state")[1])
        assert len(resumed) == len(replay)
        for one, other in zip(live_on(replay, 30, seed=13), live_on(resumed, 30, seed=13), strict=True):
            assert np.array_equal(one, other)

    def test_is_a_copy_on_both_ways(self) -> None:
        replay, resumed = filled_pair().replay, ReplayBuffer(60, 3)
        saved = replay.arrays()
        before = {name: array.copy() for name, array in saved.items()}
        resumed.restore(saved)
        live_on(replay, 25, seed=14)
        live_on(resumed, 25, seed=15)
        assert all(np.array_equal(saved[name], before[name]) for name in before)

    def test_an_empty_replay_can_be_saved(self) -> None:
        pair = filled_pair()
        pair.replay.restore(ReplayBuffer(60, 3).arrays())
        assert len(pair.replay) == 0
        with pytest.raises(NothingToReplay):
            pair.replay.sample_questions(1, np.random.default_rng())

    @pytest.mark.parametrize(
        ("changes", "complaint"),
        [
            ({"tiles": np.zeros((60, 13, 12), np.int16)}, r"tiles of int16 and shape \(60, 13, 12\): expected int16"),
            ({"dones": np.zeros(60, np.int8)}, r"dones of int8 and shape \(60,\): expected bool"),
            ({"rewards": np.zeros(60)}, "rewards of float64"),
            ({"added": np.zeros(1, np.int64)}, r"added of int64 and shape \(1,\): expected int64 and shape \(\)"),
            ({"more": np.zeros(60)}, "more: expected tiles, commands"),
            ({"added": np.array(-3)}, "added is -3"),
            ({"added": np.array(61)}, "added is 61: expected a multiple of the number of environments, 3"),
            ({"priorities": np.full(60, np.nan, np.float32)}, "finite numbers"),
            ({"priorities": np.full(60, -0.0, np.float32)}, "finite numbers"),
            ({"priorities": np.full(60, 99.0, np.float32)}, "from 0 to the highest"),
            ({"highest": np.array(np.inf, np.float32)}, "finite numbers"),
        ],
        ids=lambda value: ",".join(value) if isinstance(value, dict) else "",
    )
    def test_another_state_is_refused_and_changes_nothing(
        self, changes: dict[str, NDArray[Any]], complaint: str
    ) -> None:
        replay = filled_pair().replay
        before = replay.arrays()
        with pytest.raises(ValueError, match=complaint):
            replay.restore(ReplayBuffer(60, 3).arrays() | changes)
        assert all(np.array_equal(array, before[name]) for name, array in replay.arrays().items())

    def test_fewer_than_none_were_added(self) -> None:
        with pytest.raises(ValueError, match="added is -1"):
            ReplayBuffer(60, 1).restore(ReplayBuffer(60, 1).arrays() | {"added": np.array(-1)})

    def test_that_of_a_replay_of_another_size_is_refused(self) -> None:
        with pytest.raises(ValueError, match=r"shape \(63, 13, 13\): expected int16 and shape \(60, 13, 13\)"):
            ReplayBuffer(60, 3).restore(ReplayBuffer(63, 3).arrays())


class TestRefusals:
    @pytest.mark.parametrize(("capacity", "worlds"), [(10, 3), (0, 3), (2, 3), (3, 0), (-3, 3)])
    def test_a_capacity_that_cannot_be_shared_out(self, capacity: int, worlds: int) -> None:
        with pytest.raises(SettingsError, match=f"capacity={capacity}: expected a multiple"):
            ReplayBuffer(capacity, worlds)

    @pytest.mark.parametrize("exponent", [-0.1, float("nan"), float("inf")])
    def test_an_exponent_that_is_none(self, exponent: float) -> None:
        with pytest.raises(SettingsError, match="exponent="):
            ReplayBuffer(6, 3, exponent)

    @pytest.mark.parametrize("name", random_step(3, np.random.default_rng(0)))
    def test_a_time_step_that_does_not_fit(self, name: str) -> None:
        replay, step = ReplayBuffer(6, 3), random_step(3, np.random.default_rng(0))
        for misfit in (step[name][:1], step[name].astype(np.float64)):
            with pytest.raises(ValueError, match=f"{name} of"):
                replay.add(Experiences(**step | {name: misfit}))
        assert len(replay) == 0
        assert not any(replay.arrays()[part].any() for part in step)

    @pytest.mark.parametrize(
        ("numbers", "errors", "complaint"),
        [
            ([60], [1.0, 2.0], "one for each"),
            ([60], [np.nan], "NaNs"),
            ([60], [-np.inf], "NaNs or infinities"),
            ([60, 75], [1.0, 2.0], "no experience 75: 75 were added"),
            ([-1, 60], [1.0, 2.0], "no experience -1"),
        ],
    )
    def test_errors_that_cannot_be_ranked(self, numbers: list[int], errors: list[float], complaint: str) -> None:
        replay = filled_pair().replay
        before = replay.arrays()
        with pytest.raises(ValueError, match=complaint):
            replay.set_priorities(np.array(numbers), errors)
        assert all(np.array_equal(array, before[name]) for name, array in replay.arrays().items())

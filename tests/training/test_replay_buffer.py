"""The replay buffer against a slow referee that keeps time steps in plain lists."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from xworld.training.checked_file import CheckpointError
from xworld.training.checkpoint import load_state, save_state
from xworld.training.replay_buffer import Questions, ReplayBuffer, Transitions
from xworld.world.cells import ACTIONS
from xworld.world.checks import SettingsError

CPU = torch.device("cpu")
ERRORS = (0.0, -0.5, 0.5, 0.25, -2.0, 3.0, 1.0)
"""Few and partly of equal size, so that ties are common; some exceed the priority that all start with."""
SEEN = "tiles", "commands", "questions", "answers"
DONE = "actions", "behavior", "rewards", "dones"

Step = dict[str, NDArray[Any]]


def random_step(worlds: int, rng: np.random.Generator, asked: float = 0.5) -> Step:
    return {
        "tiles": rng.integers(0, 1000, (worlds, 13, 13)).astype(np.int16),
        "commands": rng.integers(1, 100, (worlds, 12)).astype(np.int16),
        "questions": rng.integers(1, 100, (worlds, 12)).astype(np.int16),
        "answers": np.where(rng.random(worlds) < asked, rng.integers(1, 100, worlds), 0),
        "actions": rng.integers(0, len(ACTIONS), worlds),
        "behavior": rng.random(worlds).astype(np.float32),
        "rewards": rng.standard_normal(worlds).astype(np.float32),
        "dones": rng.random(worlds) < 0.3,
    }


@dataclass
class Referee:
    """All time steps ever, one number for each of their steps, and the rules of the buffer read off them one by one.

    Step `w` of time step `t` has the number `t x worlds + w`, and its place is the remainder by the capacity.
    """

    steps_kept: int
    worlds: int
    exponent: float
    steps: list[Step] = field(default_factory=list)
    priorities: dict[int, float] = field(default_factory=dict)
    highest: float = 1.0

    def observe(self, step: Step) -> None:
        self.steps.append(step)

    def record(self) -> None:
        first = (len(self.steps) - 1) * self.worlds
        for number in range(first, first + self.worlds):
            self.priorities[number] = self.highest

    def set_priorities(self, numbers: list[int], errors: list[float]) -> None:
        for number, error in zip(numbers, errors, strict=True):
            self.priorities[number] = abs(error)
            self.highest = max(self.highest, abs(error))

    def kept(self) -> list[int]:
        count = len(self.steps) * self.worlds
        return list(range(max(0, count - self.steps_kept * self.worlds), count))

    def transitions(self) -> list[int]:
        """The oldest first; the newest time step has no successor."""
        return self.kept()[: -self.worlds]

    def place(self, number: int) -> int:
        return number % (self.steps_kept * self.worlds)

    def of(self, name: str, number: int) -> Any:
        step, world = divmod(number, self.worlds)
        return self.steps[step][name][world]

    def ranked(self) -> list[int]:
        """The highest priority first; of equal ones, that with the first place."""
        return sorted(self.transitions(), key=lambda number: (-self.priorities[number], self.place(number)))

    def sample_transitions(self, draws: list[float]) -> list[int]:
        if not self.exponent:
            able = self.transitions()
            return [able[int(draw * len(able))] for draw in draws]
        ranked, numbers = self.ranked(), []
        weights = [rank**-self.exponent for rank in range(1, len(ranked) + 1)]
        for segment, draw in enumerate(draws):
            height = (segment + draw) / len(draws) * sum(weights)
            rank = 0
            while rank < len(ranked) - 1 and height >= sum(weights[: rank + 1]):
                rank += 1
            numbers.append(ranked[rank])
        return numbers

    def sample_questions(self, draws: list[float]) -> list[int]:
        asked = sorted((number for number in self.kept() if self.of("answers", number)), key=self.place)
        return [asked[int(draw * len(asked))] for draw in draws]


@dataclass
class Pair:
    """A buffer and its referee, to which the same things happen."""

    steps_kept: int
    worlds: int
    exponent: float = 0.0

    def __post_init__(self) -> None:
        self.buffer = ReplayBuffer(self.steps_kept * self.worlds, self.worlds, CPU, self.exponent)
        self.referee = Referee(self.steps_kept, self.worlds, self.exponent)

    def observe(self, rng: np.random.Generator, asked: float = 0.5) -> None:
        step = random_step(self.worlds, rng, asked)
        self.buffer.observe(*(step[name] for name in SEEN))
        self.referee.observe(step)

    def record(self) -> None:
        record(self.buffer, self.referee.steps[-1])
        self.referee.record()

    def add(self, rng: np.random.Generator, asked: float = 0.5) -> None:
        self.observe(rng, asked)
        self.record()

    def set_priorities(self, numbers: list[int], errors: list[float]) -> None:
        places = torch.tensor([self.referee.place(number) for number in numbers])
        self.buffer.set_priorities(places, torch.tensor(errors))
        self.referee.set_priorities(numbers, errors)

    def check_transitions(self, draws: list[float]) -> None:
        places, numbers = self.buffer.sample_transitions(uniform(draws)), self.referee.sample_transitions(draws)
        after = [number + self.worlds for number in numbers]
        assert places.tolist() == [self.referee.place(number) for number in numbers]
        self.check_rows(self.buffer.transitions(places), numbers, ("tiles", "commands", *DONE))
        for name, found in zip(("tiles", "commands"), self.buffer.successors(places), strict=True):
            expected = np.stack([self.referee.of(name, number) for number in after])
            np.testing.assert_array_equal(found.numpy(), expected)

    def check_questions(self, draws: list[float]) -> None:
        found, numbers = self.buffer.sample_questions(uniform(draws)), self.referee.sample_questions(draws)
        self.check_rows(found, numbers, ("tiles", "questions", "answers"))

    def check_rows(self, found: Transitions | Questions, numbers: list[int], names: tuple[str, ...]) -> None:
        for name in names:
            expected = np.stack([self.referee.of(name, number) for number in numbers])
            np.testing.assert_array_equal(getattr(found, name).numpy(), expected, err_msg=name)


def record(buffer: ReplayBuffer, step: Step) -> None:
    actions, behavior = torch.from_numpy(step["actions"]), torch.from_numpy(step["behavior"])
    buffer.record(actions, behavior, step["rewards"], step["dones"])


def uniform(draws: list[float]) -> Tensor:
    return torch.tensor(draws, dtype=torch.float64)


HAPPENINGS = "go on", "go on", "go on", "go on", "rank", "walk", "ask"
draws_of_a_batch = st.lists(st.floats(0, 1, exclude_max=True, width=32), min_size=1, max_size=6)


@settings(max_examples=200)
@given(
    st.data(),
    st.integers(2, 5),
    st.integers(1, 3),
    st.sampled_from([0.0, 0.7, 2.0]),
    st.integers(0, 2**32),
)
def test_as_the_referee_has_it(data: st.DataObject, steps_kept: int, worlds: int, exponent: float, seed: int) -> None:
    """Whatever happens in which order, every sample is the one that its draws ask for."""
    pair, rng = Pair(steps_kept, worlds, exponent), np.random.default_rng(seed)
    is_open = False  # whether the newest time step was observed, and not yet recorded
    for happening in data.draw(st.lists(st.sampled_from(HAPPENINGS), min_size=20, max_size=60)):
        able = pair.referee.transitions()
        if happening == "go on":
            if is_open:
                pair.record()
            else:
                pair.observe(rng)
            is_open = not is_open
        elif happening == "rank" and able:
            numbers = data.draw(st.lists(st.sampled_from(able), min_size=1, max_size=4, unique=True))
            errors = data.draw(st.lists(st.sampled_from(ERRORS), min_size=len(numbers), max_size=len(numbers)))
            pair.set_priorities(numbers, errors)
        elif happening == "walk" and able:
            # By rank, the newest time step must be open, as it is when the learner samples.
            if is_open or not exponent:
                pair.check_transitions(data.draw(draws_of_a_batch))
        elif happening == "ask" and any(pair.referee.of("answers", number) for number in pair.referee.kept()):
            pair.check_questions(data.draw(draws_of_a_batch))


def filled_pair(steps: int = 25, exponent: float = 0.7) -> Pair:
    """Twenty time steps of three worlds, with many different priorities, and the newest one open."""
    pair, rng = Pair(20, 3, exponent), np.random.default_rng(1)
    for _ in range(steps - 1):
        pair.add(rng)
    pair.observe(rng)
    numbers = rng.permutation(pair.referee.transitions())[:40].tolist()
    pair.set_priorities(numbers, rng.standard_normal(len(numbers)).astype(np.float32).tolist())
    return pair


def evenly(count: int) -> list[float]:
    """Draws at the centers of equal parts."""
    return [(part + 0.5) / count for part in range(count)]


@pytest.fixture(params=[2, 3, 19, 20, 21, 22, 40, 59])
def wrapped(request: pytest.FixtureRequest) -> Pair:
    """So many time steps that the newest one is anywhere, also at the end and at the start of the memory."""
    return filled_pair(request.param, exponent=0.0)


class TestTransitions:
    def test_each_comes_once_in_a_batch_of_all(self, wrapped: Pair) -> None:
        able = wrapped.referee.transitions()
        found = wrapped.buffer.sample_transitions(uniform(evenly(len(able))))
        assert found.tolist() == [wrapped.referee.place(number) for number in able]

    def test_the_newest_time_step_is_none_and_follows_the_one_before(self, wrapped: Pair) -> None:
        able = wrapped.referee.transitions()
        assert len(able) == 3 * (min(len(wrapped.referee.steps), 20) - 1)
        wrapped.check_transitions(evenly(len(able)))
        found, newest = wrapped.buffer.sample_transitions(uniform(evenly(len(able)))), wrapped.buffer.newest
        assert not set(found.tolist()) & set(range(newest.start, newest.stop))
        tiles, _ = wrapped.buffer.successors(found[-3:])
        np.testing.assert_array_equal(tiles.numpy(), wrapped.referee.steps[-1]["tiles"])

    @pytest.mark.parametrize("exponent", [0.3, 0.7, 1.0])
    def test_are_as_likely_as_their_rank_says(self, exponent: float) -> None:
        pair, count = filled_pair(exponent=exponent), 50_000
        places = pair.buffer.sample_transitions(uniform([0.5] * count)).tolist()
        ranked = [pair.referee.place(number) for number in pair.referee.ranked()]
        weights = np.arange(1, len(ranked) + 1) ** -exponent
        shares = [places.count(place) / count for place in ranked]
        np.testing.assert_allclose(shares, weights / weights.sum(), atol=2 / count)

    def test_those_of_equal_priority_come_in_the_order_of_their_places(self) -> None:
        pair, rng = Pair(6, 2, 1.0), np.random.default_rng(2)
        for _ in range(8):
            pair.add(rng)
        pair.observe(rng)
        able = pair.referee.transitions()
        pair.set_priorities(able, [0.5, -0.5] * 5)
        pair.check_transitions([0.0] * 200)
        assert [pair.referee.place(number) for number in pair.referee.ranked()] == sorted(map(pair.referee.place, able))

    def test_new_ones_come_with_the_highest_priority_so_far(self) -> None:
        pair, rng = filled_pair(), np.random.default_rng(6)
        pair.record()
        first = pair.referee.transitions()[3]
        pair.set_priorities([first, first + 1], [-7.0, 0.1])
        pair.set_priorities([first], [0.2])  # the highest so far, though no longer of anything that is kept
        pair.set_priorities([first + 4], [6.9])
        pair.add(rng)
        pair.observe(rng)
        newest = pair.referee.transitions()[-3:]
        assert pair.referee.ranked()[:4] == [*newest, first + 4]
        assert pair.buffer.arrays()["priorities"].max() == 7
        pair.check_transitions(evenly(60))

    def test_a_time_step_that_is_open_has_no_rank_of_the_one_that_it_replaced(self) -> None:
        pair = filled_pair()
        newest = pair.buffer.newest
        assert (pair.buffer.priorities[newest] < 0).all()
        places = pair.buffer.sample_transitions(uniform(evenly(500))).tolist()
        assert not set(places) & set(range(newest.start, newest.stop))

    @pytest.mark.parametrize("exponent", [0.0, 0.7])
    def test_a_draw_just_below_1_is_the_last_one(self, exponent: float) -> None:
        pair = filled_pair(exponent=exponent)
        last = (pair.referee.ranked() if exponent else pair.referee.transitions())[-1]
        draw = torch.tensor([np.nextafter(np.float32(1), np.float32(0))])
        assert pair.buffer.sample_transitions(draw).item() == pair.referee.place(last)

    def test_a_sample_is_not_changed_by_what_comes_later(self) -> None:
        pair, rng = filled_pair(), np.random.default_rng(7)
        numbers = pair.referee.sample_transitions(evenly(16))
        found = pair.buffer.transitions(pair.buffer.sample_transitions(uniform(evenly(16))))
        for _ in range(20):
            pair.buffer.observe(*(random_step(3, rng)[name] for name in SEEN))
            record(pair.buffer, random_step(3, rng))
        pair.check_rows(found, numbers, ("tiles", "commands", *DONE))


class TestQuestions:
    def test_each_comes_once_in_a_batch_of_all(self, wrapped: Pair) -> None:
        asked = [number for number in wrapped.referee.kept() if wrapped.referee.of("answers", number)]
        found = wrapped.buffer.sample_questions(uniform(evenly(len(asked))))
        assert sorted(found.answers.tolist()) == sorted(wrapped.referee.of("answers", number) for number in asked)
        wrapped.check_questions(evenly(len(asked)))

    def test_the_newest_is_among_them_before_it_is_recorded(self) -> None:
        pair, rng = Pair(4, 1), np.random.default_rng(10)
        pair.add(rng, asked=0.0)
        pair.observe(rng, asked=1.0)
        pair.check_questions([0.0, 0.999])
        assert pair.referee.sample_questions([0.0, 0.999]) == [1, 1]

    def test_one_that_was_replaced_is_asked_no_more(self) -> None:
        pair, rng = Pair(3, 2), np.random.default_rng(11)
        pair.add(rng, asked=1.0)
        for _ in range(2):
            pair.add(rng, asked=0.0)
        pair.check_questions([0.1, 0.9])
        pair.add(rng, asked=0.0)
        assert not pair.buffer.sample_questions(uniform([0.0, 0.5, 0.99])).answers.any()

    @pytest.mark.parametrize("steps", [0, 1, 7])
    def test_where_nothing_was_asked_the_answer_is_0(self, steps: int) -> None:
        pair, rng = Pair(4, 2), np.random.default_rng(12)
        for _ in range(steps):
            pair.add(rng, asked=0.0)
        assert pair.buffer.sample_questions(uniform([0.0, 0.5, 0.99])).answers.tolist() == [0, 0, 0]


def live_on(buffer: ReplayBuffer, steps: int, seed: int) -> list[Tensor]:
    """What is drawn while time goes on."""
    rng, drawn = np.random.default_rng(seed), list[Tensor]()
    for number in range(steps):
        step = random_step(3, rng)
        buffer.observe(*(step[name] for name in SEEN))
        if number:
            places = buffer.sample_transitions(torch.from_numpy(rng.random(16)))
            batch = buffer.transitions(places)
            buffer.set_priorities(places, torch.from_numpy(rng.standard_normal(16).astype(np.float32)))
            asked = buffer.sample_questions(torch.from_numpy(rng.random(16)))
            drawn += [places, *vars(batch).values(), *vars(asked).values()]
        record(buffer, step)
    return drawn


def new_buffer(steps: int = 20) -> ReplayBuffer:
    return ReplayBuffer(3 * steps, 3, CPU, 0.7)


class TestState:
    @pytest.mark.parametrize("steps", [0, 5, 19, 20, 33])
    def test_a_restored_buffer_goes_on_as_it_would_have(self, tmp_path: Path, steps: int) -> None:
        buffer, resumed = new_buffer(), new_buffer()
        live_on(buffer, steps, seed=11)
        live_on(resumed, 37, seed=12)  # of which nothing may remain
        save_state(tmp_path / "state", {}, buffer.arrays(), {})
        resumed.restore(load_state(tmp_path / "state")[1])
        for one, other in zip(live_on(buffer, 30, seed=13), live_on(resumed, 30, seed=13), strict=True):
            assert torch.equal(one, other)

    def test_one_of_several_in_a_stack_is_restored_as_it_was(self) -> None:
        buffer, resumed = filled_pair().buffer, new_buffer()
        stack = {name: np.stack([array, array]) for name, array in buffer.arrays().items()}
        resumed.restore({name: arrays[1] for name, arrays in stack.items()})
        assert all(np.array_equal(array, buffer.arrays()[name]) for name, array in resumed.arrays().items())

    def test_is_a_copy_on_both_ways(self) -> None:
        buffer, resumed = filled_pair().buffer, new_buffer()
        saved = buffer.arrays()
        before = {name: array.copy() for name, array in saved.items()}
        resumed.restore(saved)
        live_on(buffer, 25, seed=14)
        live_on(resumed, 25, seed=15)
        assert all(np.array_equal(saved[name], before[name]) for name in before)

    @pytest.mark.parametrize(
        ("changes", "complaint"),
        [
            ({"tiles": np.zeros((60, 13, 12), np.int16)}, r"tiles of int16 and shape \(60, 13, 12\): expected int16"),
            ({"dones": np.zeros(60, np.bool_)}, r"dones of bool and shape \(60,\): expected float32"),
            ({"rewards": np.zeros(60)}, "rewards of float64"),
            ({"observed": np.zeros(1, np.int64)}, r"observed of int64 and shape \(1,\): expected int64 and shape \(\)"),
            ({"more": np.zeros(60)}, "more: expected tiles, commands"),
        ],
        ids=lambda value: ",".join(value) if isinstance(value, dict) else "",
    )
    def test_another_state_is_refused_and_changes_nothing(
        self, changes: dict[str, NDArray[Any]], complaint: str
    ) -> None:
        buffer = filled_pair().buffer
        before = buffer.arrays()
        with pytest.raises(CheckpointError, match=complaint):
            buffer.restore(new_buffer().arrays() | changes)
        assert all(np.array_equal(array, before[name]) for name, array in buffer.arrays().items())

    def test_that_of_a_buffer_of_another_size_is_refused(self) -> None:
        with pytest.raises(CheckpointError, match=r"shape \(63, 13, 13\): expected int16 and shape \(60, 13, 13\)"):
            new_buffer(20).restore(new_buffer(21).arrays())


@pytest.mark.parametrize(("capacity", "worlds"), [(10, 3), (0, 3), (3, 3), (3, 0), (-6, 3)])
def test_a_capacity_that_cannot_be_shared_out_is_refused(capacity: int, worlds: int) -> None:
    with pytest.raises(SettingsError, match=f"capacity={capacity}: expected a multiple of {worlds} environments"):
        ReplayBuffer(capacity, worlds, CPU)


class NothingIsRead(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Refuses to read a number off the device, which would end the recording of a CUDA graph."""

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        assert func is not torch.ops.aten._local_scalar_dense.default, "a number is read off the device"
        return func(*args, **(kwargs or {}))


@pytest.mark.parametrize("exponent", [0.0, 0.7])
def test_sampling_can_be_recorded_as_a_cuda_graph(exponent: float) -> None:
    buffer, rng = ReplayBuffer(8, 2, CPU, exponent), np.random.default_rng(0)
    for number in range(3):
        step = random_step(2, rng)
        buffer.observe(*(step[name] for name in SEEN))
        if number < 2:
            actions, behavior = (torch.from_numpy(step[name]) for name in ("actions", "behavior"))
            buffer.record(actions, behavior, step["rewards"], step["dones"])
    draws = torch.rand(4)
    with NothingIsRead():  # type: ignore[no-untyped-call]
        places, _ = buffer.sample_transitions(draws), buffer.sample_questions(draws)
        buffer.transitions(places), buffer.successors(places)
        buffer.set_priorities(places, draws)

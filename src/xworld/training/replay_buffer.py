"""Experience replay: the most recent time steps of all worlds, and the two ways in which learning draws from them."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from xworld.teacher.settings import SettingsError
from xworld.teacher.vocabulary import PADDING, SENTENCE_LENGTH
from xworld.world.cells import VIEW

_FIRST_PRIORITY = 1.0
"""The priority of what is added before any error is known: the size of the greatest reward."""
_PLACE_BITS = 32


class NothingToReplay(ValueError):
    """A sample was asked for before anything was kept that could be in it."""


@dataclass(frozen=True)
class Experiences:
    """What was shown, what was done, and what came of it, as arrays of (experiences, ...)."""

    tiles: NDArray[np.int16]
    commands: NDArray[np.int16]
    questions: NDArray[np.int16]
    answers: NDArray[np.int64]
    """0 where nothing was asked."""
    actions: NDArray[np.int64]
    rewards: NDArray[np.float32]
    ends: NDArray[np.bool_]
    """Whether the action was the last of its session."""

    def pick(self, which: NDArray[np.int64]) -> "Experiences":
        """Some of the experiences, in memory of their own."""
        return Experiences(*(array[which] for array in self.by_name().values()))

    def by_name(self) -> dict[str, NDArray[Any]]:
        """The arrays themselves, not copies."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


@dataclass(frozen=True)
class Transitions:
    """Experiences, and what the same worlds showed one time step later."""

    numbers: NDArray[np.int64]
    """What `set_priorities` knows these experiences by."""
    now: Experiences
    next_tiles: NDArray[np.int16]
    next_commands: NDArray[np.int16]
    """Where the session ended nothing follows: `now` is repeated there, and is not to be learned from."""


class ReplayBuffer:
    """The most recent time steps of worlds that step side by side, in memory that is allocated once.

    Experiences are numbered in the order in which they came, those of one time step by world. A number is never used
    again, so that errors which arrive late cannot be taken for those of a newer experience.

    A sample for which nothing is kept yet is refused with `NothingToReplay`.

    >>> replay = ReplayBuffer(capacity=6, worlds=2)
    >>> sentences, numbers = np.ones((2, 12), np.int16), np.array([0, 3])
    >>> for reward in (0.5, 1.0):
    ...     rewards, ends = np.full(2, reward, np.float32), np.array([False, False])
    ...     replay.add(np.zeros((2, 13, 13), np.int16), sentences, sentences, numbers, numbers, rewards, ends)
    >>> len(replay)
    4
    >>> rng = np.random.default_rng(0)
    >>> replay.sample_questions(2, rng).answers
    array([3, 3])
    >>> batch = replay.sample_transitions(3, rng)
    >>> batch.now.rewards, batch.next_tiles.shape
    (array([0.5, 0.5, 0.5], dtype=float32), (3, 13, 13))
    >>> replay.set_priorities(batch.numbers, errors=[0.2, -0.7, 0.1])
    """

    # Unstated in the paper: the exponent, which is what Schaul et al. (2015) found best for ranks.
    def __init__(self, capacity: int, worlds: int, exponent: float = 0.7) -> None:
        if worlds < 1 or capacity < worlds or capacity % worlds:
            raise SettingsError(f"capacity={capacity}: expected a multiple of the number of worlds, {worlds}")
        if not 0 <= exponent < np.inf:
            raise SettingsError(f"exponent={exponent}: expected a number from 0 on")
        self._capacity, self._worlds = capacity, worlds
        self._kept = _blank(capacity)
        self._priorities = np.zeros(capacity, np.float32)
        self._highest = _FIRST_PRIORITY
        self._added = 0
        # (capacity,) How likely the first ranks are together; relative to the last rank in use, which varies.
        self._cumulated = np.cumsum(np.arange(1, capacity + 1) ** -float(exponent))

    def __len__(self) -> int:
        """How many experiences there are to draw from."""
        return min(self._added, self._capacity)

    def add(
        self,
        tiles: NDArray[np.int16],
        commands: NDArray[np.int16],
        questions: NDArray[np.int16],
        answers: NDArray[np.int64],
        actions: NDArray[np.int64],
        rewards: NDArray[np.float32],
        ends: NDArray[np.bool_],
    ) -> None:
        """Keep one time step of every world, in the place of the oldest once the memory is full.

        It gets the highest priority so far, for it is likely then to be drawn once, and its error to become known.
        """
        step = Experiences(tiles, commands, questions, answers, actions, rewards, ends).by_name()
        place = self._place_of_step(self._added)
        places = {name: array[place] for name, array in self._kept.by_name().items()}
        _refuse_misfits(step, places)
        for name, array in step.items():
            places[name][:] = array
        self._priorities[place] = self._highest
        self._added += self._worlds

    @property
    def has_questions(self) -> bool:
        """Whether any experience is kept in which something was asked."""
        return bool((self._kept.answers != PADDING).any())

    def sample_questions(self, count: int, rng: np.random.Generator) -> Experiences:
        """Experiences with a question, all equally likely; none comes twice unless there are fewer than asked for."""
        asked = np.flatnonzero(self._kept.answers != PADDING)
        if not len(asked):
            raise NothingToReplay("no question to replay yet: add a time step with an answer other than 0 first")
        return self._kept.pick(rng.choice(asked, count, replace=len(asked) < count))

    def sample_transitions(self, count: int, rng: np.random.Generator) -> Transitions:
        """Experiences with a successor, or that ended their session; likely by the rank of their priority."""
        # Unstated in the paper: no importance weights correct for what is drawn more often. Its gradient has none.
        ranked = self._rank_transitions()
        if not len(ranked):
            raise NothingToReplay("no transition to replay yet: add a second time step, or one that ends a session")
        numbers = self._oldest + ranked[self._draw_ranks(len(ranked), count, rng)]
        now = self._kept.pick(numbers % self._capacity)
        after = np.where(now.ends, numbers, numbers + self._worlds) % self._capacity
        return Transitions(numbers, now, self._kept.tiles[after], self._kept.commands[after])

    def set_priorities(self, numbers: NDArray[np.int64], errors: ArrayLike) -> None:
        """Rank experiences by the size of these errors from now on. Those that are no longer kept are passed over."""
        priorities = np.abs(np.asarray(errors)).astype(np.float32)
        if numbers.shape != priorities.shape:
            raise ValueError(f"errors of shape {priorities.shape}: expected one for each experience, {numbers.shape}")
        if not np.isfinite(priorities).all():
            raise ValueError("errors with NaNs or infinities cannot be ranked; training has gone astray")
        if len(unknown := numbers[(numbers < 0) | (numbers >= self._added)]):
            raise ValueError(f"no experience {unknown[0]}: {self._added} were added, and they count from 0")
        kept = numbers >= self._oldest
        self._priorities[numbers[kept] % self._capacity] = priorities[kept]
        self._highest = float(priorities.max(initial=self._highest))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """A copy of the whole state, for a checkpoint."""
        return {name: array.copy() for name, array in self._state().items()}

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Go on from the state that `arrays` gave, of a replay with as many worlds and as much room."""
        state = self._state()
        _refuse_misfits(arrays, state)
        added, highest, priorities = int(arrays["added"]), float(arrays["highest"]), arrays["priorities"]
        if added < 0 or added % self._worlds:
            raise ValueError(f"added is {added}: expected a multiple of the number of worlds, {self._worlds}")
        if np.signbit(priorities).any() or not priorities.max() <= highest < np.inf:
            raise ValueError("priorities are not what `arrays` gave: expected finite numbers from 0 to the highest")
        for name, array in state.items():
            array[...] = arrays[name]
        self._added, self._highest = added, highest

    def _state(self) -> dict[str, NDArray[Any]]:
        return self._kept.by_name() | {
            "priorities": self._priorities,
            "highest": np.array(self._highest, np.float32),
            "added": np.array(self._added, np.int64),
        }

    @property
    def _oldest(self) -> int:
        """The number of the oldest experience that is kept."""
        return self._added - len(self)

    def _place_of_step(self, first: int) -> slice:
        """Where a time step is kept; `first` is the number of its experience in the first world."""
        start = first % self._capacity
        return slice(start, start + self._worlds)

    def _rank_transitions(self) -> NDArray[np.int64]:
        """All transitions, the highest priority first, the older of equals first; each as its place by age."""
        # Floats from 0 on are ordered like their bits, so that one integer holds a priority and, below it, a place.
        # No two are equal, and to sort them takes a tenth of the time of a stable argsort of priorities: so little
        # that the ranks are exact for every batch, where Schaul et al. (2015) sort once in a while.
        oldest = self._oldest % self._capacity
        by_age = np.concatenate([self._priorities[oldest:], self._priorities[:oldest]])[: len(self)]
        keys = np.arange(len(self)) - (by_age.view(np.int32).astype(np.int64) << _PLACE_BITS)
        followed, newest = keys[: -self._worlds], keys[-self._worlds :]
        ranked: NDArray[np.int64] = np.sort(np.concatenate([followed, newest[self._newest_ends()]]))
        return ranked & ((1 << _PLACE_BITS) - 1)

    def _newest_ends(self) -> NDArray[np.bool_]:
        """Which worlds ended a session at the newest time step, and need no successor."""
        ends = self._kept.ends[self._place_of_step(self._added - self._worlds)]
        return ends[: len(self)]  # none before the first time step

    def _draw_ranks(self, ranks: int, count: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Ranks, counted from 0: one from each of `count` segments that are equally likely."""
        heights = (np.arange(count) + rng.random(count)) * (self._cumulated[ranks - 1] / count)
        drawn: NDArray[np.int64] = np.searchsorted(self._cumulated, heights, side="right")
        return drawn.clip(max=ranks - 1)  # a height just below the whole may have been rounded up to it


def _blank(count: int) -> Experiences:
    return Experiences(
        tiles=np.zeros((count, VIEW, VIEW), np.int16),
        commands=np.zeros((count, SENTENCE_LENGTH), np.int16),
        questions=np.zeros((count, SENTENCE_LENGTH), np.int16),
        answers=np.zeros(count, np.int64),
        actions=np.zeros(count, np.int64),
        rewards=np.zeros(count, np.float32),
        ends=np.zeros(count, np.bool_),
    )


def _refuse_misfits(arrays: Mapping[str, NDArray[Any]], expected: Mapping[str, NDArray[Any]]) -> None:
    """Refuse arrays of other names, shapes or types: nothing is broadcast, wrapped or rounded."""
    if arrays.keys() != expected.keys():
        raise ValueError(f"arrays named {', '.join(arrays) or 'nothing'}: expected {', '.join(expected)}")
    for name, array in arrays.items():
        right = expected[name]
        if (array.shape, array.dtype) != (right.shape, right.dtype):
            raise ValueError(
                f"{name} of {array.dtype} and shape {array.shape}: expected {right.dtype} and shape {right.shape}"
            )

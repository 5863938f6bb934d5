"""The replay buffer: the most recent steps of all environments, and the two ways to sample them."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from xworld.teacher.vocabulary import PADDING, SENTENCE_LENGTH
from xworld.training.checkpoint import check_arrays
from xworld.world.cells import VIEW
from xworld.world.checks import SettingsError

_INDEX_BITS = 32


class NothingToReplay(ValueError):
    """The buffer holds nothing yet that could be sampled."""


class Experiences(NamedTuple):
    """Observations, actions and their consequences, as arrays of (experiences, ...)."""

    tiles: NDArray[np.int16]
    commands: NDArray[np.int16]
    questions: NDArray[np.int16]
    answers: NDArray[np.int64]
    """0 where nothing was asked."""
    actions: NDArray[np.int64]
    rewards: NDArray[np.float32]
    dones: NDArray[np.bool_]
    """Whether the action ended its session."""

    def pick(self, which: NDArray[np.int64] | slice) -> "Experiences":
        """Some of the experiences: a copy, or a view if they are a slice."""
        return Experiences(**{name: array[which] for name, array in self._asdict().items()})


class Transitions(NamedTuple):
    """Experiences, and what the same environments showed one step later."""

    numbers: NDArray[np.int64]
    """The numbers by which `set_priorities` knows these experiences."""
    now: Experiences
    next_tiles: NDArray[np.int16]
    next_commands: NDArray[np.int16]
    """Where the session ended nothing follows: there these repeat `now`, and must not be used."""


class ReplayBuffer:
    """The most recent steps of environments that step together, in memory that is allocated once.

    Experiences are numbered in order of arrival, those of one time step by environment. A number is never reused, so
    that a late TD error cannot be taken for that of a newer experience.

    Sampling raises `NothingToReplay` while there is nothing to sample.

    >>> replay = ReplayBuffer(capacity=6, num_envs=2)
    >>> sentences, numbers = np.ones((2, 12), np.int16), np.array([0, 3])
    >>> for reward in (0.5, 1.0):
    ...     tiles, rewards, dones = np.zeros((2, 13, 13), np.int16), np.full(2, reward, np.float32), numbers > 9
    ...     replay.add(Experiences(tiles, sentences, sentences, numbers, numbers, rewards, dones))
    >>> batch = replay.sample_transitions(3, np.random.default_rng(0))
    >>> batch.now.rewards, batch.next_tiles.shape
    (array([0.5, 0.5, 0.5], dtype=float32), (3, 13, 13))
    >>> replay.set_priorities(batch.numbers, errors=[0.2, -0.7, 0.1])
    """

    # Unstated in the paper: the exponent, which is what Schaul et al. (2015) found best for ranks.
    def __init__(self, capacity: int, num_envs: int, exponent: float = 0.7) -> None:
        if num_envs < 1 or capacity < num_envs or capacity % num_envs:
            raise SettingsError(f"capacity={capacity}: expected a multiple of the number of environments, {num_envs}")
        if not 0 <= exponent < np.inf:
            raise SettingsError(f"exponent={exponent}: expected a number of at least 0")
        self._capacity, self._num_envs = capacity, num_envs
        self._kept = Experiences(
            tiles=np.zeros((capacity, VIEW, VIEW), np.int16),
            commands=np.zeros((capacity, SENTENCE_LENGTH), np.int16),
            questions=np.zeros((capacity, SENTENCE_LENGTH), np.int16),
            answers=np.zeros(capacity, np.int64),
            actions=np.zeros(capacity, np.int64),
            rewards=np.zeros(capacity, np.float32),
            dones=np.zeros(capacity, np.bool_),
        )
        self._priorities = np.zeros(capacity, np.float32)
        self._highest = 1.0  # before any TD error is known: the size of the greatest reward
        self._added = 0
        # (capacity,) Cumulative probability of the ranks, up to a factor: the number of ranks in use varies.
        self._cumulated = np.cumsum(np.arange(1, capacity + 1) ** -float(exponent))

    def __len__(self) -> int:
        """The number of experiences in the buffer."""
        return min(self._added, self._capacity)

    def add(self, step: Experiences) -> None:
        """Add one time step of every environment; when the buffer is full, it replaces the oldest.

        New experiences get the highest priority so far: they are then likely to be sampled, and their error known.
        """
        place = self._place_of_step(self._added)
        kept, new = self._kept.pick(place)._asdict(), step._asdict()
        check_arrays(new, kept)
        for name, array in new.items():
            kept[name][:] = array
        self._priorities[place] = self._highest
        self._added += self._num_envs

    @property
    def has_questions(self) -> bool:
        """Whether any experience has a question."""
        return bool((self._kept.answers != PADDING).any())

    def sample_questions(self, count: int, rng: np.random.Generator) -> Experiences:
        """Experiences with a question, uniformly; without repetition unless there are fewer than `count`."""
        asked = np.flatnonzero(self._kept.answers != PADDING)
        if not len(asked):
            raise NothingToReplay("no question to replay yet: add a time step with an answer other than 0 first")
        return self._kept.pick(rng.choice(asked, count, replace=len(asked) < count))

    def sample_transitions(self, count: int, rng: np.random.Generator) -> Transitions:
        """Experiences that have a successor or ended their session, with probability by the rank of their priority."""
        # Unstated in the paper: no importance weights correct for the sampling. The printed gradient has none.
        ranked = self._rank_transitions()
        if not len(ranked):
            raise NothingToReplay("no transition to replay yet: add a second time step, or one that ends a session")
        numbers = self._oldest + ranked[self._draw_ranks(len(ranked), count, rng)]
        now = self._kept.pick(numbers % self._capacity)
        after = np.where(now.dones, numbers, numbers + self._num_envs) % self._capacity
        return Transitions(numbers, now, self._kept.tiles[after], self._kept.commands[after])

    def set_priorities(self, numbers: NDArray[np.int64], errors: ArrayLike) -> None:
        """Rank experiences by the size of their TD errors. Those that are no longer in the buffer are skipped."""
        priorities = np.abs(np.asarray(errors)).astype(np.float32)
        if numbers.shape != priorities.shape:
            raise ValueError(f"errors of shape {priorities.shape}: expected one for each experience, {numbers.shape}")
        if not np.isfinite(priorities).all():
            raise ValueError("errors with NaNs or infinities cannot be ranked; training has diverged")
        if len(unknown := numbers[(numbers < 0) | (numbers >= self._added)]):
            raise ValueError(f"no experience {unknown[0]}: {self._added} were added, and they count from 0")
        kept = numbers >= self._oldest
        self._priorities[numbers[kept] % self._capacity] = priorities[kept]
        self._highest = float(priorities.max(initial=self._highest))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """A copy of the whole state, for a checkpoint."""
        return {name: array.copy() for name, array in self._state().items()}

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Continue from the `arrays` of a buffer with the same capacity and number of environments."""
        state = self._state()
        check_arrays(arrays, state)
        added, highest, priorities = int(arrays["added"]), float(arrays["highest"]), arrays["priorities"]
        if added < 0 or added % self._num_envs:
            raise ValueError(f"added is {added}: expected a multiple of the number of environments, {self._num_envs}")
        if np.signbit(priorities).any() or not priorities.max() <= highest < np.inf:
            raise ValueError("priorities are not what `arrays` gave: expected finite numbers from 0 to the highest")
        for name, array in state.items():
            array[...] = arrays[name]
        self._added, self._highest = added, highest

    def _state(self) -> dict[str, NDArray[Any]]:
        return self._kept._asdict() | {
            "priorities": self._priorities,
            "highest": np.array(self._highest, np.float32),
            "added": np.array(self._added, np.int64),
        }

    @property
    def _oldest(self) -> int:
        """The number of the oldest experience in the buffer."""
        return self._added - len(self)

    def _place_of_step(self, first: int) -> slice:
        """The place of a time step; `first` is the number of its experience in the first environment."""
        start = first % self._capacity
        return slice(start, start + self._num_envs)

    def _rank_transitions(self) -> NDArray[np.int64]:
        """All transitions by priority, highest first and the older of equals first; each as its index by age."""
        # Non-negative floats are ordered like their bits, so one integer can hold a priority and, below it, an index.
        # Sorting these distinct integers takes a tenth of the time of a stable argsort of the priorities: the ranks
        # can be exact for every batch, where Schaul et al. (2015) sort only now and then.
        oldest = self._oldest % self._capacity
        by_age = np.concatenate([self._priorities[oldest:], self._priorities[:oldest]])[: len(self)]
        keys = np.arange(len(self)) - (by_age.view(np.int32).astype(np.int64) << _INDEX_BITS)
        followed, newest = keys[: -self._num_envs], keys[-self._num_envs :]
        dones = self._kept.dones[self._place_of_step(self._added - self._num_envs)][: len(newest)]
        ranked: NDArray[np.int64] = np.sort(
            np.concatenate([followed, newest[dones]])
        )  # an ended one needs no successor
        return ranked & ((1 << _INDEX_BITS) - 1)

    def _draw_ranks(self, ranks: int, count: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Ranks, counted from 0: one from each of `count` equally likely segments."""
        heights = (np.arange(count) + rng.random(count)) * (self._cumulated[ranks - 1] / count)
        drawn: NDArray[np.int64] = np.searchsorted(self._cumulated, heights, side="right")
        return drawn.clip(max=ranks - 1)  # rounding can push a height up to the total

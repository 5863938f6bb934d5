"""The replay buffer: the most recent steps of all environments, on the device, and the two ways to sample them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from xworld.teacher.vocabulary import PADDING, SENTENCE_LENGTH
from xworld.training.checkpoint import check_arrays
from xworld.world.cells import VIEW
from xworld.world.checks import SettingsError

_NOT_RANKED = -1.0


@dataclass(frozen=True)
class Transitions:
    """Steps of environments, and what came of them."""

    tiles: Tensor
    commands: Tensor
    actions: Tensor
    behavior: Tensor
    """The probability with which each action was taken."""
    rewards: Tensor
    dones: Tensor
    """1 where the action ended its session, else 0."""


@dataclass(frozen=True)
class Questions:
    """Questions, the scenes that they are about, and their answers."""

    tiles: Tensor
    questions: Tensor
    answers: Tensor
    """0 where nothing was asked, which happens only while the buffer has no question."""


class ReplayBuffer:
    """The most recent steps of environments that step together, in memory that is allocated once.

    A time step is added in two parts: `observe` what the environments show, then `record` what came of it. Sample while
    the newest one is open: it is the successor of the one before, and the others are transitions.

    Samples follow from uniform draws that the caller brings, and nothing depends on the number of steps in the buffer
    but numbers on the device, so that sampling can be part of a CUDA graph.

    >>> buffer = ReplayBuffer(capacity=6, num_envs=2, device=torch.device("cpu"))
    >>> tiles, sentences = np.zeros((2, 13, 13), np.int16), np.ones((2, 12), np.int16)
    >>> shown = tiles, sentences, sentences, np.array([0, 3])  # no question in the first world
    >>> for reward in (0.5, 1.0):
    ...     buffer.observe(*shown)
    ...     buffer.record(torch.tensor([0, 3]), torch.full((2,), 0.25), np.full(2, reward), np.zeros(2, bool))
    >>> buffer.observe(*shown)
    >>> places = buffer.sample_transitions(torch.tensor([0.1, 0.4, 0.6, 0.9]))
    >>> buffer.transitions(places).rewards
    tensor([0.5000, 0.5000, 1.0000, 1.0000])
    >>> buffer.sample_questions(torch.tensor([0.1, 0.9])).answers
    tensor([3, 3])
    """

    def __init__(self, capacity: int, num_envs: int, device: torch.device, priority_exponent: float = 0.0) -> None:
        """With an exponent above 0, steps are sampled by rank: with rank r in proportion to 1 / r ** exponent."""
        if num_envs < 1 or capacity < 2 * num_envs or capacity % num_envs:
            raise SettingsError(f"capacity={capacity}: expected a multiple of {num_envs} environments, at least twice")
        self._capacity, self._num_envs, self._device = capacity, num_envs, device

        def zeros(dtype: torch.dtype, *shape: int) -> Tensor:
            return torch.zeros((capacity, *shape), dtype=dtype, device=device)

        self.tiles = zeros(torch.int16, VIEW, VIEW)
        self.commands, self.questions = zeros(torch.int16, SENTENCE_LENGTH), zeros(torch.int16, SENTENCE_LENGTH)
        self.answers, self.actions = zeros(torch.int64), zeros(torch.int64)
        self.behavior, self.rewards, self.dones = zeros(torch.float32), zeros(torch.float32), zeros(torch.float32)
        self.priorities = torch.full((capacity,), _NOT_RANKED, device=device)
        self.highest = torch.ones((), device=device)  # before any TD error is known: the size of the greatest reward
        self._observed = 0  # time steps so far
        self._oldest, self._complete = torch.zeros((2,), dtype=torch.int64, device=device)
        self._ranked = priority_exponent > 0
        # (capacity,) Cumulative probability of the ranks, up to a factor: the number of ranks in use varies.
        ranks = torch.arange(1, capacity + 1, device=device, dtype=torch.float64)
        self._cumulated = ranks.pow(-priority_exponent).cumsum(dim=0)

    def observe(
        self, tiles: NDArray[Any], commands: NDArray[Any], questions: NDArray[Any], answers: NDArray[Any]
    ) -> None:
        """Begin a time step with what every environment shows; when the buffer is full, it replaces the oldest."""
        self._observed += 1
        place = self.newest
        self.tiles[place] = torch.from_numpy(tiles)
        self.commands[place] = torch.from_numpy(commands)
        self.questions[place] = torch.from_numpy(questions)
        self.answers[place] = torch.from_numpy(answers)
        self.priorities[place] = _NOT_RANKED
        self._count()

    def record(self, actions: Tensor, behavior: Tensor, rewards: NDArray[Any], dones: NDArray[np.bool_]) -> None:
        """Complete the newest time step. It gets the highest priority so far, so that its error will soon be known."""
        place = self.newest
        self.actions[place], self.behavior[place] = actions, behavior
        self.rewards[place], self.dones[place] = torch.from_numpy(rewards), torch.from_numpy(dones)
        self.priorities[place] = self.highest

    @property
    def steps(self) -> int:
        """Time steps so far."""
        return self._observed

    @property
    def newest(self) -> slice:
        """The place of the newest time step."""
        start = (self._observed - 1) * self._num_envs % self._capacity
        return slice(start, start + self._num_envs)

    def sample_transitions(self, draws: Tensor) -> Tensor:
        """The place of a transition for each uniform draw: any equally likely, or by the rank of its priority.

        Places are valid until the next time step is added.
        """
        # Unstated in the paper: no importance weights correct for the sampling by rank. The printed gradient has none.
        return self._draw_by_rank(draws) if self._ranked else self._draw_by_age(draws)

    def transitions(self, places: Tensor) -> Transitions:
        """The transitions in some places."""
        return Transitions(
            tiles=self.tiles[places],
            commands=self.commands[places],
            actions=self.actions[places],
            behavior=self.behavior[places],
            rewards=self.rewards[places],
            dones=self.dones[places],
        )

    def successors(self, places: Tensor) -> tuple[Tensor, Tensor]:
        """The tiles and commands that the same environments showed one step later.

        Where a session ended, these are of the next session, and must not be used.
        """
        after = (places + self._num_envs) % self._capacity
        return self.tiles[after], self.commands[after]

    def sample_questions(self, draws: Tensor) -> Questions:
        """A question for each uniform draw, any equally likely."""
        asked = (self.answers != PADDING).cumsum(dim=0)
        places = torch.searchsorted(asked, (draws * asked[-1]).long(), right=True).clamp(max=self._capacity - 1)
        return Questions(self.tiles[places], self.questions[places], self.answers[places])

    def set_priorities(self, places: Tensor, td_errors: Tensor) -> None:
        """Rank transitions by the size of their TD errors."""
        sizes = td_errors.abs()
        self.priorities[places] = sizes
        torch.maximum(self.highest, sizes.max(), out=self.highest)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """A copy of the whole state, for a checkpoint."""
        state = {name: tensor.cpu().numpy().copy() for name, tensor in self._state().items()}
        return {**state, "observed": np.array(self._observed)}

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Continue from the `arrays` of a buffer with the same capacity and number of environments."""
        check_arrays(arrays, self.arrays())
        self._observed = int(arrays["observed"])
        for name, tensor in self._state().items():
            own = np.asarray(arrays[name])  # one process's part of a stack of numbers is no array
            tensor.copy_(torch.from_numpy(own))
        self._count()

    def _state(self) -> dict[str, Tensor]:
        names = "tiles", "commands", "questions", "answers", "actions", "behavior", "rewards", "dones", "priorities"
        return {name: getattr(self, name) for name in (*names, "highest")}

    def _count(self) -> None:
        """Tell the device where the oldest step is, and how many steps have a successor."""
        steps = self._capacity // self._num_envs
        kept = min(self._observed, steps)
        self._oldest.fill_((self._observed - kept) % steps * self._num_envs)
        self._complete.fill_((kept - 1) * self._num_envs)

    def _draw_by_age(self, draws: Tensor) -> Tensor:
        places: Tensor = (self._oldest + (draws * self._complete).long()) % self._capacity
        return places

    def _draw_by_rank(self, draws: Tensor) -> Tensor:
        """One rank from each of as many equally likely segments as there are draws."""
        ranked = self.priorities.argsort(descending=True, stable=True)
        segments = (torch.arange(len(draws), device=self._device) + draws.double()) / len(draws)
        # One dimension: a single number would be read off the device, which a CUDA graph cannot record.
        last = (self._complete - 1).clamp(min=0).view(1)
        heights = segments * self._cumulated[last]
        return ranked[torch.minimum(torch.searchsorted(self._cumulated, heights, right=True), self._complete - 1)]

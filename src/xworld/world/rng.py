"""Random numbers inside kernels: SplitMix64, one stream for every world.

Each world keeps its own random state, so what happens in it depends on its seed only, and not on the number of worlds
or on the thread that steps it.
"""

import numpy as np
from numpy.typing import NDArray

from xworld.world.kernel import Record, entry, kernel

_INCREMENT = np.uint64(0x9E3779B97F4A7C15)
_FIRST_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
_SECOND_FACTOR = np.uint64(0x94D049BB133111EB)
_27, _30, _31, _32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
_TO_UNIT = 1.0 / (1 << 32)


@kernel
def _mix(z: np.uint64) -> np.uint64:
    z = (z ^ (z >> _30)) * _FIRST_FACTOR
    z = (z ^ (z >> _27)) * _SECOND_FACTOR
    return z ^ (z >> _31)


@kernel
def _draw(world: Record) -> np.uint64:
    """The next 32 random bits of a world."""
    world.random += _INCREMENT
    return _mix(world.random) >> _32


@kernel
def integers(world: Record, bound: int) -> int:
    """A uniform integer from 0 to bound - 1."""
    return np.int64((_draw(world) * np.uint64(bound)) >> _32)  # type: ignore[return-value]


@kernel
def integers_between(world: Record, low: int, high: int) -> int:
    """A uniform integer from low to high, both included."""
    return low + integers(world, high - low + 1)


@kernel
def uniform(world: Record) -> float:
    """A uniform number in [0, 1)."""
    return np.float64(_draw(world)) * _TO_UNIT


@entry
def seed_streams(worlds: NDArray[np.void], seeds: NDArray[np.uint64]) -> None:
    """Start each world's stream by its seed; neighboring seeds give unrelated streams."""
    for i in range(len(worlds)):
        worlds[i].random = _mix(_mix(seeds[i] + _INCREMENT) ^ _INCREMENT)

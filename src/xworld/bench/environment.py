"""Steps per second of our environment in one process, and its memory."""

import sys
from pathlib import Path

import numpy as np

from xworld.bench.babyai import Observation
from xworld.bench.timing import calls_per_second
from xworld.envs.vector import XWorldVectorEnv

NUM_ENVS: dict[Observation, int] = {"tiles": 4096, "pixels": 256}
"""How many worlds step together in a measurement."""


class MemoryUnknown(ValueError):
    """This system does not report the peak memory of a process."""


def environment_speed(observation: Observation, seconds: float, pack: Path | None = None) -> float:
    """Steps per second through `XWorldVectorEnv.step`: with random actions, questions and new sessions."""
    count = NUM_ENVS[observation]
    envs = XWorldVectorEnv(count, observation=observation, pack=pack)
    envs.reset(seed=0)
    actions = np.random.default_rng(0).integers(0, 4, size=(64, count))
    for batch in actions[:8]:
        envs.step(batch)
    return count * calls_per_second(lambda turn: envs.step(actions[turn % len(actions)]), seconds)


def measure_memory(num_envs: int = NUM_ENVS["tiles"]) -> float:
    """Megabytes by which the process grows when it makes this many worlds with tiles and steps them."""
    _step_worlds(1, steps=1)  # compiles the kernels
    before = _peak_memory()
    _step_worlds(num_envs, steps=32)
    return (_peak_memory() - before) / 2**20


def _step_worlds(num_envs: int, steps: int) -> None:
    envs = XWorldVectorEnv(num_envs, observation="tiles")
    envs.reset(seed=0)
    for _ in range(steps):
        envs.step(np.zeros(num_envs, np.int64))


def _peak_memory() -> float:
    """The peak memory of this process so far, in bytes."""
    try:
        import resource  # only Unix has it
    except ImportError as error:
        raise MemoryUnknown("memory is measured on Linux and macOS only; on Windows, run this in WSL") from error
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return float(peak if sys.platform == "darwin" else peak * 1024)

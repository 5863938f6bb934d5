"""Steps a second: our worlds in one process beside MiniGrid's BabyAI-GoToLocal in two, in alternating rounds."""

import statistics
import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from xworld.bench.peer import Kind, peer_speed
from xworld.bench.rate import calls_a_second
from xworld.envs.vector import XWorldVectorEnv

WORLDS: dict[Kind, int] = {"tiles": 4096, "pixels": 256}
"""How many worlds are measured together."""
_MEGABYTE = 2**20


class MemoryUnknown(ValueError):
    """This system does not say how much memory a process has held."""


@dataclass(frozen=True)
class Comparison:
    """Steps a second in each round, ours and theirs."""

    kind: Kind
    ours: tuple[float, ...]
    theirs: tuple[float, ...]

    @property
    def ratio(self) -> float:
        """How many times faster we are: the median over rounds of the ratio within a round."""
        return statistics.median(mine / other for mine, other in zip(self.ours, self.theirs, strict=True))


def compare(kind: Kind, rounds: int, seconds: float, report: Callable[[str], None] = lambda line: None) -> Comparison:
    """Measure ourselves and MiniGrid in turn, so that both meet the machine in the same mood."""
    ours, theirs = [], []
    for round_number in range(1, rounds + 1):
        ours.append(our_speed(kind, seconds))
        theirs.append(peer_speed(kind, seconds))
        report(f"{kind}, round {round_number} of {rounds}: {ours[-1]:,.0f} beside {theirs[-1]:,.0f} steps/s")
    return Comparison(kind, tuple(ours), tuple(theirs))


def our_speed(kind: Kind, seconds: float, worlds: int | None = None) -> float:
    """Steps a second through `XWorldVectorEnv.step`: random actions, commands, questions and new sessions included."""
    count = worlds or WORLDS[kind]
    envs = XWorldVectorEnv(count, observation=kind)
    envs.reset(seed=0)
    actions = np.random.default_rng(0).integers(0, 4, size=(64, count))
    for move in actions[:8]:
        envs.step(move)
    return count * calls_a_second(lambda turn: envs.step(actions[turn % len(actions)]), seconds)


def memory_of_worlds(worlds: int = WORLDS["tiles"]) -> float:
    """Megabytes by which the process grows for so many worlds with tiles, stepped a few times."""
    small = XWorldVectorEnv(1, observation="tiles")
    small.reset(seed=0)
    small.step(np.zeros(1, np.int64))
    before = _peak_memory()
    envs = XWorldVectorEnv(worlds, observation="tiles")
    envs.reset(seed=0)
    for _ in range(32):
        envs.step(np.zeros(worlds, np.int64))
    return (_peak_memory() - before) / _MEGABYTE


def _peak_memory() -> float:
    """The most memory that this process has held, in bytes."""
    try:
        import resource  # Unix alone has it
    except ImportError as error:
        raise MemoryUnknown("memory is measured on Linux and macOS only; on Windows, run this in WSL") from error
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return float(peak if sys.platform == "darwin" else peak * 1024)

"""Steps a second: our worlds in one process beside MiniGrid's BabyAI-GoToLocal in two, in alternating rounds."""

import contextlib
import multiprocessing
import os
import resource
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.queues import Queue
from typing import Any, Literal

import numpy as np

from xworld.envs.vector import XWorldVectorEnv

Kind = Literal["tiles", "pixels"]

PEER = "BabyAI-GoToLocal-v0"
PEER_PROCESSES = 2
TILE_WORLDS = 4096
PIXEL_WORLDS = 256
_PEER_CHUNK = 50
_MEGABYTE = 2**20


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
        report(f"{kind}, round {round_number} of {rounds}: {ours[-1]:,.0f} against {theirs[-1]:,.0f} steps/s")
    return Comparison(kind, tuple(ours), tuple(theirs))


def our_speed(kind: Kind, seconds: float, worlds: int | None = None) -> float:
    """Steps a second through `XWorldVectorEnv.step`: random actions, commands, questions and new sessions included."""
    count = worlds or (TILE_WORLDS if kind == "tiles" else PIXEL_WORLDS)
    envs = XWorldVectorEnv(count, observation=kind)
    envs.reset(seed=0)
    actions = np.random.default_rng(0).integers(0, 4, size=(64, count))
    for move in actions[:8]:
        envs.step(move)
    return count * _rate(lambda turn: envs.step(actions[turn % len(actions)]), seconds)


def peer_speed(kind: Kind, seconds: float) -> float:
    """Steps a second of MiniGrid, summed over its processes."""
    context = multiprocessing.get_context("spawn")
    results: Queue[float] = context.Queue()
    start = context.Barrier(PEER_PROCESSES)
    processes = [
        context.Process(target=_run_peer, args=(kind, seconds, seed, start, results)) for seed in range(PEER_PROCESSES)
    ]
    for process in processes:
        process.start()
    speeds = [results.get() for _ in processes]
    for process in processes:
        process.join()
    return sum(speeds)


def memory_of_worlds(worlds: int = TILE_WORLDS) -> float:
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


def _run_peer(kind: Kind, seconds: float, seed: int, start: Any, results: Any) -> None:
    with (
        open(os.devnull, "w") as nowhere,
        contextlib.redirect_stdout(nowhere),
    ):  # MiniGrid prints while it samples
        env = _make_peer(kind)
        env.reset(seed=seed)
        actions = np.random.default_rng(seed).integers(0, env.action_space.n, size=4096).tolist()

        def play(turn: int) -> None:
            for offset in range(_PEER_CHUNK):
                *_, terminated, truncated, _ = env.step(actions[(turn * _PEER_CHUNK + offset) % len(actions)])
                if terminated or truncated:
                    env.reset()

        play(0)
        start.wait()
        results.put(_PEER_CHUNK * _rate(play, seconds))


def _make_peer(kind: Kind) -> Any:
    import gymnasium
    import minigrid
    from minigrid.wrappers import RGBImgPartialObsWrapper

    gymnasium.register_envs(minigrid)
    env = gymnasium.make(PEER)
    return RGBImgPartialObsWrapper(env) if kind == "pixels" else env


def _rate(action: Callable[[int], object], seconds: float) -> float:
    """Calls a second."""
    begun, turn = time.perf_counter(), 0
    while (passed := time.perf_counter() - begun) < seconds:
        action(turn)
        turn += 1
    return turn / passed


def _peak_memory() -> float:
    """The most memory that this process has held, in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return float(peak if sys.platform == "darwin" else peak * 1024)

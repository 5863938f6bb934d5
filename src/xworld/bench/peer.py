"""The peer: MiniGrid's BabyAI-GoToLocal, a process for each core, as its users run it.

Its processes import this file. It loads nothing of ours that would take their time.
"""

import contextlib
import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Literal

import numpy as np

from xworld.bench.rate import calls_a_second

Kind = Literal["tiles", "pixels"]

PEER = "BabyAI-GoToLocal-v0"
PEER_PROCESSES = 2
_CHUNK = 50
"""Steps in one timed call, so that looking at the clock costs nothing."""


def peer_speed(kind: Kind, seconds: float) -> float:
    """Steps a second of MiniGrid, summed over its processes."""
    context = multiprocessing.get_context("spawn")
    with contextlib.ExitStack() as stack:
        # A pool of one for each, not one pool: so each process gets one measurement, and is known to be ready for it.
        pools = [stack.enter_context(ProcessPoolExecutor(1, context)) for _ in range(PEER_PROCESSES)]
        try:
            for ready in [pool.submit(_load_peer) for pool in pools]:
                ready.result()
            speeds = [pool.submit(_measure, kind, seconds, seed) for seed, pool in enumerate(pools)]
            return sum(speed.result() for speed in speeds)
        except BrokenProcessPool as error:
            raise ValueError(
                "MiniGrid's process died before it was measured; is there enough memory? "
                f"`python -c 'import gymnasium, minigrid; gymnasium.make(\"{PEER}\")'` may show why"
            ) from error


def _load_peer() -> None:
    import gymnasium
    import minigrid

    gymnasium.register_envs(minigrid)


def _measure(kind: Kind, seconds: float, seed: int) -> float:
    """Steps a second in this process."""
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):  # MiniGrid prints while it samples
        env = _make_peer(kind)
        env.reset(seed=seed)
        actions = np.random.default_rng(seed).integers(0, env.action_space.n, size=4096).tolist()

        def play(turn: int) -> None:
            for offset in range(_CHUNK):
                *_, terminated, truncated, _ = env.step(actions[(turn * _CHUNK + offset) % len(actions)])
                if terminated or truncated:
                    env.reset()

        play(0)
        return _CHUNK * calls_a_second(play, seconds)


def _make_peer(kind: Kind) -> Any:
    import gymnasium
    from minigrid.wrappers import RGBImgPartialObsWrapper

    env = gymnasium.make(PEER)
    return RGBImgPartialObsWrapper(env) if kind == "pixels" else env

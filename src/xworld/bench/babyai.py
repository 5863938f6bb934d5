"""The speed of MiniGrid's BabyAI-GoToLocal, one process per core, as its users run it.

Its processes import this file, so it loads nothing of ours that would slow them down.
"""

import contextlib
import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Literal

import numpy as np

from xworld.bench.timing import calls_per_second

Observation = Literal["tiles", "pixels"]

ENVIRONMENT = "BabyAI-GoToLocal-v0"
PROCESSES = 2
_CHUNK = 50
"""Steps in one timed call, so that reading the clock costs nothing."""


def babyai_speed(observation: Observation, seconds: float) -> float:
    """Steps per second of MiniGrid, summed over its processes."""
    context = multiprocessing.get_context("spawn")
    with contextlib.ExitStack() as stack:
        # One pool per process instead of one for all: each process gets one measurement and is ready when it starts.
        pools = [stack.enter_context(ProcessPoolExecutor(1, context)) for _ in range(PROCESSES)]
        try:
            for ready in [pool.submit(_load_minigrid) for pool in pools]:
                ready.result()
            speeds = [pool.submit(_measure, observation, seconds, seed) for seed, pool in enumerate(pools)]
            return sum(speed.result() for speed in speeds)
        except BrokenProcessPool as error:
            raise ValueError(
                "MiniGrid's process died before it was measured; is there enough memory? "
                f"`python -c 'import gymnasium, minigrid; gymnasium.make(\"{ENVIRONMENT}\")'` may show why"
            ) from error


def _load_minigrid() -> None:
    import gymnasium
    import minigrid

    gymnasium.register_envs(minigrid)


def _measure(observation: Observation, seconds: float, seed: int) -> float:
    """Steps per second in this process."""
    import gymnasium
    from minigrid.wrappers import RGBImgPartialObsWrapper

    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):  # MiniGrid prints while it samples
        env: Any = gymnasium.make(ENVIRONMENT)
        if observation == "pixels":
            env = RGBImgPartialObsWrapper(env)
        env.reset(seed=seed)
        actions = np.random.default_rng(seed).integers(0, env.action_space.n, size=4096).tolist()

        def play(turn: int) -> None:
            for offset in range(_CHUNK):
                *_, terminated, truncated, _ = env.step(actions[(turn * _CHUNK + offset) % len(actions)])
                if terminated or truncated:
                    env.reset()

        play(0)
        return _CHUNK * calls_per_second(play, seconds)

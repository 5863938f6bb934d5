"""The environments that ours is measured beside, and what an agent sees in each."""

import importlib.util
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Literal

from xworld.bench.babyai import ENVIRONMENT, PROCESSES, Observation, babyai_speed
from xworld.bench.environment import NUM_ENVS
from xworld.bench.jax_peers import ENVIRONMENTS, jax_speed

PeerName = Literal["minigrid", "navix", "xland"]
PACKAGES: dict[PeerName, str] = {"minigrid": "minigrid", "navix": "navix", "xland": "xminigrid"}
TASKS = {"minigrid": f"{ENVIRONMENT} in {PROCESSES} processes", **ENVIRONMENTS}


@dataclass(frozen=True)
class Match:
    """Our environment with one kind of observation beside one other."""

    peer: PeerName
    observation: Observation
    """What the agent sees in ours."""
    title: str
    """The other, and what the agent sees there."""
    speed: Callable[[float], float]
    """Steps per second of the other, measured for some seconds."""


MATCHES = (
    Match("minigrid", "tiles", "MiniGrid, 7 x 7", partial(babyai_speed, "tiles")),
    Match("minigrid", "pixels", "MiniGrid, 56 x 56", partial(babyai_speed, "pixels")),
    Match("navix", "tiles", "NAVIX, 8 x 8", partial(jax_speed, "navix", 8, NUM_ENVS["tiles"])),
    Match("xland", "tiles", "XLand, 5 x 5", partial(jax_speed, "xland", 5, NUM_ENVS["tiles"])),
    Match("xland", "tiles", "XLand, 13 x 13", partial(jax_speed, "xland", 13, NUM_ENVS["tiles"])),
)


def check_installed(peers: Iterable[PeerName]) -> None:
    """An error where a peer is missing; only its own processes import it."""
    for package in (PACKAGES[peer] for peer in peers):
        if importlib.util.find_spec(package) is None:
            raise ModuleNotFoundError(name=package)

"""Finding sessions of a rare kind: a world depends on its seed alone, so a seed that was found can be gone back to."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from xworld.teacher.holdout import Holdout
from xworld.teacher.settings import TeacherSettings
from xworld.teacher.simulator import Simulator
from xworld.world.catalogue import Catalogue

RAREST = 1_000
"""Sessions that are rarer than one in so many are not looked for to the end."""

_BATCH = 8192
"""Worlds that begin at once, some hundredths of a second."""

Wanted = Callable[[Simulator], NDArray[np.bool_]]
"""Which of the sessions that have just begun in a simulator are of the kind."""


def find_sessions(
    wanted: Wanted,
    count: int,
    seed: int,
    catalogue: Catalogue | None,
    settings: TeacherSettings,
    holdout: Holdout | None = None,
) -> NDArray[np.uint64]:
    """The first seeds from `seed` on whose sessions are wanted: so many, or fewer if they are too rare.

    Nothing is held out unless a hold-out is given; then the sessions are those that begin under it.

    >>> three_objects = lambda simulator: simulator.worlds["objects"] == 3
    >>> find_sessions(three_objects, 4, 0, None, TeacherSettings())
    array([1, 4, 6, 7], dtype=uint64)
    """
    simulator = Simulator(_BATCH, catalogue, holdout, settings)
    found: list[int] = []
    for first in range(seed, seed + RAREST * count, _BATCH):
        simulator.reset(range(first, first + _BATCH))
        found += (first + np.flatnonzero(wanted(simulator))).tolist()
        if len(found) >= count:
            break
    return np.array(found[:count], np.uint64)

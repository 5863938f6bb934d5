"""The curriculum: how difficult a session is at a given progress."""

import numpy as np
from numpy.typing import NDArray

from xworld.teacher.settings import RANGES
from xworld.world.kernel import Record, kernel

FULL = 1 - 1e-5
"""The highest progress, just below 1 so that the highest value of a range gets the same share as the others."""

BY_SESSIONS = -1.0
"""Each world's progress depends on its own number of sessions."""

CURRICULUM = np.dtype(
    [
        *((name, np.int64, (2,)) for name in RANGES),  # the low and the high end
        ("sessions", np.int64),  # of a world until full difficulty
    ]
)
"""The curriculum as kernels read it."""


@kernel
def progress_of(curriculum: Record, sessions: int, progress: float) -> float:
    """The progress of a world, from 0 to `FULL`: the one that was set, or by its number of sessions."""
    if progress < 0:
        progress = sessions / curriculum.sessions if curriculum.sessions > 0 else FULL
    return min(progress, FULL)


@kernel
def level(ends: NDArray[np.int64], progress: float) -> int:
    """The value of a quantity at this progress: every value from low to high gets an equal share of the curriculum."""
    return ends[0] + int((ends[1] - ends[0] + 1) * progress)

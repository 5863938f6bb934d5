"""The curriculum: how difficult a session is at a given progress."""

import numpy as np
from numpy.typing import NDArray

from xworld.teacher.settings import SettingsError, TeacherSettings
from xworld.world.kernel import Record, kernel
from xworld.world.rng import integers_between

FULL = 1 - 1e-5
"""The highest progress, just below 1 so that the highest value of a range gets the same share as the others."""

BY_SESSIONS = -1.0
"""Each world's progress depends on its own number of sessions."""


CURRICULUM = np.dtype(
    [
        # The low and the high end of each quantity.
        ("map_size", np.int64, (2,)),
        ("objects", np.int64, (2,)),
        ("walls", np.int64, (2,)),
        ("classes", np.int64, (2,)),
        ("sentence_length", np.int64, (2,)),
        ("sessions", np.int64),  # of a world until full difficulty
    ]
)
"""The curriculum as kernels read it."""


def make_curriculum(settings: TeacherSettings, classes: int, sessions: int) -> NDArray[np.void]:
    """(1,) The ranges of the settings, for a catalogue of this many classes."""
    if type(sessions) is not int or sessions < 0:
        raise SettingsError(f"curriculum_sessions={sessions!r}: expected a whole number, 0 or more")
    curriculum = np.zeros(1, CURRICULUM)
    for name in ("map_size", "objects", "walls", "classes", "sentence_length"):
        curriculum[name] = getattr(settings, name)
    curriculum["classes"] = np.minimum(settings.classes, classes)
    curriculum["sessions"] = sessions
    return curriculum


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


@kernel
def draw_up_to(world: Record, ends: NDArray[np.int64], progress: float) -> int:
    """A random value of a quantity: uniform from its low end to its level."""
    return integers_between(world, ends[0], level(ends, progress))

"""The curriculum: how hard a session is, as far as the teacher has come with a world."""

import numpy as np
from numpy.typing import NDArray

from xworld.teacher.settings import SettingsError, TeacherSettings
from xworld.world.kernel import Record, kernel
from xworld.world.rng import integers_between

FULL = 1 - 1e-5
"""The furthest progress. Just below one, so that the highest value has the same share of the way as the others."""

BY_SESSIONS = -1.0
"""Progress that each world counts for itself, by its own sessions."""


CURRICULUM = np.dtype(
    [
        # A low and a high end for each of the five quantities.
        ("map_size", np.int64, (2,)),
        ("objects", np.int64, (2,)),
        ("walls", np.int64, (2,)),
        ("classes", np.int64, (2,)),
        ("sentence_length", np.int64, (2,)),
        ("sessions", np.int64),  # of one world, until full difficulty
    ]
)
"""The curriculum as kernels read it."""


def make_curriculum(settings: TeacherSettings, classes: int, sessions: int) -> NDArray[np.void]:
    """(1,) The curriculum of the settings over so many sessions, for a catalogue of so many classes."""
    if type(sessions) is not int or sessions < 0:
        raise SettingsError(f"curriculum_sessions={sessions!r}: expected a whole number, 0 or more")
    curriculum = np.zeros(1, CURRICULUM)
    curriculum["map_size"] = settings.map_size
    curriculum["objects"] = settings.objects
    curriculum["walls"] = settings.walls
    curriculum["classes"] = np.minimum(settings.classes, classes)
    curriculum["sentence_length"] = settings.sentence_length
    curriculum["sessions"] = sessions
    return curriculum


@kernel
def progress_of(curriculum: Record, sessions: int, progress: float) -> float:
    """How far along a world is, from 0 to `FULL`: as it was set, or by its sessions so far."""
    if progress < 0:
        progress = sessions / curriculum.sessions if curriculum.sessions > 0 else FULL
    return min(progress, FULL)


@kernel
def level(ends: NDArray[np.int64], progress: float) -> int:
    """Where a quantity stands: the way from low to high has equal parts for all values."""
    return ends[0] + int((ends[1] - ends[0] + 1) * progress)


@kernel
def draw_up_to(world: Record, ends: NDArray[np.int64], progress: float) -> int:
    """A quantity that varies between sessions: uniform from its low end to where it stands."""
    return integers_between(world, ends[0], level(ends, progress))

"""The curriculum: how difficult a session is at a given progress."""

import numpy as np
from numpy.typing import NDArray

from xworld.teacher.commands import COMMANDS
from xworld.teacher.holdout import Holdout
from xworld.teacher.settings import RANGES, TeacherSettings
from xworld.world.catalogue import Catalogue
from xworld.world.checks import check_whole
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


def make_curriculum(
    catalogue: Catalogue, holdout: Holdout, settings: TeacherSettings, sessions: int, commands: list[str]
) -> NDArray[np.void]:
    """The curriculum, which starts with enough objects for some command, and with classes that may be named."""
    curriculum = np.zeros(1, CURRICULUM)
    for name in RANGES:
        curriculum[name] = getattr(settings, name)
    curriculum["sessions"] = check_whole("curriculum_sessions", sessions, 0)
    fewest = min(command.objects_needed for command in COMMANDS if command.name in commands)
    curriculum["objects"] = np.maximum(curriculum["objects"], fewest)
    curriculum["classes"] = np.minimum(curriculum["classes"], len(catalogue.classes))
    named = np.flatnonzero(~np.isin(catalogue.classes, holdout.objects))[: curriculum["classes"][0, 0]]
    if len(named):
        curriculum["classes"] = np.maximum(curriculum["classes"], named[-1] + 1)
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

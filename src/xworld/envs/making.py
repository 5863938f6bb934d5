"""From the arguments of `gymnasium.make` to a school."""

from pathlib import Path

from xworld.teacher.holdout import Holdout
from xworld.teacher.school import School
from xworld.teacher.settings import TeacherSettings
from xworld.world.catalogue import Catalogue


def make_school(
    worlds: int,
    condition: str | Holdout,
    holdout_seed: int,
    curriculum_sessions: int,
    settings: TeacherSettings | None,
    pack: str | Path | None,
    threads: int | None = None,
) -> School:
    """A school under a condition: one of the four by name, with a seed for what is held out, or a hold-out itself."""
    catalogue = Catalogue.load(pack)
    holdout = condition if isinstance(condition, Holdout) else Holdout.draw(condition, catalogue, seed=holdout_seed)
    return School(worlds, catalogue, holdout, settings, curriculum_sessions, threads)

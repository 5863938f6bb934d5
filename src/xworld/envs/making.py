"""From the arguments of `gymnasium.make` to a simulator."""

from pathlib import Path

from xworld.teacher.holdout import Holdout
from xworld.teacher.settings import TeacherSettings
from xworld.teacher.simulator import Simulator
from xworld.world.catalogue import Catalogue


def make_simulator(
    worlds: int,
    condition: str | Holdout,
    holdout_seed: int,
    curriculum_sessions: int,
    settings: TeacherSettings | None,
    pack: str | Path | None,
    threads: int | None = None,
) -> Simulator:
    """A simulator under a condition: one of the four by name, with a hold-out seed, or a hold-out."""
    catalogue = Catalogue.load(pack)
    holdout = condition if isinstance(condition, Holdout) else Holdout.draw(condition, catalogue, seed=holdout_seed)
    return Simulator(worlds, catalogue, holdout, settings, curriculum_sessions, threads)

"""What all jobs of a grid have in common, and the folder of one job: its settings, and where its files are."""

from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import xworld
from xworld.experiments.grid import Job
from xworld.teacher.settings import SettingsError
from xworld.training.configs import FAST, TrainingConfig, as_json, from_json
from xworld.training.run_folder import JSON, RunFolder, RunFolderError

PACE = "evaluate_every", "test_sessions", "save_every"
"""The fields of a plan that a run takes."""
_IMMATERIAL = {"xworld", *PACE}
"""Settings that may change from one start to the next: no result depends on them, and a job keeps its own."""


@dataclass(frozen=True, kw_only=True)
class Checks:
    """How every agent is tested, and how often it is tested and saved in the course of training."""

    sessions: int = 10_000
    """Test sessions of each agent, balanced over the types of command."""
    held_out_sessions: int = 1_000
    """Further ones of each type of command, with held-out commands alone."""
    minimal_pairs: int = 1_000
    """Pairs of test sessions that differ in one noun, of each type of command."""
    evaluate_every: int = 500_000
    """Steps of the agent between two tests in the course of training."""
    test_sessions: int = 1_000
    """Sessions of such a test."""
    save_every: float = 60.0
    """Seconds between two checkpoints of a job."""


@dataclass(frozen=True)
class Plan(Checks):
    """How every job is trained and tested: the same for all models, so that they compare.

    >>> Plan.of(Plan().settings(Job("san", "Standard", 0.0, 1))) == Plan()
    True
    """

    config: TrainingConfig = FAST
    """How to train."""

    def __post_init__(self) -> None:
        for name in ("sessions", "held_out_sessions", "minimal_pairs", "test_sessions"):
            if getattr(self, name) < 4:
                raise SettingsError(f"--{name.replace('_', '-')} {getattr(self, name)}: expected 4 or more")
        if self.evaluate_every < 1 or self.save_every < 0:
            raise SettingsError("expected at least 1 step between two tests and 0 seconds between two checkpoints")

    def settings(self, job: Job) -> dict[str, Any]:
        """Everything that is to be known to do a job, for the settings.json of its folder."""
        own = {name: value for name, value in asdict(self).items() if name != "config"}
        config: dict[str, JSON] = _plain(as_json(self.config))
        return {"xworld": xworld.__version__, **asdict(job), **own, "config": config}

    @classmethod
    def of(cls, settings: dict[str, Any]) -> "Plan":
        """The plan in such settings."""
        try:
            values = {field.name: settings[field.name] for field in fields(cls)}
            return cls(**values | {"config": from_json(settings["config"])})
        except (KeyError, TypeError) as error:
            raise SettingsError(f"the settings are not those of `xworld reproduce`: see {error}") from error


def job_of(settings: dict[str, Any]) -> Job:
    """The job in such settings."""
    try:
        return Job(**{field.name: settings[field.name] for field in fields(Job)})
    except (KeyError, TypeError) as error:
        raise SettingsError(f"the settings are not those of `xworld reproduce`: see {error}") from error


def is_of_a_job(settings: dict[str, Any]) -> bool:
    """Whether settings are those of a job, and not of a run of `xworld train`, say.

    >>> is_of_a_job(Plan().settings(Job("san", "Standard", 0.0, 1))), is_of_a_job({"seed": 1})
    (True, False)
    """
    return settings.keys() >= {field.name for kind in (Job, Plan) for field in fields(kind)}


def prepare(path: Path, settings: dict[str, Any]) -> RunFolder:
    """The folder of a job, begun now or earlier; one that was begun with other settings is refused."""
    if not (path / "settings.json").exists():
        try:
            return RunFolder.create(path, settings)
        except RunFolderError:
            if not (path / "settings.json").exists():  # or else another process was quicker by a moment
                raise
    folder = RunFolder.open(path)
    refuse_others(path, folder.settings, settings)
    return folder


def is_free(path: Path) -> bool:
    """Whether nobody is doing the job of a folder just now."""
    try:
        with RunFolder(path, {}).lock():
            return True
    except RunFolderError:
        return False


def refuse_others(path: Path, there: dict[str, Any], wanted: dict[str, Any]) -> None:
    """An error where settings differ in what a result depends on."""
    if others := [name for name in _differences(there, wanted) if name not in _IMMATERIAL]:
        raise SettingsError(
            f"{path} was begun with other settings, see {', '.join(others)}: "
            f"name another --folder, or give the settings that it was begun with"
        )


def _differences(there: dict[str, Any], wanted: dict[str, Any]) -> list[str]:
    """The names of the settings that differ, those of the config one by one."""
    names = [name for name in {**there, **wanted} if there.get(name) != wanted.get(name)]
    inner, other = there.get("config"), wanted.get("config")
    if "config" in names and isinstance(inner, dict) and isinstance(other, dict):
        names.remove("config")
        names += _differences(inner, other)
    return names


def _plain(value: Any) -> Any:
    """As JSON gives it back: lists instead of tuples."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value

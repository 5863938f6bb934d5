"""The plan of a run: how it is trained and tested, and how its settings.json says so."""

from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

import xworld
from xworld.evaluation.splits import SplitName, first_seed
from xworld.experiments.grid import Job
from xworld.teacher.extension import load_recorded, loaded_extensions
from xworld.training.configs import DEFAULT, TrainingConfig, as_json, as_printed, from_json
from xworld.training.run_folder import RunFolder, RunFolderError
from xworld.world.checks import SettingsError, check_number, check_whole

_FREE = {"xworld", "evaluate_every", "validation_sessions", "save_every"}
"""Settings that may change between two starts of a grid: no result depends on them, and a job keeps its own."""


@dataclass(frozen=True, kw_only=True)
class EvaluationSettings:
    """How an agent is tested after training, and how often it is evaluated and saved in the course of training."""

    split: SplitName = "validation"
    """Sessions of the test after training: those of validation for every choice, those of test for what you report."""
    sessions: int = 10_000
    """How many of them, balanced over the command types."""
    held_out_sessions: int = 1_000
    """Further ones of each command type, with held-out commands only."""
    minimal_pairs: int = 1_000
    """Pairs of sessions that differ in one noun, of each command type."""
    evaluate_every: int = 500_000
    """Steps of the agent between two evaluations during training."""
    validation_sessions: int = 1_000
    """Validation sessions of an evaluation during training."""
    save_every: float = 60.0
    """Seconds between two checkpoints."""


@dataclass(frozen=True)
class Plan(EvaluationSettings):
    """How a run is trained and tested; the same for all jobs of a grid, so that they compare.

    >>> job = Job("san", "Standard", 0.0, 1)
    >>> read_settings(Plan().settings(job)) == (Plan(), job)
    True
    """

    config: TrainingConfig = DEFAULT
    """How to train."""
    pack: str | None = None
    """Folder of the icon pack; without one, the built-in pack."""

    def __post_init__(self) -> None:
        first_seed(self.split)  # refuses what is no split
        for name in ("sessions", "held_out_sessions", "minimal_pairs", "validation_sessions"):
            number = getattr(self, name)
            if not (name == "sessions" and number == 0):
                check_whole(f"--{name.replace('_', '-')}", number, 4)
        check_whole("--evaluate-every", self.evaluate_every, 1)
        check_number("--save-every", self.save_every, 0)

    def settings(self, job: Job) -> dict[str, Any]:
        """The settings.json of a job: everything that is needed to run it."""
        return {"xworld": xworld.__version__, **asdict(job), **self.for_ablation(job.printed).as_json()}

    def for_ablation(self, printed: str) -> "Plan":
        """This plan with one setting of its config as the paper prints it; without a name, this plan."""
        return replace(self, config=as_printed(self.config, printed)) if printed else self

    def as_json(self) -> dict[str, Any]:
        """The part of the settings that all jobs of a grid share."""
        plain = {field.name: getattr(self, field.name) for field in fields(self)}
        return plain | {"config": as_json(self.config), "extend": loaded_extensions()}


def read_settings(settings: dict[str, Any]) -> tuple[Plan, Job]:
    """The plan and the job of such settings; the files that extend its language are loaded."""
    try:
        load_recorded(settings["extend"])
        plan, job = ({field.name: settings[field.name] for field in fields(kind)} for kind in (Plan, Job))
        return Plan(**plan | {"config": from_json(settings["config"])}), Job(**job)
    except (KeyError, TypeError) as error:
        raise SettingsError(f"the settings are not those of a run of this xworld: see {error}") from error


def open_folder(path: Path, settings: dict[str, Any]) -> RunFolder:
    """The folder of a job, created if it is not there; one with other settings is refused."""
    try:
        return RunFolder.create(path, settings)
    except RunFolderError:
        if not (path / "settings.json").exists():
            raise
    folder = RunFolder.open(path)
    refuse_other_settings(path, folder.settings, settings)
    return folder


def is_free(path: Path) -> bool:
    """Whether no process is training in a folder now."""
    try:
        with RunFolder(path, {}).lock():
            return True
    except RunFolderError:
        return False


def refuse_other_settings(path: Path, there: dict[str, Any], wanted: dict[str, Any]) -> None:
    """An error where settings differ in anything that a result depends on."""
    there, wanted = _flatten(there), _flatten(wanted)
    differ = [name for name in {**there, **wanted} if there.get(name) != wanted.get(name)]
    if others := [name for name in differ if name not in _FREE]:
        raise SettingsError(
            f"{path} was started with other settings, see {', '.join(others)}: "
            f"name another --folder, or give the settings that it was started with"
        )


def _flatten(settings: dict[str, Any]) -> dict[str, Any]:
    """Settings with those of the config beside the others."""
    config = settings.get("config")
    return {**settings, "config": None, **config} if isinstance(config, dict) else settings

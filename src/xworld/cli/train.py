"""`xworld train`: an agent learns, and everything about it is kept in a folder."""

import json
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from rich.console import Console
from rich.text import Text
from tyro.conf import subcommand

import xworld
from xworld.baselines.registry import ModelName
from xworld.cli.dashboard import Dashboard
from xworld.cli.machine import describe_machine
from xworld.teacher.holdout import PAPER_SHARE, Holdout
from xworld.teacher.settings import SettingsError
from xworld.training.atomic_file import write_atomic
from xworld.training.configs import FAST, PAPER, TINY, PPOConfig, ReplayActorCriticConfig, as_json, from_json
from xworld.training.device import choose_device, describe_device
from xworld.training.run_folder import RunFolder

if TYPE_CHECKING:  # torch takes a second to load, and other commands do without it
    import torch

    from xworld.training.distributed import Distributed
    from xworld.training.logger import Logger
    from xworld.training.run import TrainingRun, Watcher
    from xworld.training.trainer import Trainer

RUNS = Path("runs")
_TRAINING = "model", "condition", "share", "seed"
_PACE = "evaluate_every", "test_sessions", "save_every"
"""What a run keeps of the command line besides its config: what a trainer is made of, and what a run is."""
_BEFORE_BASELINES: dict[str, Any] = {"model": "framework", "share": PAPER_SHARE}
"""What the first runs did not write down."""


@dataclass(frozen=True)
class Train:
    """Train an agent that knows no word. What it learns, and how it went, is kept in a folder.

    Ctrl-C ends a run cleanly; --resume goes on with it. Several GPUs: torchrun --nproc-per-node 8 -m xworld.cli.main
    train ...
    """

    config: (
        Annotated[PPOConfig, subcommand("fast", default=FAST, description="The best we know; the default.")]
        | Annotated[PPOConfig, subcommand("tiny", default=TINY, description="A small world, in two minutes.")]
        | Annotated[
            ReplayActorCriticConfig, subcommand("paper2017", default=PAPER, description="The paper to the letter.")
        ]
    ) = FAST
    """How to train; each has settings of its own, see `xworld train fast --help`."""
    condition: Literal["Standard", "NC", "NWNav", "NWNavRec"] = "Standard"
    """What is never said in training."""
    share: float = PAPER_SHARE
    """How much of the words or combinations the condition holds out."""
    model: ModelName = "framework"
    """What is trained: the paper's framework, or one of its baselines."""
    seed: int = 0
    """Everything that is left to chance follows from it."""
    folder: Path | None = None
    """Where the run is kept; without one, runs/<config>-<condition>-<seed>, and a baseline's name in front of that."""
    resume: Path | None = None
    """Go on with the run in this folder, with all its settings."""
    device: Literal["auto", "cuda", "cpu"] = "auto"
    """Where to compute; auto takes a GPU if there is one."""
    evaluate_every: int = 500_000
    """Steps of the agent between two tests."""
    test_sessions: int = 1_000
    """Sessions of a test in the course of training."""
    final_sessions: int = 10_000
    """Sessions of the test at the end; 0 for none."""
    save_every: float = 60.0
    """Seconds between two checkpoints."""

    def run(self) -> int:
        """Train, and print how good the agent has become."""
        self._check()
        import torch

        from xworld.training.distributed import Distributed

        device = choose_device(self.device)
        torch.set_float32_matmul_precision("high")
        distributed = Distributed.join(device)
        try:
            return self._train(device, distributed)
        finally:
            distributed.leave()

    def _check(self) -> None:
        if self.evaluate_every < 1 or self.test_sessions < 4 or self.save_every < 0 or self.final_sessions < 0:
            raise SettingsError(
                f"--evaluate-every {self.evaluate_every} --test-sessions {self.test_sessions} "
                f"--final-sessions {self.final_sessions} --save-every {self.save_every}: "
                f"expected at least 1 step, 4 sessions, 0 sessions and 0 seconds"
            )
        if self.resume is not None and replace(self, resume=None, device="auto", final_sessions=10_000) != Train():
            raise SettingsError(
                "--resume: the run goes on in its folder and with its own settings; leave the other options out, "
                "but for --device and --final-sessions"
            )
        if not 0 <= self.share < 1:
            raise SettingsError(f"--share {self.share}: expected a number from 0 to below 1")
        if not 0 <= self.seed < 2**63:
            raise SettingsError(f"--seed {self.seed}: expected a whole number from 0 to 2**63 - 1")

    def _train(self, device: "torch.device", distributed: "Distributed") -> int:
        from xworld.training.run import TrainingRun, stopping_on_signals
        from xworld.training.trainer import Trainer

        settings = RunFolder.open(self.resume).settings if self.resume is not None else self._settings()
        training, pace = _read(settings)
        trainer = Trainer(device=device, distributed=distributed, **training)  # if that fails, no folder is left behind
        _check_holdout(settings, trainer)
        folder = self._open_folder({**settings, "holdout": asdict(trainer.holdout)}, distributed)
        console = Console(highlight=False, quiet=not distributed.is_main)
        run = TrainingRun(trainer, folder, _provenance(folder.settings, device, distributed), **pace)
        with ExitStack() as stack:
            if distributed.is_main:
                stack.enter_context(folder.lock())
            run.go_on()
            told_to_stop = stack.enter_context(stopping_on_signals())
            watchers: Sequence[Watcher] = ()
            if distributed.is_main and not trainer.finished:
                log, dashboard = self._watchers(run, console)
                watchers = stack.enter_context(log), stack.enter_context(dashboard)
            finished = run.train(watchers, told_to_stop)
        return self._end(run, finished, console)

    def _settings(self) -> dict[str, Any]:
        """What is to be known of a new run."""
        own = {name: getattr(self, name) for name in (*_TRAINING, *_PACE)}
        whole = {"xworld": xworld.__version__, **own, "config": as_json(self.config)}
        settings: dict[str, Any] = json.loads(json.dumps(whole))
        return settings

    def _open_folder(self, settings: dict[str, Any], distributed: "Distributed") -> RunFolder:
        """The run's folder; the leader of a distributed makes it, and the others wait for that."""
        if self.resume is not None:
            return RunFolder.open(self.resume)
        path = self.folder or RUNS / self._name()
        return distributed.first_the_leader(lambda: RunFolder.create(path, settings), lambda: RunFolder.open(path))

    def _name(self) -> str:
        """What a run is called: what it does, and what is not as usual about it."""
        model = "" if self.model == "framework" else f"{self.model}-"
        share = "" if self.share == PAPER_SHARE else f"-{self.share:g}"
        return f"{model}{self.config.name}-{self.condition}{share}-{self.seed}"

    def _watchers(self, run: "TrainingRun", console: Console) -> "tuple[Logger, Dashboard]":
        from xworld.training.logger import Logger

        began, global_step, path = run.trainer.iteration, run.trainer.global_step, run.folder.path
        log = Logger.resume(path, began, global_step) if self.resume is not None else Logger.create(path)
        if began:
            console.print(f"going on after round {began} of {run.trainer.config.iterations}")
        return log, Dashboard(f"{_title(run.trainer)}, {path}", console)

    def _end(self, run: "TrainingRun", finished: bool, console: Console) -> int:
        """Say what became of it, and test the agent."""
        if not run.trainer.distributed.is_main:
            return 0
        if not finished:
            command = "xworld train" if run.trainer.distributed.size == 1 else "the same torchrun with"
            told = f"stopped after round {run.trainer.iteration}; to go on: {command} --resume {run.folder.path}"
            console.print(Text(told), soft_wrap=True)
            return 130
        done = f"trained in {run.seconds:,.0f} s; the agent is {run.folder.weights_path}"
        console.print(Text(done), soft_wrap=True)
        if self.final_sessions:
            from xworld.cli.evaluate import make_table
            from xworld.evaluation.record import as_json as figures
            from xworld.evaluation.success import evaluate

            teacher = run.trainer.config.teacher
            report = evaluate(run.trainer.agent, max(self.final_sessions, 4), settings=teacher)
            console.print(f"in {report.overall.trials:,} test sessions that it has never seen:\n")
            console.print(make_table(report))
            write_atomic(run.folder.path / "result.json", (json.dumps(figures(report), indent=1) + "\n").encode())
        return 0


def _read(settings: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a run's trainer is made of, and its pace."""
    settings = _BEFORE_BASELINES | settings
    try:
        pace = {name: settings[name] for name in _PACE}
        training = {name: type(getattr(Train, name))(settings[name]) for name in _TRAINING}
        return {"config": from_json(settings["config"]), **training}, pace
    except (KeyError, TypeError) as error:
        raise SettingsError(f"the folder's settings.json is not one of `xworld train`: see {error}") from error


def _check_holdout(settings: dict[str, Any], trainer: "Trainer") -> None:
    """What a run holds out follows from its settings; refuse to go on with it where something else follows now."""
    if "holdout" in settings and Holdout.from_json(settings["holdout"]) != trainer.holdout:
        raise SettingsError("the run holds out other words or combinations: go on with the xworld that began it")


def _title(trainer: "Trainer") -> str:
    """What is trained, and where."""
    named = "" if trainer.model == "framework" else f"{trainer.model}, "
    return f"{named}{trainer.config.name}, {trainer.condition}, seed {trainer.seed}, {describe_device(trainer.device)}"


def _provenance(settings: dict[str, Any], device: "torch.device", distributed: "Distributed") -> dict[str, Any]:
    import torch

    hardware = f"{distributed.size} x {describe_device(device)}" if device.type == "cuda" else describe_machine()
    return {**settings, "hardware": hardware, "torch": torch.__version__}

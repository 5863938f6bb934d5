"""`xworld train`: train an agent, and keep everything about it in a folder."""

import os
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from rich.console import Console
from rich.table import Table
from tyro.conf import subcommand

from xworld.baselines.registry import check_model
from xworld.cli.dashboard import Dashboard
from xworld.cli.display import number_table, say
from xworld.cli.options import full_path
from xworld.experiments.grid import Job
from xworld.experiments.plan import EvaluationSettings, Plan
from xworld.experiments.result import RESULT, Result
from xworld.teacher.holdout import PAPER_SHARE, Condition
from xworld.training.configs import DEFAULT, PAPER, PRINTED, TINY, TrainingConfig
from xworld.training.device import DeviceName, choose_device, describe_device
from xworld.training.run_folder import RunFolder
from xworld.world.checks import SettingsError, check_whole

if TYPE_CHECKING:  # torch takes a second to load, and other commands do without it
    from xworld.training.distributed import Distributed
    from xworld.training.trainer import Trainer

RUNS = Path("runs")
Config = (
    Annotated[TrainingConfig, subcommand("default", default=DEFAULT, description="The best we know.")]
    | Annotated[TrainingConfig, subcommand("tiny", default=TINY, description="A small task, in a minute.")]
    | Annotated[TrainingConfig, subcommand("paper2017", default=PAPER, description="The paper's method, mended.")]
    | Annotated[
        TrainingConfig, subcommand("paper2017-printed", default=PRINTED, description="The paper to the letter.")
    ]
)


@dataclass(frozen=True)
class TrainCommand:
    """Train a new agent, test it, and keep its weights, logs and result in a folder.

    Ctrl-C stops a run cleanly, and --resume continues it. On several GPUs: torchrun --nproc-per-node 8 -m
    xworld.cli.main train ...
    """

    config: Config = DEFAULT
    """How to train; each config has its own settings, see `xworld train default --help`."""
    condition: Condition = "Standard"
    """The condition, which says what is held out of training."""
    share: float = PAPER_SHARE
    """Share of words or combinations that the condition holds out."""
    model: str = "planner"
    """The model to train: planner, framework, simple_attention, no_trans_share, vis_lstm, multimodal, san, or one that
    a file of --extend registers."""
    seed: int = 0
    """Random seed; it determines everything random."""
    pack: Path | None = None
    """Folder of an icon pack that replaces the built-in objects."""
    folder: Path | None = None
    """Folder of the run; by default runs/<config>-<condition>-<seed>, for a pack or another model with its name in
    front."""
    resume: Path | None = None
    """Resume the run in this folder, with its settings."""
    device: DeviceName = "auto"
    """Device to compute on; auto is a GPU if there is one."""
    evaluation: EvaluationSettings = EvaluationSettings()
    """How the agent is tested; --sessions 0 skips the test after training."""

    def run(self) -> int:
        """Train, and print how good the agent has become."""
        self._check()
        from xworld.training.distributed import Distributed

        distributed = Distributed.join(choose_device(self.device))
        try:
            status = self._train(distributed)
        finally:
            distributed.leave()
        if distributed.size > 1:
            # Gloo's threads may still hold tensors, and abort the process if the interpreter is taken down under them.
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
        return status

    def _check(self) -> None:
        if self.resume is not None and replace(self, resume=None, device="auto") != TrainCommand():
            raise SettingsError(
                "--resume: the run continues in its folder and with its settings; leave all other options out, "
                "except --device"
            )
        if not 0 <= self.share < 1:
            raise SettingsError(f"--share {self.share}: expected a number from 0 to below 1")
        check_whole("--seed", self.seed, 0)
        check_model(self.model)

    def _train(self, distributed: "Distributed") -> int:
        from xworld.experiments.job import make_trainer, run_job
        from xworld.training.run import stop_on_signals

        settings = self._settings()
        trainer = make_trainer(settings, choose_device(self.device), distributed)  # if that fails, no folder is left
        folder = self._open_folder(settings, distributed)
        console = Console(highlight=False, quiet=not distributed.is_main)
        with stop_on_signals() as should_stop:
            finished = run_job(folder, trainer, should_stop, lambda: _make_dashboard(trainer, folder, console))
            distributed.wait()  # the main process tests the agent; a process that leaves before it can end badly
        return _end(folder, finished, console, distributed)

    def _settings(self) -> dict[str, Any]:
        """The settings of the run to resume, or of a new one."""
        if self.resume is not None:
            return RunFolder.open(self.resume).settings
        share = 0.0 if self.condition == "Standard" else self.share
        plan = Plan(self.config, full_path(self.pack), **asdict(self.evaluation))
        return plan.settings(Job(self.model, self.condition, share, self.seed))

    def _open_folder(self, settings: dict[str, Any], distributed: "Distributed") -> RunFolder:
        """The folder of the run; of several processes, the main one creates it while the others wait."""
        path = self.resume or self.folder or RUNS / self._name()
        try:
            if self.resume is None and distributed.is_main:
                return RunFolder.create(path, settings)
        finally:
            distributed.wait()
        return RunFolder.open(path)

    def _name(self) -> str:
        """The name of a run: its config, and what differs from the defaults."""
        pack = "" if self.pack is None else f"{self.pack.resolve().name}-"
        model = "" if self.model == "planner" else f"{self.model}-"
        share = "" if self.share == PAPER_SHARE else f"-{self.share:g}"
        return f"{pack}{model}{self.config.name}-{self.condition}{share}-{self.seed}"


def _make_dashboard(trainer: "Trainer", folder: RunFolder, console: Console) -> Dashboard:
    if trainer.iteration:
        console.print(f"resuming after iteration {trainer.iteration} of {trainer.config.iterations}")
    model = "" if trainer.model == "planner" else f"{trainer.model}, "
    run = f"{model}{trainer.config.name}, {trainer.condition}, seed {trainer.seed}"
    return Dashboard(f"{run}, {describe_device(trainer.device)}, {folder.path}", console)


def _end(folder: RunFolder, finished: bool, console: Console, distributed: "Distributed") -> int:
    """Print what has become of the run; returns the exit status."""
    if not finished:
        command = "xworld train" if distributed.size == 1 else "the same torchrun command with"
        say(console, f"stopped; to resume: {command} --resume {folder.path}")
        return 130 if distributed.is_main else 0
    say(console, f"training is finished; the agent is {folder.weights_path}")
    if distributed.is_main and (folder.path / RESULT).exists():
        result = Result.read(folder.path)
        seconds, split = result.seconds["training"], result.evaluation["split"]
        console.print(f"trained in {seconds:,.0f} s; in {split} sessions, which it has never seen:\n")
        console.print(_make_table(result.evaluation))
    return 0


def _make_table(evaluation: Mapping[str, Any]) -> Table:
    """All rates of a result with their 95 % intervals, in %."""
    rows = (
        (
            name,
            f"{rate['trials']:,}",
            f"{100 * rate['rate']:.2f}",
            f"{100 * rate['low']:.2f} to {100 * rate['high']:.2f}",
        )
        for name, rate in evaluation.items()
        if isinstance(rate, Mapping) and "trials" in rate
    )
    return number_table("", "of", "%", "95 % interval", rows=rows)

"""One job from its first round to its result."""

import platform
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path

import torch

import xworld
from xworld.experiments.examination import examine
from xworld.experiments.integrity import refuse_damaged
from xworld.experiments.job_progress import training_curve
from xworld.experiments.plan import PACE, Plan, job_of
from xworld.experiments.result import RESULT, Result
from xworld.training.device import choose_device, describe_device
from xworld.training.logger import Logger
from xworld.training.run import TrainingRun
from xworld.training.run_folder import RunFolder, RunFolderError
from xworld.training.trainer import Trainer


class Busy(RunFolderError):
    """Another process is doing this job."""


def perform(path: Path, device_name: str, told_to_stop: Callable[[], bool]) -> bool:
    """Do the job of a folder, or go on with it; returns whether its result is there, and not if it was told to stop."""
    folder = RunFolder.open(path)
    with _exclusively(folder):
        if (path / RESULT).exists():  # another process was quicker
            return True
        device = choose_device(device_name)
        refuse_damaged(folder)
        run = _begin(folder, device)
        if not _train(run, told_to_stop):
            return False
        if not folder.weights_path.exists():  # they were lost, or set aside as damaged: the state has them
            run.save()
        begun = time.monotonic()
        evaluation = examine(folder.weights_path, run.trainer.holdout, Plan.of(folder.settings), device, told_to_stop)
        if evaluation is None:
            return False
        Result(
            job=job_of(folder.settings),
            settings=folder.settings,
            evaluation=evaluation,
            curve=training_curve(path),
            global_step=run.trainer.global_step,
            seconds={"training": round(run.seconds, 1), "testing": round(time.monotonic() - begun, 1)},
            hardware=run.hardware,
            versions={"xworld": xworld.__version__, "torch": torch.__version__, "python": platform.python_version()},
        ).write(path)
    return True


def _begin(folder: RunFolder, device: torch.device) -> TrainingRun:
    """The run of a job, where its last checkpoint left it."""
    torch.set_float32_matmul_precision("high")
    job, plan = job_of(folder.settings), Plan.of(folder.settings)
    trainer = Trainer(plan.config, job.condition, job.seed, device, model=job.model, share=job.share)
    origin = {"holdout": asdict(trainer.holdout), "hardware": describe_device(device), "torch": torch.__version__}
    run = TrainingRun(trainer, folder, {**folder.settings, **origin}, **{name: getattr(plan, name) for name in PACE})
    run.go_on()
    return run


def _train(run: TrainingRun, told_to_stop: Callable[[], bool]) -> bool:
    """Train to the end; returns whether it was reached."""
    trainer = run.trainer
    if trainer.finished:
        return True
    with Logger.resume(run.folder.path, trainer.iteration, trainer.global_step) as log:
        return run.train([log], told_to_stop)


@contextmanager
def _exclusively(folder: RunFolder) -> Iterator[None]:
    """Nobody else does the job meanwhile."""
    with ExitStack() as stack:
        try:
            stack.enter_context(folder.lock())
        except RunFolderError as error:
            raise Busy(str(error)) from error
        yield

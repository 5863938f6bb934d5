"""One job from its first iteration to its result: the same for `xworld train` and for the jobs of a grid."""

import platform
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, TypeAlias

import torch

import xworld
from xworld.evaluation.minimal_pairs import evaluate_minimal_pairs
from xworld.evaluation.success import evaluate
from xworld.evaluation.zero_shot import evaluate_zero_shot
from xworld.experiments.grid import Job
from xworld.experiments.integrity import refuse_damaged
from xworld.experiments.job_progress import training_curve
from xworld.experiments.launcher import Ending
from xworld.experiments.plan import Plan, read_settings
from xworld.experiments.result import RESULT, Result
from xworld.teacher.holdout import Holdout
from xworld.training.device import choose_device, describe_device
from xworld.training.distributed import Distributed
from xworld.training.logger import Logger
from xworld.training.pretrained import load_model
from xworld.training.run import Callback, TrainingRun
from xworld.training.run_folder import FolderInUse, RunFolder
from xworld.training.trainer import Trainer
from xworld.world.catalogue import Catalogue

StopFlag: TypeAlias = Callable[[], bool]
Dashboard: TypeAlias = Callable[[], AbstractContextManager[Callback]]
"""Called when training starts or resumes, in the main process."""


def make_trainer(settings: dict[str, Any], device: torch.device, distributed: Distributed | None = None) -> Trainer:
    """The trainer for the settings of a folder."""
    torch.set_float32_matmul_precision("high")
    plan, job = read_settings(settings)
    return Trainer(plan.config, job.condition, job.seed, device, distributed, job.model, job.share, plan.pack)


def run_job(folder: RunFolder, trainer: Trainer, should_stop: StopFlag, dashboard: Dashboard | None = None) -> bool:
    """Start or resume the job of a folder: train, test, write the result. Returns whether it was finished."""
    (plan, job), is_main = read_settings(folder.settings), trainer.distributed.is_main
    with folder.lock() if is_main else nullcontext():
        if (folder.path / RESULT).exists():
            return True
        if is_main:
            refuse_damaged(folder)
        run = _resume(folder, trainer, plan)
        if not _train(run, should_stop, dashboard):
            return False
        return not (is_main and plan.sessions) or _test(run, plan, job, should_stop)


def attempt_job(path: Path, device_name: str, should_stop: StopFlag) -> Ending:
    """Run the job of a folder; an error goes into its log and ends this job only."""
    try:
        folder = RunFolder.open(path)
        done = run_job(folder, make_trainer(folder.settings, choose_device(device_name)), should_stop)
        return Ending.DONE if done else Ending.STOPPED
    except FolderInUse:
        return Ending.BUSY
    except Exception as error:
        traceback.print_exc()
        if isinstance(error, ValueError | OSError):  # mostly something that the user can fix: also as one plain line
            print(f"xworld: {error}", file=sys.stderr, flush=True)
    return Ending.FAILED


def evaluate_job(
    weights: Path, holdout: Holdout, plan: Plan, device: torch.device, should_stop: StopFlag
) -> dict[str, Any] | None:
    """Test the agent of a file on all commands, held-out commands, minimal pairs and questions; None if stopped."""
    catalogue, teacher = Catalogue.load(plan.pack), plan.config.teacher
    agent = load_model(weights, catalogue)[0].to(device)
    report = evaluate(agent, plan.sessions, plan.split, catalogue, teacher)
    if should_stop():
        return None
    starred = evaluate_zero_shot(agent, holdout, plan.held_out_sessions, plan.split, catalogue, teacher)
    if should_stop():
        return None
    minimal_pairs = evaluate_minimal_pairs(agent, plan.minimal_pairs, plan.split, catalogue, teacher)
    return replace(report, starred=starred, minimal_pairs=minimal_pairs).as_json(holdout)


def _resume(folder: RunFolder, trainer: Trainer, plan: Plan) -> TrainingRun:
    """The run of a folder, at its last checkpoint."""
    processes = f"{trainer.distributed.size} x " if trainer.distributed.size > 1 else ""
    provenance = {
        **folder.settings,
        "holdout": asdict(trainer.holdout),
        "hardware": f"{processes}{describe_device(trainer.device)}",
        "torch": torch.__version__,
    }
    run = TrainingRun(trainer, folder, provenance, plan.evaluate_every, plan.validation_sessions, plan.save_every)
    run.resume()
    if trainer.finished and not folder.weights_path.exists():  # lost or set aside; the state contains them
        run.save()
    return run


def _train(run: TrainingRun, should_stop: StopFlag, dashboard: Dashboard | None) -> bool:
    """Train to the end; returns whether it was reached."""
    trainer, callbacks = run.trainer, list[Callback]()
    with ExitStack() as stack:
        if trainer.distributed.is_main and not trainer.finished:
            log = Logger.open(run.folder.path, trainer.iteration, trainer.global_step)
            callbacks.append(stack.enter_context(log))
            if dashboard is not None:
                callbacks.append(stack.enter_context(dashboard()))
        return run.train(callbacks, should_stop)


def _test(run: TrainingRun, plan: Plan, job: Job, should_stop: StopFlag) -> bool:
    """Test the trained agent and write the result; returns whether it was not stopped."""
    start, folder, trainer = time.monotonic(), run.folder, run.trainer
    evaluation = evaluate_job(folder.weights_path, trainer.holdout, plan, trainer.device, should_stop)
    if evaluation is None:
        return False
    Result(
        job=job,
        settings=folder.settings,
        evaluation=evaluation,
        curve=training_curve(folder.path),
        global_step=trainer.global_step,
        seconds={"training": round(run.seconds, 1), "testing": round(time.monotonic() - start, 1)},
        hardware=run.hardware,
        versions={"xworld": xworld.__version__, "torch": torch.__version__, "python": platform.python_version()},
    ).write(folder.path)
    return True

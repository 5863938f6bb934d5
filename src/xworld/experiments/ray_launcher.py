"""Jobs on a Ray cluster: one task each; if a worker dies, another one resumes its job."""

import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from xworld.experiments.job import attempt_job
from xworld.experiments.launcher import CORES, JOB_LOG, Ending, add_to_log
from xworld.training.run import stop_on_signals
from xworld.world.checks import SettingsError

_RETRIES = 10
"""How often a job is resumed after its worker has died."""
_JOBS_PER_GPU = 4


class RayLauncher:
    """Hands all jobs to the cluster of RAY_ADDRESS, or to the one that runs on this machine, or to a new one.

    The folder must be on a disk that all machines of the cluster share, and xworld must be installed on each.
    """

    def __init__(self, device: str = "auto", at_once: int | None = None, cores: int | None = None) -> None:
        """`at_once` is the number of jobs that share a GPU; `cores` is how many each job takes."""
        ray = _import_ray()
        if at_once is not None and at_once < 1:
            raise SettingsError(f"--at-once {at_once}: expected 1 or more")
        self._ray, self._device, self._started_here = ray, device, not ray.is_initialized()
        if self._started_here:
            ray.init(log_to_driver=False, logging_level="error", include_dashboard=False)
        resources = ray.cluster_resources()
        if device == "cuda" and not resources.get("GPU"):
            self.close()
            raise SettingsError("--device cuda: no machine of the Ray cluster has a GPU")
        gpus = 1 / (at_once or _JOBS_PER_GPU) if device != "cpu" and resources.get("GPU") else 0
        cores = cores or max(1, min(CORES, int(resources.get("CPU", 1))))
        self._task = ray.remote(num_cpus=cores, num_gpus=gpus, max_retries=_RETRIES)(_attempt_on_ray)
        self._tasks: dict[Any, Path] = {}

    @property
    def has_room(self) -> bool:
        """Always: Ray keeps the queue, and sees from it how many machines are needed."""
        return True

    def start(self, path: Path) -> None:
        """Hand a job to the cluster."""
        self._tasks[self._task.remote(str(path.resolve()), self._device)] = path

    def ended(self) -> Iterator[tuple[Path, Ending]]:
        """The jobs that have ended since the last call."""
        if not self._tasks:
            return
        ready, _ = self._ray.wait(list(self._tasks), num_returns=len(self._tasks), timeout=0)
        for task in ready:
            yield self._tasks[task], self._ending(task, self._tasks.pop(task))

    def stop(self) -> None:
        """Ask all jobs to save and end; those that wait for a machine are withdrawn."""
        for task in self._tasks:
            self._ray.cancel(task)

    def close(self) -> None:
        """Leave the cluster, which ends what is still running there."""
        if self._started_here:
            self._ray.shutdown()

    def _ending(self, task: Any, path: Path) -> Ending:
        try:
            return Ending(self._ray.get(task))
        except self._ray.exceptions.TaskCancelledError:
            return Ending.STOPPED
        except self._ray.exceptions.RayError as error:
            add_to_log(path, str(error))
            return Ending.FAILED


def _attempt_on_ray(path: str, device: str) -> int:
    """The task: a job, with its output in its log. Ray stops a task with SIGINT."""
    if not Path(path).is_dir():
        raise SettingsError(f"{path} is not on this machine: --folder must be on a disk that the whole cluster shares")
    with (
        (Path(path) / JOB_LOG).open("a") as log,
        redirect_stdout(log),
        redirect_stderr(log),
        stop_on_signals() as should_stop,
    ):
        return attempt_job(Path(path), device, should_stop).value


def _import_ray() -> Any:
    try:
        import ray
    except ImportError as error:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        raise SettingsError(
            f"--launcher ray: Ray is not installed for this Python {version}; pip install 'xworld[ray]', "
            f"or leave the option out to use this machine only"
        ) from error
    return ray

"""Jobs on a Ray cluster: a task each; the job of a worker that dies is gone on with by another one."""

import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from xworld.experiments.hardware import CORES
from xworld.experiments.launcher import JOB_LOG, Ending, add_to_log
from xworld.experiments.worker import work
from xworld.teacher.settings import SettingsError
from xworld.training.run import stopping_on_signals

_RETRIES = 10
"""How often a job is gone on with after its worker has died."""
_JOBS_A_GPU = 4


class RayLauncher:
    """Hands all jobs to the cluster that RAY_ADDRESS names, or that runs on this machine, or else to one of its own.

    The folder must be on a disk that all machines of the cluster share, and xworld must be installed on each.
    """

    def __init__(self, device: str = "auto", at_once: int | None = None, cores: int | None = None) -> None:
        """`at_once` jobs share a GPU; `cores` are taken by each of them."""
        ray = _import_ray()
        if at_once is not None and at_once < 1:
            raise SettingsError(f"--at-once {at_once}: expected 1 or more")
        self._ray, self._device, self._began = ray, device, not ray.is_initialized()
        if self._began:
            ray.init(log_to_driver=False, logging_level="error", include_dashboard=False)
        resources = ray.cluster_resources()
        if device == "cuda" and not resources.get("GPU"):
            self.close()
            raise SettingsError("--device cuda: no machine of the Ray cluster has a GPU")
        gpus = 1 / (at_once or _JOBS_A_GPU) if device != "cpu" and resources.get("GPU") else 0
        cores = cores or max(1, min(CORES, int(resources.get("CPU", 1))))
        self._task = ray.remote(num_cpus=cores, num_gpus=gpus, max_retries=_RETRIES)(_work_on_ray)
        self._tasks: dict[Any, Path] = {}

    @property
    def has_room(self) -> bool:
        """Ray keeps the queue itself, and sees from it how many machines are wanted."""
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
        """Tell all jobs to save and to end; those that wait for a machine are taken back."""
        for task in self._tasks:
            self._ray.cancel(task)

    def close(self) -> None:
        """Leave the cluster, which ends what is still running there."""
        if self._began:
            self._ray.shutdown()

    def _ending(self, task: Any, path: Path) -> Ending:
        try:
            return Ending(self._ray.get(task))
        except self._ray.exceptions.TaskCancelledError:
            return Ending.STOPPED
        except self._ray.exceptions.RayError as error:
            add_to_log(path, str(error))
            return Ending.FAILED


def _work_on_ray(path: str, device: str) -> int:
    """The task: a job, with what it says in its log. Ray asks a task to stop with the signal of ctrl-C."""
    if not Path(path).is_dir():
        raise SettingsError(f"{path} is not on this machine: --folder must be on a disk that the whole cluster shares")
    with (
        (Path(path) / JOB_LOG).open("a") as log,
        redirect_stdout(log),
        redirect_stderr(log),
        stopping_on_signals() as told_to_stop,
    ):
        return work(Path(path), device, told_to_stop).value


def _import_ray() -> Any:
    try:
        import ray
    except ImportError as error:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        raise SettingsError(
            f"--launcher ray: Ray is not installed for this Python {version}; pip install 'xworld[ray]', "
            f"or leave the option out to run on this machine alone"
        ) from error
    return ray

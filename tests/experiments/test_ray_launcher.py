"""Jobs on a Ray cluster of one machine: the job of a killed worker is resumed by another."""

import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from processes import called, wait_for_the_end, wait_until
from xworld.experiments.grid import Job
from xworld.experiments.job_progress import read_progress
from xworld.experiments.launcher import Ending
from xworld.experiments.plan import Plan, open_folder
from xworld.experiments.ray_launcher import RayLauncher
from xworld.experiments.result import Result
from xworld.training.configs import TINY
from xworld.world.checks import SettingsError

CONFIG = replace(TINY, num_envs=8, buffer_size=64, batches_per_iteration=2, total_steps=16 * 8)
PLAN = Plan(CONFIG, sessions=4, held_out_sessions=4, minimal_pairs=4, validation_sessions=4, save_every=0)


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    ray = pytest.importorskip("ray", reason="Ray is not installed: pip install 'xworld[ray]'")
    as_urgent_as_others = {"worker_niceness": 0}  # else the other tests keep its workers waiting
    ray.init(
        num_cpus=2,
        log_to_driver=False,
        logging_level="error",
        include_dashboard=False,
        _system_config=as_urgent_as_others,
    )
    yield ray
    ray.shutdown()


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for processes as Linux shows them")
@pytest.mark.filterwarnings("ignore")  # of Ray's own
def test_killed_and_stopped_and_resumed(ray: Any, tmp_path: Path) -> None:
    job = Job("planner", "NWNav", 0.3, 1)
    path = open_folder(tmp_path / job.name, PLAN.settings(job)).path
    launcher = RayLauncher("cpu", cores=1)
    launcher.start(path)
    wait_until(lambda: read_progress(path) is not None)
    (worker,) = called("ray::_attempt_on_ray")
    os.kill(worker, signal.SIGKILL)

    assert wait_for_the_end(launcher, 1) == {path: Ending.DONE}
    result = Result.read(path)
    assert result.job == job
    assert result.curve["global_step"] == [16.0 * (n + 1) for n in range(8)]
    assert len(list(path.glob("events.out.tfevents.*"))) == 2  # it began twice

    long = replace(PLAN, config=replace(CONFIG, total_steps=16 * 40000))
    path = open_folder(tmp_path / "long", long.settings(job)).path
    launcher.start(path)
    wait_until(lambda: read_progress(path) is not None)
    launcher.stop()
    assert wait_for_the_end(launcher, 1) == {path: Ending.STOPPED}
    launcher.close()
    assert ray.is_initialized()  # a cluster that was there before stays


def test_without_ray_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(SettingsError, match=r"Ray is not installed .* pip install 'xworld\[ray\]'"):
        RayLauncher()

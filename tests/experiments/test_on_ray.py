"""Jobs on a Ray cluster of one machine: the job of a killed worker is gone on with."""

import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from processes import called, wait_for_the_end, wait_until
from xworld.experiments.engine import Ending
from xworld.experiments.grid import Job
from xworld.experiments.on_ray import RayEngine
from xworld.experiments.plan import Plan, prepare
from xworld.experiments.result import Result
from xworld.experiments.standing import standing
from xworld.learning.presets import TINY
from xworld.teacher.settings import SettingsError

RECIPE = replace(TINY, worlds=16, steps=4, minibatches=2, frames=64 * 8)
PLAN = Plan(RECIPE, sessions=8, held_out_sessions=8, twins=4, test_sessions=4, save_every=0)


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    ray = pytest.importorskip("ray", reason="Ray is not installed: pip install 'xworld[ray]'")
    ray.init(num_cpus=2, log_to_driver=False, logging_level="error", include_dashboard=False)
    yield ray
    ray.shutdown()


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for processes as Linux shows them")
@pytest.mark.filterwarnings("ignore")  # of Ray's own
def test_killed_and_stopped_and_gone_on_with(ray: Any, tmp_path: Path) -> None:
    jobs = [Job("framework", "NWNav", 0.3, seed) for seed in (0, 1)]
    paths = [prepare(tmp_path / job.name, PLAN.settings(job)).path for job in jobs]
    engine = RayEngine("cpu", cores=1)
    for path in paths:
        engine.start(path)
    wait_until(lambda: all(standing(path) for path in paths))
    workers = called("ray::_work_on_ray")
    assert len(workers) == 2
    os.kill(workers[0], signal.SIGKILL)

    assert wait_for_the_end(engine, 2) == dict.fromkeys(paths, Ending.DONE)
    results = [Result.read(path) for path in paths]
    assert [result.job for result in results] == jobs
    assert [result.curve["frames"] for result in results] == [[64.0 * (n + 1) for n in range(8)]] * 2
    assert sorted(len(list(path.glob("events.out.tfevents.*"))) for path in paths) == [1, 2]  # one began twice

    long = replace(PLAN, recipe=replace(RECIPE, frames=64 * 4000))
    path = prepare(tmp_path / "long", long.settings(jobs[0])).path
    engine.start(path)
    wait_until(lambda: standing(path) is not None)
    engine.stop()
    assert wait_for_the_end(engine, 1) == {path: Ending.STOPPED}
    engine.close()
    assert ray.is_initialized()  # a cluster that was there before stays


def test_without_ray_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(SettingsError, match=r"Ray is not installed .* pip install 'xworld\[ray\]'"):
        RayEngine()

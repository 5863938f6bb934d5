"""Jobs in processes: killed, stopped and started again, nothing is lost and nothing is done twice."""

import hashlib
import os
import shutil
import signal
from pathlib import Path

import pytest
import torch

from processes import (
    ForkedCommand,
    assert_same_state,
    children,
    logged_iterations,
    wait_for_the_end,
    wait_until,
)
from xworld.experiments import local_launcher
from xworld.experiments.grid import Job
from xworld.experiments.job import attempt_job
from xworld.experiments.launcher import JOB_LOG, Ending
from xworld.experiments.local_launcher import LocalLauncher, free_gpu_memory
from xworld.experiments.plan import is_free
from xworld.experiments.result import RESULT, Result
from xworld.training.checkpoint import load_state
from xworld.training.run_folder import RunFolder
from xworld.world.checks import SettingsError

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for processes as Linux shows them")

ITERATIONS = 6
SMALL = (
    f"tiny --map-size 3 3 --num-envs 8 --buffer-size 64 --batches-per-iteration 2 --total-steps {16 * ITERATIONS} "
    "--models framework --conditions Standard --seeds 0 1 --sessions 4 --held-out-sessions 4 --minimal-pairs 4 "
    "--validation-sessions 4 --save-every 0 --device cpu"
).split()
LONG = ["--total-steps", str(16 * 40_000), "--save-every", "1000"]


def start(folder: Path, *options: str) -> ForkedCommand:
    return ForkedCommand("reproduce", *SMALL, "--folder", str(folder), *options)


def fingerprint(path: Path) -> dict[str, tuple[str, int]]:
    return {
        file.name: (hashlib.sha256(file.read_bytes()).hexdigest(), file.stat().st_mtime_ns) for file in path.iterdir()
    }


def run_undisturbed(path: Path, like: Path) -> None:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # as in the processes: sums come out the same
    try:
        folder = RunFolder.create(path, RunFolder.open(like).settings)
        assert attempt_job(folder.path, "cpu", lambda: False) is Ending.DONE
    finally:
        torch.set_num_threads(threads)


def test_killed_in_the_middle_and_started_twice(tmp_path: Path) -> None:
    folder = tmp_path / "grid"
    first, second = (folder / Job("framework", "Standard", 0.0, seed).name for seed in (0, 1))
    process = start(folder, "--at-once", "1")
    wait_until(lambda: len(logged_iterations(second)) > 1, process)
    for pid in (process.pid, *children(process.pid)):
        os.kill(pid, signal.SIGKILL)
    process.communicate()
    wait_until(lambda: is_free(second))
    assert len(logged_iterations(second)) < ITERATIONS, "the kill came too late to test anything"
    assert Result.read(first).job.seed == 0
    done = fingerprint(first)

    both = [start(folder), start(folder)]
    outputs = [process.communicate()[0] for process in both]
    assert [process.returncode for process in both] == [0, 0], outputs
    assert fingerprint(first) == done
    assert logged_iterations(second) == list(range(1, ITERATIONS + 1))
    assert len(list(second.glob("events.out.tfevents.*"))) == 2  # the killed process, and the one that resumed
    assert all("jobs: 2 done" in output for output in outputs)

    run_undisturbed(tmp_path / "undisturbed", like=second)
    assert_same_state(second, tmp_path / "undisturbed")
    assert Result.read(second).evaluation == Result.read(tmp_path / "undisturbed").evaluation


def test_ctrl_c_stops_all_with_checkpoints(tmp_path: Path) -> None:
    process = start(tmp_path, *LONG, "--at-once", "2")
    paths = [tmp_path / Job("framework", "Standard", 0.0, seed).name for seed in (0, 1)]
    wait_until(lambda: all(logged_iterations(path) for path in paths), process)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate()
    assert process.returncode == 130, output
    assert "jobs: 2 waiting" in output
    assert "stopped; to resume, give the same command again" in output
    assert "Traceback" not in output
    for path in paths:
        assert is_free(path)
        assert load_state(path / "state.safetensors")[2]["iteration"] == logged_iterations(path)[-1]
        assert not (path / RESULT).exists()


def test_an_orphan_saves_and_ends(tmp_path: Path) -> None:
    process = start(tmp_path, *LONG, "--seeds", "0")
    path = tmp_path / Job("framework", "Standard", 0.0, 0).name
    wait_until(lambda: bool(logged_iterations(path)), process)
    process.kill()
    process.communicate()
    wait_until(lambda: is_free(path))
    assert load_state(path / "state.safetensors")[2]["iteration"] == logged_iterations(path)[-1]


def test_a_job_that_cannot_be_done_fails_alone(tmp_path: Path) -> None:
    RunFolder.create(tmp_path / "odd", {"model": "framework"})
    launcher = LocalLauncher("cpu", [{}])
    launcher.start(tmp_path / "odd")
    assert not launcher.has_room
    assert wait_for_the_end(launcher, 1) == {tmp_path / "odd": Ending.FAILED}
    assert launcher.has_room
    log = tmp_path / "odd" / JOB_LOG
    assert log.read_text().splitlines()[-1].startswith("xworld: the settings are not those of a run of this xworld")
    launcher.start(tmp_path / "odd")
    launcher._running[0][1].kill()
    assert wait_for_the_end(launcher, 1) == {tmp_path / "odd": Ending.FAILED}
    assert log.read_text().endswith("xworld: the process of the job ended with signal 9\n")


def test_a_log_that_cannot_be_written_stops_nobody(tmp_path: Path) -> None:
    launcher = LocalLauncher("cpu", [{}])
    RunFolder.create(tmp_path / "gone", {"model": "framework"})
    launcher.start(tmp_path / "gone")
    launcher._running[0][1].kill()
    shutil.rmtree(tmp_path / "gone")
    assert wait_for_the_end(launcher, 1) == {tmp_path / "gone": Ending.FAILED}


def test_several_gpus_are_used_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_launcher, "choose_device", lambda _: torch.device("cuda"))
    monkeypatch.setattr(local_launcher, "free_gpu_memory", lambda: [40 * 2**30, 40 * 2**30])
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "3,5")
    launcher = LocalLauncher.on_this_machine("auto", 3)
    assert [slot["CUDA_VISIBLE_DEVICES"] for slot in launcher._slots] == ["3", "5", "3"]
    assert all(int(slot["OMP_NUM_THREADS"]) >= 1 for slot in launcher._slots)
    monkeypatch.setattr(local_launcher, "free_gpu_memory", lambda: [2**30, 40 * 2**30])  # somebody else has the first
    launcher = LocalLauncher.on_this_machine("auto", 2)
    assert [slot["CUDA_VISIBLE_DEVICES"] for slot in launcher._slots] == ["5", "5"]


@pytest.mark.parametrize(("cores", "gpus", "jobs"), [(16, [139], 8), (16, [10], 2), (4, [], 2), (1, [], 1)])
def test_cores_and_gpu_memory_limit_the_number_of_jobs(
    cores: int, gpus: list[int], jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(cores)))
    monkeypatch.setattr(local_launcher, "choose_device", lambda _: torch.device("cuda" if gpus else "cpu"))
    monkeypatch.setattr(local_launcher, "free_gpu_memory", lambda: [gigabytes * 2**30 for gigabytes in gpus])
    assert len(LocalLauncher.on_this_machine()._slots) == jobs


def test_no_gpu_has_no_memory() -> None:
    assert torch.cuda.is_available() or free_gpu_memory() == []


def test_as_many_at_once_as_are_asked_for() -> None:
    assert len(LocalLauncher.on_this_machine("cpu", 3)._slots) == 3
    assert len(LocalLauncher.on_this_machine("cpu")._slots) == max(1, len(os.sched_getaffinity(0)) // 2)
    with pytest.raises(SettingsError, match="--at-once 0: expected 1 or more"):
        LocalLauncher.on_this_machine("cpu", 0)

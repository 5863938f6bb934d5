"""Training runs: stopped, killed and resumed, they end as if they had never been interrupted."""

import math
import os
import random
import re
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from unittest import mock

import pytest
import torch

from processes import ForkedCommand, assert_same_state, logged_iterations, wait_until
from xworld.cli.main import main
from xworld.training.checked_file import CheckpointError
from xworld.training.checkpoint import load_state, save_state
from xworld.training.configs import TINY
from xworld.training.pretrained import load_model
from xworld.training.run import TrainingRun, stop_on_signals
from xworld.training.run_folder import RunFolder
from xworld.training.trainer import Trainer

KILLS = int(os.environ.get("XWORLD_KILLS", "2"))
"""Set it to 30 to try harder."""
ITERATIONS = 2 * KILLS + 4
SMALL = "--save-every 0 --validation-sessions 4 --sessions 0 --device cpu"
QUICK = f"tiny --map-size 3 3 --num-envs 16 --buffer-size 128 --batches-per-iteration 4 {SMALL}".split()
TINY_RUN = [*QUICK, "--total-steps", str(64 * ITERATIONS), "--evaluate-every", "400"]
PAPER_RUN = (
    "paper2017 --commands nav_obj --num-envs 8 --buffer-size 64 --batches-per-iteration 2 "
    f"--total-steps {16 * ITERATIONS} --evaluate-every 140 {SMALL}"
).split()


@contextmanager
def one_thread() -> Iterator[None]:
    """As in the processes: sums come out the same."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def train_here(*arguments: str) -> None:
    with one_thread():
        assert main(["train", *arguments]) == 0


@pytest.mark.parametrize("config", [TINY_RUN, PAPER_RUN], ids=["tiny", "paper2017"])
def test_killed_at_random_moments_and_resumed(
    config: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every other kill comes while a file is written."""
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    train_here(*config, "--folder", str(whole))
    seed = time.time_ns()
    print("the moments of the kills are drawn from", seed)
    rng, arguments, written = random.Random(seed), [*config, "--folder", str(killed)], 0
    state = killed / "state.safetensors"
    for number in range(KILLS):
        process = ForkedCommand("train", *arguments)
        wait_until(partial(is_newer, state, state.stat().st_mtime_ns if state.exists() else 0), process)
        if number % 2:
            time.sleep(rng.uniform(0, 0.3))
        else:
            wait_until(lambda: any(killed.glob(".*.partial")), process, pause=0)
        process.kill()
        process.communicate()
        assert process.returncode == -signal.SIGKILL
        written += any(killed.glob(".*.partial"))
        load_state(state)  # intact, whenever the kill came
        arguments = ["--resume", str(killed)]
    print(f"{written} of {KILLS} kills interrupted the writing of a file")
    assert written
    train_here(*arguments)
    assert_same_state(whole, killed)
    assert logged_iterations(killed) == logged_iterations(whole) == list(range(1, ITERATIONS + 1))


def is_newer(path: Path, time_ns: int) -> bool:
    return path.exists() and path.stat().st_mtime_ns > time_ns


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """Longer files cannot be written, as on a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_at_any_moment(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It names the file, and loses nothing: with room again, the run ends as if nothing had happened."""
    short = [*TINY_RUN, "--total-steps", "64"]
    whole, full = tmp_path / "whole", tmp_path / "full"
    train_here(*short, "--folder", str(whole))
    start = [*short, "--save-every", "1000", "--folder", str(full)]
    resume = ["--resume", str(full)]
    moments = [
        (start, 1000, "settings.json"),
        (start, 3_000_000, "agent.safetensors"),
        (resume, 700, "events.out.tfevents"),
        (resume, 400, "progress.csv|evaluations.csv"),
        (resume, 10_000_000, "state.safetensors"),
    ]
    for arguments, size, name in moments:
        capsys.readouterr()
        with one_thread(), files_of_at_most(size):
            assert main(["train", *arguments]) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert re.search(f"{full}/({name})", line), line
        assert "File too large" in line
        assert not list(full.glob(".*.partial"))
    train_here(*resume)
    assert_same_state(whole, full)


def test_killed_before_the_first_checkpoint(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "early"
    process = ForkedCommand(
        "train", *TINY_RUN, "--total-steps", "64000", "--save-every", "1000", "--folder", str(folder)
    )
    wait_until(lambda: bool(logged_iterations(folder)), process)
    process.kill()
    process.communicate()
    assert not (folder / "state.safetensors").exists()
    settings = (folder / "settings.json").read_text()
    (folder / "settings.json").write_text(settings.replace('"total_steps": 64000', '"total_steps": 128'))
    train_here("--resume", str(folder))
    assert logged_iterations(folder) == [1, 2]


def test_ctrl_c_finishes_the_iteration_and_saves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "stopped"
    process = ForkedCommand("train", *TINY_RUN, "--total-steps", "640000", "--folder", str(folder))
    wait_until((folder / "state.safetensors").exists, process)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate()
    assert process.returncode == 130
    assert f"to resume: xworld train --resume {folder}" in output
    assert "Traceback" not in output
    last = logged_iterations(folder)[-1]
    assert load_state(folder / "state.safetensors")[2]["iteration"] == last
    settings = (folder / "settings.json").read_text()
    (folder / "settings.json").write_text(settings.replace('"total_steps": 640000', f'"total_steps": {64 * last + 64}'))
    train_here("--resume", str(folder))
    assert f"resuming after iteration {last} of {last + 1}" in capsys.readouterr().out
    assert logged_iterations(folder) == list(range(1, last + 2))


def test_a_second_ctrl_c_interrupts() -> None:
    before = signal.getsignal(signal.SIGINT)
    with stop_on_signals() as should_stop:
        assert not should_stop()
        signal.raise_signal(signal.SIGTERM)
        assert should_stop()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


def test_a_run_remembers_every_machine(tmp_path: Path) -> None:
    config = replace(TINY, num_envs=4, batches_per_iteration=2, total_steps=4 * 8)

    def train(hardware: str, iterations: int) -> TrainingRun:
        trainer = Trainer(config)
        provenance = {"model": "planner", "hardware": hardware}
        run = TrainingRun(
            trainer, RunFolder(tmp_path, {}), provenance, 10**9, validation_sessions=4, save_every=math.inf
        )
        run.resume()
        last = trainer.iteration + iterations
        run.train([], lambda: trainer.iteration == last)
        return run

    train("an abacus", iterations=1)
    train("an abacus", iterations=1)
    train("a loom", iterations=1)
    everything = "an abacus, then a loom, then an abacus"
    assert train("an abacus", iterations=1).hardware == everything
    assert train("a sieve", iterations=9).hardware == everything  # it was finished already
    assert load_model(tmp_path / "agent.safetensors")[1]["hardware"] == everything


def test_two_processes_train_one_agent(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With torchrun, as on two GPUs: each process has half of the environments, and the run resumes."""
    folder = tmp_path / "distributed"
    command = ["train", *QUICK, "--total-steps", "128", "--sessions", "8", "--minimal-pairs", "4"]
    command += ["--folder", str(folder)]
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    torchrun += ["-m", "xworld.cli.main"]
    done = subprocess.run([*torchrun, *command], capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("training is finished") == 1
    tensors, arrays, record = load_state(folder / "state.safetensors")
    assert record["processes"] == 2
    assert arrays["worlds/random"].shape == (2, 8)
    assert not (arrays["worlds/random"][0] == arrays["worlds/random"][1]).any()  # each has environments of its own
    assert all(bool(torch.isfinite(tensor).all()) for tensor in tensors.values())
    assert logged_iterations(folder) == [1, 2]

    (folder / "result.json").unlink()
    settings = (folder / "settings.json").read_text()
    (folder / "settings.json").write_text(settings.replace('"total_steps": 128', '"total_steps": 192'))
    both = start_both("train", "--resume", str(folder))
    outputs = [process.communicate()[0] for process in both]
    assert [process.returncode for process in both] == [0, 0], outputs
    assert "resuming after iteration 2 of 3" in outputs[0]
    assert logged_iterations(folder) == [1, 2, 3]

    (folder / "result.json").unlink()
    capsys.readouterr()
    assert main(["train", "--resume", str(folder)]) == 2
    assert "trained by 2 process(es), not 1: resume it with the same number" in capsys.readouterr().err


def start_both(*arguments: str) -> list[ForkedCommand]:
    """Two processes that find each other as torchrun tells them to."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free.getsockname()[1])}
    processes = []
    for rank in ("0", "1"):
        with mock.patch.dict(os.environ, address | {"RANK": rank, "LOCAL_RANK": rank, "WORLD_SIZE": "2"}):
            processes.append(ForkedCommand(*arguments))
    return processes


def test_a_damaged_state_is_refused_and_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "run"
    train_here(*TINY_RUN, "--total-steps", "64", "--folder", str(folder))
    state = folder / "state.safetensors"
    data = bytearray(state.read_bytes())
    data[len(data) // 2] ^= 1
    state.write_bytes(data)
    with pytest.raises(CheckpointError, match="SHA-256"):
        load_state(state)
    capsys.readouterr()
    assert main(["train", "--resume", str(folder)]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"xworld: {state} is damaged")
    assert "move it away" in error
    assert state.read_bytes() == bytes(data)


def test_a_state_without_its_history_is_refused(tmp_path: Path) -> None:
    trainer = Trainer(replace(TINY, num_envs=4, batches_per_iteration=2, total_steps=8))
    run = TrainingRun(trainer, RunFolder(tmp_path, {}), {}, evaluate_every=8, validation_sessions=4, save_every=1e9)
    save_state(run.folder.state_path, *trainer.state())
    with pytest.raises(CheckpointError, match="not one of this xworld: it lacks seconds, curve, machines"):
        run.resume()


def test_evaluations_come_when_they_are_due_and_at_the_end(tmp_path: Path) -> None:
    config = replace(TINY, num_envs=4, batches_per_iteration=2, total_steps=8 * 7)
    run = TrainingRun(
        Trainer(config), RunFolder(tmp_path, {}), {}, evaluate_every=20, validation_sessions=3, save_every=1e9
    )
    run.train([], lambda: False)
    assert [point["global_step"] for point in run.curve] == [24, 40, 56]
    assert all(point["success"] in (0.0, 33.33, 66.67, 100.0) for point in run.curve)

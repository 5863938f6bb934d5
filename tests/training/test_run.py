"""Runs in their folders: stopped, killed and gone on with, they end as if nothing had happened."""

import csv
import math
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from xworld.training.checked_file import CheckpointError
from xworld.training.checkpoint import load_state
from xworld.training.configs import FAST
from xworld.training.pretrained import load_agent
from xworld.training.run import TrainingRun
from xworld.training.run_folder import RunFolder
from xworld.training.trainer import Trainer

TRAIN = [sys.executable, "-m", "xworld.cli.main", "train"]
SMALL = (
    "--num-envs 32 --num-steps 4 --num-minibatches 2 --save-every 0 --evaluate-every 1000 "
    "--test-sessions 8 --final-sessions 0"
)
ON_POLICY = f"fast --total-steps 1536 {SMALL}".split()  # 12 rounds
REPLAYED = (
    "paper2017 --num-envs 8 --batch-size 8 --buffer-size 64 --batches-per-iteration 2 --total-batches 20 "
    "--save-every 0 --evaluate-every 100 --test-sessions 8 --final-sessions 0"
).split()
ONE_THREAD = {**os.environ, "OMP_NUM_THREADS": "1"}


def start(*arguments: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [*TRAIN, *arguments], env=ONE_THREAD, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def finish(*arguments: str) -> str:
    process = start(*arguments)
    output, _ = process.communicate(timeout=300)
    assert process.returncode == 0, output
    return output


def wait_for(path: Path, process: "subprocess.Popen[str]", seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not path.exists():
        assert time.monotonic() < end, f"no {path}"
        assert process.poll() is None, process.communicate()[0]
        time.sleep(0.01)


def assert_the_same(one: Path, other: Path) -> None:
    """The same weights, optimizer, worlds and memories, bit for bit; only time may have passed differently."""
    (tensors, arrays, record), (others, other_arrays, other_record) = (
        load_state(folder / "state.safetensors") for folder in (one, other)
    )
    assert tensors.keys() == others.keys()
    assert all(torch.equal(tensor, others[name]) for name, tensor in tensors.items())
    assert all(np.array_equal(array, other_arrays[name]) for name, array in arrays.items())
    assert record["iteration"] == other_record["iteration"]


def iterations(folder: Path) -> list[int]:
    with (folder / "progress.csv").open() as file:
        return [int(row["iteration"]) for row in csv.DictReader(file)]


@pytest.mark.parametrize("config", [ON_POLICY, REPLAYED], ids=["on policy", "replayed"])
def test_killed_at_random_moments_and_resumed(config: list[str], tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    finish(*config, "--folder", str(whole))
    moment = time.time_ns()
    print("moments of the kills are drawn from", moment)
    chance, arguments, kills = random.Random(moment), [*config, "--folder", str(killed)], 0
    for _ in range(3):
        process = start(*arguments)
        wait_for(killed / "state.safetensors", process)
        before = (killed / "state.safetensors").stat().st_mtime_ns
        while process.poll() is None and (killed / "state.safetensors").stat().st_mtime_ns == before:
            time.sleep(0.001)  # it has come beyond what it began with
        time.sleep(chance.uniform(0, 0.5))
        process.kill()
        process.communicate()
        kills += process.returncode == -signal.SIGKILL
        load_state(killed / "state.safetensors")  # whole, whenever the kill came
        arguments = ["--resume", str(killed), "--final-sessions", "0"]
    finish(*arguments)
    assert kills
    assert_the_same(whole, killed)
    assert iterations(killed) == iterations(whole) == list(range(1, len(iterations(whole)) + 1))


def test_killed_before_the_first_checkpoint(tmp_path: Path) -> None:
    folder = tmp_path / "early"
    process = start(*ON_POLICY, "--save-every", "1000", "--folder", str(folder))
    wait_for(folder / "progress.csv", process)
    process.kill()
    process.communicate()
    assert not (folder / "state.safetensors").exists()
    finish("--resume", str(folder), "--final-sessions", "0")
    assert iterations(folder) == list(range(1, 13))


def test_a_polite_stop_finishes_the_round_and_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "stopped"
    process = start(*ON_POLICY, "--folder", str(folder))
    wait_for(folder / "state.safetensors", process)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=100)
    assert process.returncode == 130
    assert f"to go on: xworld train --resume {folder}" in output
    assert "Traceback" not in output
    assert "going on after round" in finish("--resume", str(folder), "--final-sessions", "0")
    finish(*ON_POLICY, "--folder", str(tmp_path / "whole"))
    assert_the_same(folder, tmp_path / "whole")


def test_a_run_remembers_every_machine(tmp_path: Path) -> None:
    config = replace(FAST, num_envs=4, num_steps=2, num_minibatches=1, total_steps=4 * 8)

    def train(hardware: str, rounds: int) -> TrainingRun:
        trainer = Trainer(config, "Standard", 0, torch.device("cpu"))
        run = TrainingRun(
            trainer, RunFolder(tmp_path, {}), {"hardware": hardware}, 10**9, test_sessions=4, save_every=math.inf
        )
        run.go_on()
        last = trainer.iteration + rounds
        run.train([], lambda: trainer.iteration == last)
        return run

    train("an abacus", rounds=1)
    train("an abacus", rounds=1)
    train("a loom", rounds=1)
    everything = "an abacus, then a loom, then an abacus"
    assert train("an abacus", rounds=1).hardware == everything
    assert train("a sieve", rounds=9).hardware == everything  # it was finished already
    assert load_agent(tmp_path / "agent.safetensors")[1]["hardware"] == everything


def test_two_processes_as_one_team(tmp_path: Path) -> None:
    """With torchrun, as on two GPUs: one agent, each process with half of the worlds, and a state that goes on."""
    launch = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    command = [*launch, "-m", "xworld.cli.main", "train"]
    folder = tmp_path / "distributed"
    short = [*"fast --num-envs 32 --num-steps 4 --num-minibatches 2 --total-steps 384 --final-sessions 8".split()]
    done = subprocess.run(
        [*command, *short, "--folder", str(folder)], env=ONE_THREAD, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("trained in") == 1
    tensors, arrays, record = load_state(folder / "state.safetensors")
    assert record["processes"] == 2
    assert arrays["worlds"].shape == (2, 16)
    assert not (arrays["worlds"][0] == arrays["worlds"][1]).any()  # each has worlds of its own
    assert all(bool(torch.isfinite(tensor).all()) for tensor in tensors.values())
    assert iterations(folder) == [1, 2, 3]
    again = subprocess.run(
        [*command, "--resume", str(folder), "--final-sessions", "0"],
        env=ONE_THREAD, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert again.returncode == 0, again.stdout + again.stderr
    alone = subprocess.run(
        [*TRAIN, "--resume", str(folder)], env=ONE_THREAD, capture_output=True, text=True, timeout=100
    )
    assert alone.returncode == 2
    assert "trained by 2 process(es) and this is a team of 1: resume it with as many" in alone.stderr


def test_a_damaged_state_is_refused_and_kept(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    finish(*ON_POLICY, "--total-steps", "128", "--folder", str(folder))
    state = folder / "state.safetensors"
    data = bytearray(state.read_bytes())
    data[len(data) // 2] ^= 1
    state.write_bytes(data)
    with pytest.raises(CheckpointError, match="SHA-256"):
        load_state(state)
    done = subprocess.run(
        [*TRAIN, "--resume", str(folder)], env=ONE_THREAD, capture_output=True, text=True, timeout=100
    )
    assert done.returncode == 2
    assert done.stderr.startswith("xworld: ")
    assert "is damaged" in done.stderr
    assert state.read_bytes() == bytes(data)

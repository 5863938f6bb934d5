"""Damaged files of a job: reported with a remedy, set aside on request, never lost, and redone from what is intact."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from xworld.cli.main import main
from xworld.experiments.grid import Job
from xworld.experiments.integrity import IntegrityError, find_damaged, set_aside_damaged
from xworld.experiments.job import make_trainer, run_job
from xworld.experiments.job_progress import training_curve
from xworld.experiments.plan import Plan, open_folder
from xworld.experiments.result import RESULT, Result
from xworld.training.checkpoint import load_state
from xworld.training.configs import TINY
from xworld.training.run_folder import RunFolder, RunFolderError

ITERATIONS = 3
CONFIG = replace(TINY, num_envs=8, buffer_size=64, batches_per_iteration=2, total_steps=16 * ITERATIONS)
PLAN = Plan(CONFIG, sessions=4, held_out_sessions=4, minimal_pairs=4, validation_sessions=4)
JOB = Job("planner", "Standard", 0.0, 0)
STATE, WEIGHTS = "state.safetensors", "agent.safetensors"

DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "cut short": lambda data: data[: len(data) // 2],
    "a bit flipped": lambda data: data[:-9] + bytes([data[-9] ^ 1]) + data[-8:],
    "empty": lambda data: b"",
    "zeros": lambda data: bytes(len(data)),
}


def resume(path: Path, iterations: int = ITERATIONS) -> bool:
    """Run the job of a folder, stopped after this many iterations; returns whether it is done."""
    folder = RunFolder.open(path)
    trainer = make_trainer(folder.settings, torch.device("cpu"))
    return run_job(folder, trainer, lambda: trainer.iteration == iterations < ITERATIONS)


def begin(folder: Path, iterations: int = ITERATIONS) -> Path:
    """A job that was stopped after this many iterations; with all of them, it has its result."""
    path = open_folder(folder / JOB.name, PLAN.settings(JOB)).path
    assert resume(path, iterations) == (iterations == ITERATIONS)
    return path


def damage(file: Path, how: str) -> bytes:
    file.write_bytes(damaged := DAMAGES[how](file.read_bytes()))
    return damaged


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return begin(tmp_path_factory.mktemp("undisturbed"))


@pytest.fixture(scope="module")
def broken_off(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return begin(tmp_path_factory.mktemp("broken-off"), iterations=1)


@pytest.mark.parametrize("how", DAMAGES)
@pytest.mark.parametrize("name", [STATE, WEIGHTS])
def test_a_job_does_not_go_on_from_a_damaged_file(name: str, how: str, broken_off: Path, tmp_path: Path) -> None:
    path = Path(shutil.copytree(broken_off, tmp_path / JOB.name))
    damaged = damage(path / name, how)
    with pytest.raises(IntegrityError, match=rf"{JOB.name}/{name} .*--redo-damaged` set it aside") as error:
        resume(path)
    assert "\n" not in str(error.value)
    assert (path / name).read_bytes() == damaged


def test_without_its_state_a_job_starts_over(tmp_path: Path, undisturbed: Path, broken_off: Path) -> None:
    path = Path(shutil.copytree(broken_off, tmp_path / JOB.name))
    before = {file.name: file.read_bytes() for file in path.iterdir()}
    before[STATE] = damage(path / STATE, "cut short")
    (path / "notes.txt").write_text("mine")
    (line,) = set_aside_damaged(path)
    aside = path / "set-aside-1"
    assert line.startswith(f"{path / STATE} ")
    assert line.endswith(f"; moved to {aside}, and the job starts over")
    assert {file.name for file in path.iterdir()} == {"settings.json", ".lock", "notes.txt", aside.name}
    assert {file.name: file.read_bytes() for file in aside.iterdir()} == {
        name: data for name, data in before.items() if name not in ("settings.json", ".lock")
    }
    assert resume(path)
    assert Result.read(path).evaluation == Result.read(undisturbed).evaluation
    assert training_curve(path) == training_curve(undisturbed)


def test_weights_are_written_again_from_the_state(tmp_path: Path, undisturbed: Path) -> None:
    path = Path(shutil.copytree(undisturbed, tmp_path / JOB.name))
    (path / RESULT).unlink()
    damage(path / WEIGHTS, "a bit flipped")
    state, progress = load_state(path / STATE)[0], (path / "progress.csv").read_bytes()
    (line,) = set_aside_damaged(path)
    assert line.endswith(f"; moved to {path / 'set-aside-1'}")
    assert [file.name for file in (path / "set-aside-1").iterdir()] == [WEIGHTS]
    assert resume(path)
    assert (path / "progress.csv").read_bytes() == progress  # nothing was trained anew
    assert all((tensor == state[name]).all() for name, tensor in load_state(path / STATE)[0].items())
    assert Result.read(path).evaluation == Result.read(undisturbed).evaluation


def test_what_was_set_aside_earlier_stays(broken_off: Path, tmp_path: Path) -> None:
    path = Path(shutil.copytree(broken_off, tmp_path / JOB.name))
    kept = []
    for how in ("empty", "zeros"):
        kept.append(damage(path / STATE, how))
        set_aside_damaged(path)
        resume(path, iterations=1)
    assert [(path / f"set-aside-{number}" / STATE).read_bytes() for number in (1, 2)] == kept


def test_what_is_whole_or_not_there_is_left_alone(undisturbed: Path, tmp_path: Path) -> None:
    path = Path(shutil.copytree(undisturbed, tmp_path / JOB.name))
    before = {file: file.read_bytes() for file in path.iterdir()}
    assert find_damaged(RunFolder.open(path)) == {}
    assert set_aside_damaged(path) == []
    assert {file: file.read_bytes() for file in path.iterdir()} == before
    empty = open_folder(tmp_path / "empty", PLAN.settings(JOB)).path
    assert set_aside_damaged(empty) == []


def test_nothing_is_taken_from_under_a_job_that_runs(broken_off: Path, tmp_path: Path) -> None:
    path = Path(shutil.copytree(broken_off, tmp_path / JOB.name))
    damage(path / STATE, "empty")
    with RunFolder.open(path).lock(), pytest.raises(RunFolderError, match="another process is training"):
        set_aside_damaged(path)
    assert (path / STATE).exists()


def test_what_a_user_sees(broken_off: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = Path(shutil.copytree(broken_off, tmp_path / JOB.name))
    damage(path / STATE, "cut short")
    command = (
        f"reproduce tiny --num-envs 8 --buffer-size 64 --batches-per-iteration 2 --total-steps {16 * ITERATIONS} "
        f"--models planner --conditions Standard --seeds 0 --sessions 4 --held-out-sessions 4 --minimal-pairs 4 "
        f"--split validation --folder {tmp_path} --device cpu --at-once 1"
    ).split()
    assert main(command) == 1
    out = capfd.readouterr().out
    (told,) = [line for line in out.splitlines() if line.startswith(f"{JOB.name} failed: ")]
    assert str(path / STATE) in told
    assert "--redo-damaged" in told
    assert main([*command, "--redo-damaged"]) == 0
    out = capfd.readouterr().out
    (told,) = [line for line in out.splitlines() if line.startswith(f"{JOB.name}: ")]
    assert str(path / STATE) in told
    assert told.endswith(f"moved to {path / 'set-aside-1'}, and the job starts over")
    assert "jobs: 1 done" in out

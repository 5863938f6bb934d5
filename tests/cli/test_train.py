"""`xworld train`: what a user sees, and what is refused."""

import json
import re
from pathlib import Path

import pytest

from xworld.cli.main import main
from xworld.experiments.grid import Job
from xworld.experiments.result import Result
from xworld.training.pretrained import load_model

QUICK = (
    "tiny --num-envs 16 --buffer-size 64 --batches-per-iteration 4 --total-steps 192 --validation-sessions 8 "
    "--sessions 16 --held-out-sessions 4 --minimal-pairs 4"
).split()


def test_a_whole_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "runs" / "mine"
    assert main(["train", *QUICK, "--folder", str(folder), "--seed", "5", "--condition", "NWNav"]) == 0
    out = capsys.readouterr().out
    assert "in validation sessions, which it has never seen" in out
    assert "recognition" in out
    assert str(folder / "agent.safetensors") in out.replace("\n", "")
    _, provenance = load_model(folder / "agent.safetensors")
    assert (provenance["seed"], provenance["condition"], provenance["global_step"]) == (5, "NWNav", 192)
    assert provenance["config"]["num_envs"] == 16
    assert provenance["curve"][-1]["global_step"] == 192
    assert sorted(path.name for path in folder.iterdir() if "tfevents" not in path.name) == [
        ".lock", "agent.safetensors", "evaluations.csv", "progress.csv", "result.json", "settings.json",
        "state.safetensors",
    ]  # fmt: skip
    result = Result.read(folder)
    assert (result.job, result.global_step) == (Job("planner", "NWNav", 0.1, 5), 192)
    assert result.evaluation["overall"]["trials"] == 16
    assert result.curve["global_step"] == [64, 128, 192]
    assert main(["evaluate", str(folder / "agent.safetensors"), "--sessions", "8"]) == 0
    assert "condition NWNav, seed 5" in capsys.readouterr().out.replace("\n", " ")


def test_nothing_is_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "run"
    assert main(["train", *QUICK, "--folder", str(folder)]) == 0
    before = (folder / "agent.safetensors").read_bytes()
    assert main(["train", *QUICK, "--folder", str(folder), "--seed", "1"]) == 2
    assert "already holds a run: resume it (--resume), or name another --folder" in capsys.readouterr().err
    assert (folder / "agent.safetensors").read_bytes() == before
    there = {path: path.read_bytes() for path in folder.iterdir()}
    assert main(["train", "--resume", str(folder)]) == 0  # it is done; nothing changes
    assert {path: path.read_bytes() for path in folder.iterdir()} == there
    assert json.loads((folder / "settings.json").read_text())["seed"] == 0


def test_a_run_without_questions_is_kept_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", *QUICK, "--question-rate", "0", "--sessions", "0", "--folder", str(tmp_path / "mute")]) == 0
    _, provenance = load_model(tmp_path / "mute" / "agent.safetensors")
    assert provenance["curve"][-1]["recognition"] is None


def test_settings_of_another_version_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "settings.json").write_text('{"condition": "Standard", "seed": 0}')
    assert main(["train", "--resume", str(tmp_path)]) == 2
    assert "the settings are not those of a run of this xworld: see" in capsys.readouterr().err


def test_runs_are_named_after_what_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["train", *QUICK, "--sessions", "0", "--seed", "3"]) == 0
    assert (tmp_path / "runs" / "tiny-Standard-3" / "agent.safetensors").exists()


def _outcome(arguments: list[str]) -> object:
    try:
        return main(arguments)
    except SystemExit as stop:  # the parser's own way
        return stop.code


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--resume", "nowhere"], "nowhere holds no run to resume"),
        (["--resume", "a", "--folder", "b"], "leave all other options out"),
        (["paper2017", "--resume", "a"], "leave all other options out"),
        (["default", "--commands", "nav_col_obj", "--objects", "1", "1"], "none of them can be given with 1 object"),
        (["--seed", "-1"], "--seed -1: expected"),
        (["--validation-sessions", "0"], "--validation-sessions 0"),
        (["default", "--buffer-size", "1000"], "buffer_size=1000: expected a multiple of num_envs"),
        (["default", "--learning-rate", "0"], "learning_rate=0.0"),
        (["default", "--commands", "nav_obj", "fly"], "no type 'fly'; there are nav_obj"),
        (["--device", "cuda"], "PyTorch sees no GPU here"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_line(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    assert _outcome(["train", *arguments]) == 2
    assert message in " ".join(re.split(r"[\s│]+", capsys.readouterr().err))
    assert not list(tmp_path.iterdir())

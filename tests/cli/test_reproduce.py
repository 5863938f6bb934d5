"""`xworld reproduce` and `xworld report`: what a user sees, and what is refused."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from results import make_result
from xworld.cli.main import main
from xworld.experiments.grid import Grid, Job
from xworld.experiments.plan import EvaluationSettings
from xworld.experiments.result import RESULT


def finish(folder: Path, job: Job) -> Path:
    path = folder / job.name
    path.mkdir(parents=True)
    make_result(job).write(path)
    return path


def test_a_dry_run_lists_the_jobs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    finish(tmp_path, Job("planner", "Standard", 0.0, 0))
    assert main(["reproduce", "--folder", str(tmp_path), "--dry-run"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 76
    assert lines[0] == "planner-Standard-0-0  done"
    assert lines[1] == "framework-Standard-0-0  waiting"
    assert [path.name for path in tmp_path.iterdir()] == ["planner-Standard-0-0"]


def test_ablations_are_jobs_of_their_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    only = ["--models", "framework", "--conditions", "Standard", "--seeds", "0", "--folder", str(tmp_path), "--dry-run"]
    assert main(["reproduce", "paper2017", *only, "--printed", "all"]) == 0
    settings = "learning_rate", "weight_decay", "entropy_coef", "importance_ratio", "temperature", "init"
    names = ["framework-Standard-0-0", *(f"framework-Standard-0-0-printed-{setting}" for setting in settings)]
    assert capsys.readouterr().out.splitlines() == [f"{name}  waiting" for name in names]
    assert main(["reproduce", "paper2017", *only, "--printed", "gamma"]) == 2
    assert "--printed 'gamma': expected 'learning_rate', 'weight_decay'" in capsys.readouterr().err


def test_with_everything_done_there_is_a_report_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for job in Grid(("framework",), ("Standard", "NC"), seeds=(0, 1)).jobs():
        finish(tmp_path, job)
    arguments = ["--models", "framework", "--conditions", "Standard", "NC", "--seeds", "0", "1"]
    assert main(["reproduce", *arguments, "--folder", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "jobs: 4 done" in out
    assert f"the report is {tmp_path / 'results.md'}" in out
    assert "90.0 ± 0.0" in (tmp_path / "results.md").read_text()


def test_a_damaged_result_is_told_and_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = finish(tmp_path, Job("framework", "Standard", 0.0, 0)) / RESULT
    path.write_text("{}")
    only = ["--models", "framework", "--conditions", "Standard", "--seeds", "0", "--folder", str(tmp_path)]
    assert main(["reproduce", *only]) == 1
    out = capsys.readouterr().out
    assert f"{path} is damaged" in out
    assert "to set it aside and test again: --redo-damaged" in out
    assert "jobs: 1 damaged" in out
    assert path.read_text() == "{}"


def test_what_is_asked_for_goes_into_the_plan(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder that was begun with the defaults names every setting that differs."""
    finish(tmp_path, Job("framework", "Standard", 0.0, 0))
    asked = ["--sessions", "40", "--held-out-sessions", "30", "--minimal-pairs", "20", "--total-steps", "5000000"]
    assert main(["reproduce", *asked, "--folder", str(tmp_path), "--dry-run"]) == 2
    assert "other settings, see sessions, held_out_sessions, minimal_pairs, total_steps:" in capsys.readouterr().err
    pace = ["--evaluate-every", "1000", "--validation-sessions", "4", "--save-every", "1"]  # no result depends on it
    assert main(["reproduce", *pace, "--folder", str(tmp_path), "--dry-run"]) == 0


def test_every_option_is_explained_once(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["reproduce", "--help"])
    told = " ".join(re.split(r"[\s│]+", capsys.readouterr().out))
    for kind, explained in ((Grid, "Models to train:"), (EvaluationSettings, "Seconds between two checkpoints.")):
        assert told.count(explained) == 1
        for option in fields(kind):
            assert re.search(rf"--{option.name.replace('_', '-')}[ ,]", told), option.name


def test_a_report_elsewhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    finish(tmp_path / "grid", Job("framework", "Standard", 0.0, 0))
    page = tmp_path / "docs" / "results.md"
    assert main(["report", "--folder", str(tmp_path / "grid"), "--page", str(page)]) == 0
    assert f"{page}: 1 results, 4 figures" in capsys.readouterr().out
    assert f"Made by `xworld report --folder {tmp_path / 'grid'} --page {page}`" in page.read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["reproduce", "--shares", "1.2"], "--shares 1.2: expected shares between 0 and 1"),
        (["reproduce", "--sessions", "1"], "--sessions 1: expected a whole number from 4"),
        (["reproduce", "--models", "frame"], "no model 'frame'; there are planner, framework"),
        (["reproduce", "--at-once", "0", "--device", "cpu"], "--at-once 0: expected 1 or more"),
        (["reproduce", "--device", "cuda"], "PyTorch sees no GPU here"),
        (["report", "--folder", "nowhere"], "nowhere is no folder with results"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_line(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    try:
        outcome: object = main(arguments)
    except SystemExit as stop:  # the parser's own way
        outcome = stop.code
    assert outcome == 2
    assert message in " ".join(re.split(r"[\s│]+", capsys.readouterr().err))
    assert not list(tmp_path.iterdir())

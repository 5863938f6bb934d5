"""Results: whole or refused."""

import json
from pathlib import Path

import pytest

from results import make_result
from xworld.experiments.grid import Job
from xworld.experiments.result import RESULT, Result, ResultError, read_all

JOB = Job("framework", "NC", 0.1, 3)


def test_a_result_comes_back_as_it_was(tmp_path: Path) -> None:
    result = make_result(JOB, 0.75)
    result.write(tmp_path)
    assert Result.read(tmp_path) == result
    assert result.rate("nav_obj") == 0.75
    assert result.rate("flying") is None


def test_a_rate_that_was_not_measured_is_none() -> None:
    assert make_result(JOB, starred=0.6).rate("*overall") == 0.6
    assert make_result(Job("framework", "Standard", 0.0, 3)).rate("*overall") is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"rate": 0.75', '"rate": 0.95'),
        ('"seed": 3', '"seed": 4'),
        ('"curve"', '"kurve"'),
        ("{", "["),
        ('"sha256"', '"sha1"'),
    ],
)
def test_a_changed_result_is_refused(old: str, new: str, tmp_path: Path) -> None:
    make_result(JOB, 0.75).write(tmp_path)
    text = (tmp_path / RESULT).read_text()
    (tmp_path / RESULT).write_text(text.replace(old, new, 1))
    with pytest.raises(ResultError, match=r"result\.json is damaged"):
        Result.read(tmp_path)


@pytest.mark.parametrize("text", ["", "{}", "null", '{"overall": {"rate": 1.0}}', "\x00" * 100])
def test_what_is_no_result_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / RESULT).write_text(text)
    with pytest.raises(ResultError, match="is damaged"):
        Result.read(tmp_path)


def test_a_torn_result_is_refused(tmp_path: Path) -> None:
    make_result(JOB).write(tmp_path)
    data = (tmp_path / RESULT).read_bytes()
    (tmp_path / RESULT).write_bytes(data[: len(data) // 2])
    with pytest.raises(ResultError, match="is damaged"):
        Result.read(tmp_path)


def test_of_a_folder_the_whole_ones_are_read_and_the_others_told(tmp_path: Path) -> None:
    for seed in range(3):
        folder = tmp_path / f"job-{seed}"
        folder.mkdir()
        make_result(Job("san", "Standard", 0.0, seed)).write(folder)
    (tmp_path / "job-1" / RESULT).write_text(json.dumps({"job": {}}))
    (tmp_path / "job-4").mkdir()  # not done yet
    results, faults = read_all(tmp_path)
    assert [result.job.seed for result in results] == [0, 2]
    assert len(faults) == 1
    assert str(tmp_path / "job-1" / RESULT) in faults[0]

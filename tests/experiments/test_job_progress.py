"""How far a job is, from its log."""

from pathlib import Path

import pytest

from made_up_metrics import make_metrics, make_silent_metrics
from xworld.experiments.job_progress import read_progress, training_curve
from xworld.training.logger import PROGRESS_FILE, Logger


def write_log(folder: Path, rounds: int) -> None:
    with Logger.open(folder) as log:
        for iteration in range(1, rounds + 1):
            log.on_iteration(make_metrics(iteration, session_return=float(iteration)), seconds=0.5 * iteration)


def test_before_the_first_round(tmp_path: Path) -> None:
    assert read_progress(tmp_path) is None
    (tmp_path / PROGRESS_FILE).write_text("iteration,global_step,seconds,success\n")
    assert read_progress(tmp_path) is None


def test_the_last_whole_line_counts(tmp_path: Path) -> None:
    write_log(tmp_path, 300)  # more than the tail that is read
    with (tmp_path / PROGRESS_FILE).open("a") as file:
        file.write("301,301")
    latest = read_progress(tmp_path)
    assert latest is not None
    assert (latest.global_step, latest.seconds) == (300_000, 150.0)
    assert latest.success == pytest.approx(0.5)


@pytest.mark.parametrize(
    "text", ["a,b\n1,2\n", "iteration,global_step,seconds,success\n1,x,2.0,0.5\n", "\x00" * 99 + "\n\n"]
)
def test_what_cannot_be_read_is_no_news(text: str, tmp_path: Path) -> None:
    (tmp_path / PROGRESS_FILE).write_text(text)
    assert read_progress(tmp_path) is None


def test_where_no_session_has_ended(tmp_path: Path) -> None:
    with Logger.open(tmp_path) as log:
        log.on_iteration(make_silent_metrics(1), seconds=1.0)
    latest = read_progress(tmp_path)
    assert latest is not None
    assert latest.success is None
    assert training_curve(tmp_path) == {"global_step": [1000.0], "session_return": [None], "success": [None]}


def test_a_curve_has_every_round(tmp_path: Path) -> None:
    write_log(tmp_path, 5)
    curve = training_curve(tmp_path)
    assert curve["global_step"] == [1000.0, 2000.0, 3000.0, 4000.0, 5000.0]
    assert curve["session_return"] == [1.0, 2.0, 3.0, 4.0, 5.0]


@pytest.mark.parametrize("torn", ["6,60", "\x00\x00\x00", "6,6000\n"])
def test_a_torn_line_is_not_part_of_a_curve(torn: str, tmp_path: Path) -> None:
    """As a power cut leaves it: the state of the last round was on the disk already, its line was not."""
    write_log(tmp_path, 5)
    with (tmp_path / PROGRESS_FILE).open("a") as file:
        file.write(torn)
    assert training_curve(tmp_path)["session_return"] == [1.0, 2.0, 3.0, 4.0, 5.0]


def test_a_long_curve_is_averaged(tmp_path: Path) -> None:
    write_log(tmp_path, 1001)
    curve = training_curve(tmp_path)
    assert len(curve["global_step"]) == 334
    assert curve["session_return"][:2] == [2.0, 5.0]  # of rounds 1 to 3, and 4 to 6
    assert curve["global_step"][-1] == 1_001_000.0
    assert curve["session_return"][-1] == pytest.approx(1000.5)

"""The log of a run: every iteration once, whatever happened in between."""

import csv
import math
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from made_up_metrics import STEPS, make_evaluation, make_metrics, make_silent_metrics
from xworld.training.logger import CsvFile, LogError, Logger

ITERATIONS = 6
DOCS = Path(__file__).parents[2] / "docs" / "training.md"


def read_csv(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def read_events(folder: Path) -> dict[str, list[tuple[int, float]]]:
    events = EventAccumulator(str(folder), size_guidance={"scalars": 0}).Reload()
    return {tag: [(point.step, point.value) for point in events.Scalars(tag)] for tag in events.Tags()["scalars"]}


@pytest.fixture(scope="module")
def logged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a short run: an iteration, one without any session, and an evaluation."""
    folder = tmp_path_factory.mktemp("logged")
    with Logger.open(folder) as log:
        log.on_iteration(make_metrics(1), seconds=0.5)
        log.on_iteration(make_silent_metrics(2), seconds=1234567.8)
        log.on_evaluation(make_evaluation(2))
    return folder


def test_a_line_for_each_iteration(logged: Path) -> None:
    first, second = read_csv(logged / "progress.csv")
    assert first == {
        "iteration": "1",
        "global_step": "1000",
        "seconds": "0.5",
        "success": "0.5",
        "success_nav_obj": "0.5",
        "success_nav_col_obj": "0.5",
        "success_nav_nr_obj": "0.5",
        "success_nav_bw_obj": "",
        "answer_accuracy": "0.75",
        "session_return": "0.25",
        "loss_policy": "-0.125",
        "loss_value": "2",
        "loss_gradient_norm": "0.5",
        "learning_rate": "0.001",
        "difficulty": "0.5",
        "seconds_rollout": "0.3",
        "seconds_update": "0.2",
        "seconds_evaluation": "9.5",
        "seconds_saving": "0",
        "steps_per_second": "2000",
    }
    assert {name for name, cell in second.items() if cell == ""} == {
        "success", "success_nav_obj", "success_nav_col_obj", "success_nav_nr_obj", "success_nav_bw_obj",
        "answer_accuracy", "session_return",
    }  # fmt: skip
    assert second["steps_per_second"] == "2000"


def test_a_line_for_each_evaluation(logged: Path) -> None:
    (row,) = read_csv(logged / "evaluations.csv")
    assert {name: row[name] for name in ("iteration", "global_step", "seconds", "sessions", "success")} == {
        "iteration": "2", "global_step": "2000", "seconds": "1", "sessions": "400", "success": "0.75",
    }  # fmt: skip
    assert (row["success_nav_obj"], row["success_nav_bw_obj"], row["answer_accuracy_rec_bw_obj2col"]) == (
        "0.9",
        "0.6",
        "0.5",
    )
    assert float(row["success_low"]) < 0.75 < float(row["success_high"])
    assert (row["path_efficiency"], row["answer_accuracy"]) == ("0.75", "0.5")


def test_tensorboard_says_the_same(logged: Path) -> None:
    events = read_events(logged)
    assert events["rollout/success_nav_obj"] == [(STEPS, 0.5)]
    assert events["loss/policy"] == [(STEPS, -0.125), (2 * STEPS, -0.125)]
    assert events["time/steps_per_second"] == [(STEPS, 2000), (2 * STEPS, 2000)]
    assert events["eval/success"] == [(2 * STEPS, 0.75)]
    assert events["eval/success_nav_nr_obj"][0] == pytest.approx((2 * STEPS, 0.7))
    points = sum(len(series) for series in events.values())
    cells = [row for name in ("progress.csv", "evaluations.csv") for row in read_csv(logged / name)]
    place = 3  # iteration, global_step and seconds are no series of their own
    assert points == sum(cell != "" for row in cells for cell in row.values()) - place * len(cells)


def test_every_number_is_explained(logged: Path) -> None:
    text = re.sub(r"^```.*?^```", "", DOCS.read_text(), flags=re.DOTALL | re.MULTILINE)
    explained = set(re.findall(r"`([^`]+)`", text))
    names = [*read_events(logged), *read_csv(logged / "progress.csv")[0], *read_csv(logged / "evaluations.csv")[0]]
    assert set(map(_family, names)) <= explained


def _family(name: str) -> str:
    """What the docs call a number of which there is one for each type of command, question or loss."""
    name = re.sub(r"nav_\w+", "<command>", name)
    name = re.sub(r"rec_\w+", "<question>", name)
    return re.sub(r"^loss([_/])\w+", r"loss\1<name>", name)


def csv_log(folder: Path, resume_at: int = 0) -> Logger:
    """A log without TensorBoard, which takes too long to open for hundreds of examples."""
    progress, evaluations = (CsvFile(folder / name, resume_at) for name in ("progress.csv", "evaluations.csv"))
    return Logger(progress, evaluations, None, STEPS * resume_at)


def train(log: Logger, after: int) -> None:
    """All remaining iterations, every second one with an evaluation."""
    with log:
        for iteration in range(after + 1, ITERATIONS + 1):
            log.on_iteration(make_metrics(iteration), seconds=0.5 * iteration)
            if iteration % 2 == 0:
                log.on_evaluation(make_evaluation(iteration))


@given(data=st.data(), resume_at=st.integers(0, ITERATIONS))
def test_every_iteration_stands_in_the_csv_once(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, resume_at: int
) -> None:
    folder = tmp_path_factory.mktemp("run")
    train(csv_log(folder), after=0)
    whole = {path: path.read_bytes() for path in folder.iterdir()}
    for path, content in whole.items():  # the process dies anywhere after the state was saved
        path.write_bytes(content[: data.draw(st.integers(_end_of(content, resume_at), len(content)))])
    log = csv_log(folder, resume_at)
    assert [int(row["iteration"]) for row in read_csv(folder / "progress.csv")] == [*range(1, resume_at + 1)]
    train(log, after=resume_at)
    assert {path: path.read_bytes() for path in folder.iterdir()} == whole


def _end_of(content: bytes, iteration: int) -> int:
    """Where the last row ends that was written by this iteration; 0 where there is none, and maybe no header yet."""
    header, *lines = content.splitlines(keepends=True)
    rows = [line for line in lines if int(line.split(b",")[0]) <= iteration]
    return len(header) + sum(map(len, rows)) if rows else 0


@given(data=st.data(), resume_at=st.integers(0, ITERATIONS))
def test_a_csv_that_lost_more_still_goes_on(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, resume_at: int
) -> None:
    folder = tmp_path_factory.mktemp("run")
    train(csv_log(folder), after=0)
    path = folder / "progress.csv"
    content = path.read_bytes()
    path.write_bytes(content[: data.draw(st.integers(0, len(content)))])
    left = max(0, path.read_bytes().count(b"\n") - 1)
    train(csv_log(folder, resume_at), after=resume_at)
    iterations = [int(row["iteration"]) for row in read_csv(path)]
    assert iterations == [*range(1, min(left, resume_at) + 1), *range(resume_at + 1, ITERATIONS + 1)]


KILLED = f"""
import os, signal, sys
from xworld.training.logger import Logger
assert "tensorboard" not in sys.modules, "TensorBoard is loaded before it is needed"
from made_up_metrics import make_evaluation, make_metrics
log = Logger.open(sys.argv[1])
for iteration in range(1, {ITERATIONS}):
    log.on_iteration(make_metrics(iteration), seconds=0.5 * iteration)
    if iteration % 2 == 0:
        log.on_evaluation(make_evaluation(iteration))
with open(sys.argv[1] + "/progress.csv", "a") as file:
    file.write("{ITERATIONS},60")
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_after_a_kill_every_iteration_is_there_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]), prepend=os.pathsep)
    assert subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=False).returncode == -9
    (events,) = tmp_path.glob("events.*")
    assert len(read_events(tmp_path)["time/steps_per_second"]) == ITERATIONS - 1
    events.write_bytes(events.read_bytes()[:-5])
    # TensorBoard orders files by the second in which they were begun, and a run lives longer than this one did.
    events.rename(tmp_path / re.sub(r"\d{10}", "1700000000", events.name, count=1))
    train(Logger.open(tmp_path, iteration=3, global_step=3 * STEPS), after=3)
    assert [row["iteration"] for row in read_csv(tmp_path / "progress.csv")] == ["1", "2", "3", "4", "5", "6"]
    assert [row["steps_per_second"] for row in read_csv(tmp_path / "progress.csv")] == ["2000"] * 6
    assert [row["iteration"] for row in read_csv(tmp_path / "evaluations.csv")] == ["2", "4", "6"]
    series = read_events(tmp_path)
    assert [step for step, _ in series["loss/value"]] == [STEPS * iteration for iteration in range(1, 7)]
    assert [step for step, _ in series["eval/success"]] == [2 * STEPS, 4 * STEPS, 6 * STEPS]


def test_a_loss_that_is_not_a_number_is_told(tmp_path: Path) -> None:
    with csv_log(tmp_path) as log:
        log.on_iteration(make_metrics(1, losses={"value": math.nan}), seconds=1)
    assert read_csv(tmp_path / "progress.csv")[0]["loss_value"] == "nan"


@pytest.mark.parametrize("content", [b"precious", b"my,own,table\n1,2,3\n", b"iteration,global_step,seconds_rollout\n"])
def test_a_file_of_somebody_else_is_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "progress.csv"
    path.write_bytes(content)
    with pytest.raises(LogError, match=r"progress.csv is not a log of xworld"):
        Logger.open(tmp_path, 1, STEPS)
    assert path.read_bytes() == content
    assert [*tmp_path.iterdir()] == [path]


@pytest.mark.parametrize("line", ["2,2000", "two,2000,1,0.5", "", "2,2000,1,0.5,9"])
def test_a_damaged_line_is_named(tmp_path: Path, line: str) -> None:
    content = f"iteration,global_step,seconds,success\n1,1000,1,0.5\n{line}\n3,3000,1,0.5\n"
    (tmp_path / "progress.csv").write_text(content)
    with pytest.raises(LogError, match=r"progress.csv is damaged in line 3"):
        CsvFile(tmp_path / "progress.csv", 3)
    assert (tmp_path / "progress.csv").read_text() == content


LOSSES = make_metrics(1).losses


@pytest.mark.parametrize(
    ("losses", "message"),
    [
        ({**LOSSES, "entropy": 1.0}, r"it lacks loss_entropy\."),
        ({"policy": 0.0}, r"it also has loss_value, loss_gradient_norm\."),
        (dict(reversed([*LOSSES.items()])), r"their order differs\."),
    ],
)
def test_other_columns_are_refused_on_resuming(tmp_path: Path, losses: dict[str, float], message: str) -> None:
    with csv_log(tmp_path) as log:
        log.on_iteration(make_metrics(1), seconds=0.5)
    before = (tmp_path / "progress.csv").read_bytes()
    with csv_log(tmp_path, resume_at=1) as log, pytest.raises(LogError, match=rf"progress.csv has other.*{message}"):
        log.on_iteration(make_metrics(2, losses=losses), seconds=1)
    assert (tmp_path / "progress.csv").read_bytes() == before


def test_the_first_iteration_fixes_the_columns(tmp_path: Path) -> None:
    with csv_log(tmp_path) as log:
        log.on_iteration(make_metrics(1), seconds=0.5)
        log.on_iteration(make_metrics(2, losses={"value": 3.0}), seconds=1)
        with pytest.raises(LogError, match="no column loss_entropy"):
            log.on_iteration(make_metrics(3, losses={"entropy": 1.0}), seconds=1)
    assert [(row["loss_value"], row["loss_policy"]) for row in read_csv(tmp_path / "progress.csv")] == [
        ("2", "-0.125"), ("3", ""),
    ]  # fmt: skip

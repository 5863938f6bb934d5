"""`xworld teach`: from a picture to an agent in a file that obeys a new word."""

import io
from pathlib import Path
from typing import Any

import pytest
import torch
from rich.console import Console

from xworld.bench import teach as bench_of_teaching
from xworld.bench.teach import ICONS, NEW_THINGS
from xworld.cli.bench_teach import bench_teach
from xworld.cli.main import main
from xworld.cli.teach import _line
from xworld.word_learning import TaughtAgent, TeachingProgress, load_taught, teach
from xworld.world.catalogue import COLORS, Catalogue

ROCKET = str(ICONS / "rocket.png")


def test_teach_then_evaluate_then_teach_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "rocket.safetensors"
    assert main(["teach", "Rocket", "--icon", ROCKET, "--out", str(out), "--sessions", "20"]) == 0
    shown = capsys.readouterr().out
    assert "3,000 questions" in shown
    assert "'rocket'" in shown
    rows = {line.split()[0]: line.split()[1:] for line in shown.splitlines() if line.startswith(("nav", "rec"))}
    assert len(rows) == 16
    assert float(rows["nav_obj"][0]) >= 80
    assert rows["nav_obj"][1] == rows["nav_obj"][2]
    assert float(rows["nav_obj"][3]) >= 80
    assert len(rows["nav_col_obj"]) == 3, "a thing without a color is in no such command"
    assert "with something known in its place (avocado)" in shown
    assert main(["evaluate", str(out), "--sessions", "200"]) == 0
    shown = capsys.readouterr().out
    assert "taught 'rocket'" in shown
    assert "*nav_nr_obj" in shown
    key = ["teach", "key", "--icon", str(ICONS / "key.png"), "--color", "yellow", "--agent", str(out)]
    assert main([*key, "--out", str(tmp_path / "two"), "--sessions", "4"]) == 0
    assert load_taught(tmp_path / "two")[0].catalogue.added_classes == ("rocket", "key")


def test_nothing_is_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("rocket.safetensors").write_text("precious")
    assert main(["teach", "rocket", "--icon", ROCKET]) == 2
    assert "there is such a file already" in capsys.readouterr().err
    assert Path("rocket.safetensors").read_text() == "precious"


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["apple", "--icon", ROCKET], "knows already"),
        (["zebra", "--icon", "nowhere.png"], "--icon nowhere.png: no picture"),
        (["zebra", "--icon", __file__], "not an image"),
        (["zebra", "--icon", ROCKET, "--seed", "-1"], "--seed -1"),
        (["zebra", "--icon", ROCKET, "--sessions", "0"], "--sessions 0"),
        (["zebra", "--icon", ROCKET, "--agent", "nowhere"], "no such file"),
    ],
)
def test_mistakes_are_one_line(
    arguments: list[str],
    fault: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["teach", *arguments]) == 2
    error = capsys.readouterr().err
    assert fault in error
    assert error.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_new_things_are_new_and_drawn() -> None:
    assert len(NEW_THINGS) == 10
    assert set(NEW_THINGS).isdisjoint(Catalogue.load().classes)
    assert {path.stem for path in ICONS.glob("*.png")} == {path.stem for path in ICONS.glob("*.svg")} == set(NEW_THINGS)
    assert set(NEW_THINGS.values()) <= {"", *COLORS}


def test_progress_says_of_which_questions_it_tells() -> None:
    line = _line(" Rocket", TeachingProgress(progress=0.5, questions=1020, accuracy=0.97, seconds=1.25)).plain
    assert line.endswith("1,020 questions, 'rocket' named rightly 97 %, 1.2 s")
    assert len(line) <= 80


def test_the_bench_has_a_seed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    lessons, real = list[TaughtAgent](), teach

    def teach_and_note(*arguments: Any) -> TaughtAgent:
        lessons.append(real(*arguments))
        return lessons[-1]

    monkeypatch.setattr(bench_of_teaching, "teach", teach_and_note)
    for seed in (0, 7, 7):
        bench_teach(Console(file=io.StringIO()), sessions=1, seed=seed, words=("rocket",))
    first, other, again = (lesson.agent.words.embeddings[-1] for lesson in lessons)
    assert torch.equal(other, again)
    assert not torch.equal(first, other)
    assert main(["bench", "teach", "--seed", "-1"]) == 2
    assert "--seed -1" in capsys.readouterr().err


def test_the_table_of_the_bench_fits_into_80_columns() -> None:
    file = io.StringIO()
    bench_teach(Console(width=200, highlight=False, file=file), sessions=10, words=("rocket", "key"))
    lines = file.getvalue().splitlines()
    assert all(len(line) <= 80 for line in lines)
    cells = next(line.split() for line in lines if line.startswith("key "))
    assert len(cells) == 8
    assert float(cells[2]) >= 80
    assert -20 < float(cells[7]) < 20

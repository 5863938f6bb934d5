"""`xworld teach`: from a picture to a file with an agent that follows commands with a new word."""

import contextlib
import io
from pathlib import Path

import pytest

from xworld.bench.teach import ICONS
from xworld.cli.main import main
from xworld.cli.teach import _progress_line
from xworld.word_learning import TeachingProgress, load_taught

ROCKET = str(ICONS / "rocket.png")


@pytest.fixture(scope="module")
def rocket(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The file of an agent that was taught a word, and what the command printed."""
    out, shown = tmp_path_factory.mktemp("taught") / "rocket.safetensors", io.StringIO()
    with contextlib.redirect_stdout(shown):
        assert main(["teach", "Rocket", "--icon", ROCKET, "--out", str(out), "--sessions", "5"]) == 0
    return out, shown.getvalue()


def test_the_new_word_is_followed_and_the_rest_stays(rocket: tuple[Path, str]) -> None:
    shown = rocket[1]
    assert "Taught in 3,000 questions" in shown
    assert "'rocket'" in shown
    rows = {line.split()[0]: line.split()[1:] for line in shown.splitlines() if line.startswith(("nav", "rec"))}
    assert len(rows) == 16
    assert float(rows["nav_obj"][0]) >= 80
    assert rows["nav_obj"][1] == rows["nav_obj"][2]
    assert float(rows["nav_obj"][3]) >= 80
    assert len(rows["nav_col_obj"]) == 3, "a thing without a color is in no such command"
    assert "with a known thing in its place (avocado)" in shown


def test_a_taught_agent_can_be_evaluated(rocket: tuple[Path, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", str(rocket[0]), "--sessions", "20"]) == 0
    shown = capsys.readouterr().out
    assert "taught 'rocket'" in shown
    assert "*nav_nr_obj" in shown


def test_a_taught_agent_can_be_taught_more(rocket: tuple[Path, str], tmp_path: Path) -> None:
    key = ["teach", "key", "--icon", str(ICONS / "key.png"), "--color", "yellow", "--agent", str(rocket[0])]
    assert main([*key, "--out", str(tmp_path / "two"), "--sessions", "1"]) == 0
    assert load_taught(tmp_path / "two")[0].catalogue.added_classes == ("rocket", "key")


def test_nothing_is_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("rocket.safetensors").write_text("precious")
    assert main(["teach", "rocket", "--icon", ROCKET]) == 2
    assert "--out rocket.safetensors: this file exists already" in capsys.readouterr().err
    assert Path("rocket.safetensors").read_text() == "precious"


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["apple", "--icon", ROCKET], "knows already"),
        (["zebra", "--icon", "nowhere.png"], "--icon nowhere.png: no picture"),
        (["zebra", "--icon", __file__], "not an image"),
        (["zebra", "--icon", ROCKET, "--seed", "-1"], "--seed -1"),
        (["zebra", "--icon", ROCKET, "--sessions", "0"], "--sessions 0"),
        (["zebra", "--icon", ROCKET, "--agent", "nowhere"], "no agent 'nowhere': bundled are Standard, NWNavRec"),
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


def test_progress_counts_questions_about_the_new_word() -> None:
    line = _progress_line(" Rocket", TeachingProgress(progress=0.5, questions=1020, accuracy=0.97, seconds=1.25))
    assert line == "1,020 questions, 'rocket' named correctly 97 %, 1.2 s"
    assert len(line) <= 80 - 25, "it stands beside a bar of 24 columns"

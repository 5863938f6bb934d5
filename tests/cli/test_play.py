"""`xworld play` refuses what it cannot do, before it touches the terminal."""

import io
from pathlib import Path

import pytest

from xworld.cli.main import main
from xworld.cli.play import Play
from xworld.teacher.settings import SettingsError


def test_without_a_terminal_one_line_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert main(["play"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("xworld: play needs a terminal")
    assert len(error.splitlines()) == 1


@pytest.mark.parametrize(
    ("play", "message"),
    [
        (Play(seed=-1), "--seed -1"),
        (Play(sessions=0), "--sessions 0"),
        (Play(level=1.5), "--level 1.5"),
        (Play(commands=("nav_moon",)), "no type 'nav_moon'"),
        (Play(commands=()), "at least one type"),
    ],
)
def test_bad_options_are_refused(play: Play, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        play.run()


@pytest.mark.parametrize(("play", "message"), [(Play(condition="X"), "no condition"), (Play(pack=Path("no")), "pack")])
def test_unknown_conditions_and_packs_are_refused(play: Play, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        play.run()

"""`xworld play` refuses what it cannot do, before it touches the terminal."""

import io
from pathlib import Path

import pytest

from xworld.cli.main import main
from xworld.cli.play import PlayCommand
from xworld.world.checks import SettingsError


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
        (PlayCommand(seed=-1), "--seed -1"),
        (PlayCommand(sessions=0), "--sessions 0"),
        (PlayCommand(level=1.5), "--level 1.5"),
        (PlayCommand(commands=()), "at least one type"),
    ],
)
def test_bad_options_are_refused(play: PlayCommand, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        play.run()


def test_an_unknown_pack_is_refused() -> None:
    with pytest.raises(ValueError, match="pack"):
        PlayCommand(pack=Path("no")).run()


@pytest.mark.parametrize(("option", "listed"), [("--condition X", "NWNavRec"), ("--commands nav_moon", "nav_bw_obj")])
def test_a_wrong_choice_shows_the_list(option: str, listed: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["play", *option.split()])
    assert listed in capsys.readouterr().err

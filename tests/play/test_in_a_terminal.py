"""The real program in a pseudo-terminal, as a person runs it."""

import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from xworld.cli.main import main
from xworld.cli.play import QUESTION_RATE, Play
from xworld.play.game import Game
from xworld.teacher.oracle import expert_actions
from xworld.teacher.settings import SettingsError, TeacherSettings
from xworld.teacher.simulator import Simulator

SOURCE = Path(__file__).parents[2] / "src"
PATIENCE = 60
"""Seconds to wait for something to appear: the kernels may have to be compiled first."""
ARROWS = (b"\x1b[A", b"\x1b[B", b"\x1b[D", b"\x1b[C")
LEFT_SCREEN = "\x1b[?2004l\x1b[?25h\x1b[?1049l"
"""No brackets around pasted text, the cursor shown, and the main screen back."""
SEED = 4


class Session:
    """The program, its end of the terminal and ours."""

    def __init__(self, *options: str, **environment: str) -> None:
        self.ours, self.theirs = pty.openpty()
        termios.tcsetwinsize(self.theirs, (24, 80))
        self.settings = self.settings_now()
        self.seen = ""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "xworld.cli.main", "play", *options],
            stdin=self.theirs,
            stdout=self.theirs,
            stderr=self.theirs,
            start_new_session=True,
            env=_environment(environment),
        )

    def settings_now(self) -> list[Any]:
        settings = termios.tcgetattr(self.theirs)
        settings[3] &= ~termios.PENDIN  # on macOS a sign that the mode was changed, not a mode
        return settings

    def wait_for(self, text: str) -> str:
        """Read until a text appears; returns everything up to it, and removes that from `seen`."""
        deadline = time.monotonic() + PATIENCE
        while text not in self.seen:
            assert time.monotonic() < deadline, f"{text!r} did not come; this did: {self.seen[-2000:]!r}"
            self._read(0.1)
        before, self.seen = self.seen.split(text, 1)
        return before + text

    def press(self, keys: bytes) -> None:
        os.write(self.ours, keys)

    def finish(self) -> int:
        """Read until the program ends; returns its exit code."""
        deadline = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < deadline
            self._read(0.05)
        self._read(0)
        return self.process.returncode

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.ours)
        os.close(self.theirs)

    def _read(self, patience: float) -> None:
        while select.select([self.ours], [], [], patience)[0]:
            self.seen += os.read(self.ours, 65536).decode(errors="replace")
            patience = 0


def _environment(changes: dict[str, str]) -> dict[str, str]:
    display = ("NO_COLOR", "COLORTERM", "TERM", "COLUMNS", "LINES")
    kept = {key: value for key, value in os.environ.items() if key not in display}
    return kept | {"PYTHONPATH": str(SOURCE), "TERM": "xterm-256color", "PYTHONUTF8": "1"} | changes


@pytest.fixture
def session() -> Iterator[Any]:
    started: list[Session] = []

    def start(*options: str, **environment: str) -> Session:
        started.append(Session(*options, **environment))
        return started[-1]

    yield start
    for one in started:
        one.close()


def test_a_game_from_beginning_to_end(session: Any) -> None:
    shadow = Game(Simulator(1, settings=TeacherSettings(question_rate=QUESTION_RATE)), SEED)
    here = session("--seed", str(SEED), COLORTERM="truecolor")
    here.wait_for("\x1b[?1049h")
    assert "\x1b[38;2;" in here.wait_for("Teacher: ")
    while shadow.ending is None:
        if shadow.question:
            shadow.answer("nothing")
            here.press(b"noth\t\r")
            here.wait_for(f"answers {shadow.score.correct}/{shadow.score.asked}")
        action = int(expert_actions(shadow.simulator)[0])
        shadow.step(action)
        here.press(ARROWS[action])
        here.wait_for(f"step {shadow.steps}/{shadow.time_limit}")
    here.wait_for("Reached in")
    here.press(b"q")
    assert here.finish() == 0
    assert here.settings_now() == here.settings
    _, summary = here.seen.split(LEFT_SCREEN)
    assert summary.splitlines() == shadow.score.summary()


def test_resizing_suspending_and_a_kill_restore_the_terminal(session: Any) -> None:
    here = session("--seed", "1", "--no-questions")
    here.wait_for("q quit")
    termios.tcsetwinsize(here.theirs, (40, 120))
    redrawn = here.wait_for("\x1b[28;1H")  # the last line of a larger map
    assert "\x1b[2J" in redrawn
    os.kill(here.process.pid, signal.SIGTSTP)
    os.waitpid(here.process.pid, os.WUNTRACED)  # until it has stopped
    here.wait_for(LEFT_SCREEN)
    assert here.settings_now() == here.settings
    os.kill(here.process.pid, signal.SIGCONT)
    here.wait_for("q quit")
    os.kill(here.process.pid, signal.SIGTERM)
    assert here.finish() == 128 + signal.SIGTERM
    assert LEFT_SCREEN in here.seen
    assert here.settings_now() == here.settings


def test_a_dumb_terminal_gets_lines_and_nothing_else(session: Any) -> None:
    here = session("--seed", "1", "--no-questions", TERM="dumb")
    drawn = here.wait_for("@@") + here.wait_for("q quit")
    here.press(b"\x1bn")  # Alt-n is nothing
    here.press(b"n")
    drawn += here.wait_for("Given up")
    os.kill(here.process.pid, signal.SIGINT)
    assert here.finish() == 128 + signal.SIGINT
    assert "\x1b" not in drawn + here.seen
    assert "target reached in 0 of 1 session" in here.seen
    assert here.settings_now() == here.settings


def test_without_a_terminal_one_line_says_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
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

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

from xworld.cli.play import QUESTION_RATE
from xworld.play.game import Game
from xworld.teacher.oracle import expert_actions
from xworld.teacher.settings import TeacherSettings
from xworld.teacher.simulator import Simulator

SOURCE = Path(__file__).parents[2] / "src"
PATIENCE = 120
"""Seconds to wait for something to appear: the kernels may have to be compiled first."""
ARROWS = (b"\x1b[A", b"\x1b[B", b"\x1b[D", b"\x1b[C")
LEFT_SCREEN = "\x1b[?2004l\x1b[?25h\x1b[?1049l"
"""No brackets around pasted text, the cursor shown, and the main screen back."""
SEED = 4


class Program:
    """`xworld play` with a terminal: the program has one end, the test the other."""

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
def launch() -> Iterator[Any]:
    started: list[Program] = []

    def start(*options: str, **environment: str) -> Program:
        started.append(Program(*options, **environment))
        return started[-1]

    yield start
    for program in started:
        program.close()


def test_a_game_from_beginning_to_end(launch: Any) -> None:
    shadow = Game(Simulator(1, settings=TeacherSettings(question_rate=QUESTION_RATE)), SEED)
    program = launch("--seed", str(SEED), COLORTERM="truecolor")
    program.wait_for("\x1b[?1049h")
    assert "\x1b[38;2;" in program.wait_for("Teacher: ")
    while shadow.ending is None:
        if shadow.question:
            shadow.answer("nothing")
            program.press(b"noth\t\r")
            program.wait_for(f"answers {shadow.score.correct}/{shadow.score.asked}")
        action = int(expert_actions(shadow.simulator)[0])
        shadow.step(action)
        program.press(ARROWS[action])
        program.wait_for(f"step {shadow.steps}/{shadow.world['time_limit']}")
    program.wait_for("Reached in")
    program.press(b"q")
    assert program.finish() == 0
    assert program.settings_now() == program.settings
    _, summary = program.seen.split(LEFT_SCREEN)
    assert summary.splitlines() == shadow.score.summary()


def test_resizing_suspending_and_a_kill_restore_the_terminal(launch: Any) -> None:
    program = launch("--seed", "1", "--no-questions")
    program.wait_for("q quit")
    termios.tcsetwinsize(program.theirs, (40, 120))
    redrawn = program.wait_for("\x1b[28;1H")  # the last line of a larger map
    assert "\x1b[2J" in redrawn
    os.kill(program.process.pid, signal.SIGTSTP)
    program.wait_for(LEFT_SCREEN)
    os.waitpid(program.process.pid, os.WUNTRACED)  # until it has stopped
    assert program.settings_now() == program.settings
    os.kill(program.process.pid, signal.SIGCONT)
    program.wait_for("q quit")
    os.kill(program.process.pid, signal.SIGTERM)
    assert program.finish() == 128 + signal.SIGTERM
    assert LEFT_SCREEN in program.seen
    assert program.settings_now() == program.settings


def test_a_dumb_terminal_gets_lines_and_nothing_else(launch: Any) -> None:
    program = launch("--seed", "1", "--no-questions", TERM="dumb")
    drawn = program.wait_for("@@") + program.wait_for("q quit")
    program.press(b"\x1bn")  # Alt-n is nothing
    program.press(b"n")
    drawn += program.wait_for("Given up")
    os.kill(program.process.pid, signal.SIGINT)
    assert program.finish() == 128 + signal.SIGINT
    assert "\x1b" not in drawn + program.seen
    assert "target reached in 0 of 1 session" in program.seen
    assert program.settings_now() == program.settings

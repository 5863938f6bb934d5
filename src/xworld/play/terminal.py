"""The terminal on Linux and macOS: single keys, full-screen drawing, and everything restored afterwards."""

import os
import select
import signal
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import zip_longest
from shutil import get_terminal_size
from types import FrameType

from rich.console import Console
from rich.control import Control
from rich.segment import ControlType
from rich.text import Text

from xworld.play.color import ColorDepth
from xworld.play.keyboard import END_OF_INPUT, REDRAW, Decoder

ESCAPE_DELAY = 0.05
"""Seconds to wait for the rest of a key's sequence, whose bytes may arrive apart on a slow connection."""
POLL_INTERVAL = 0.1
"""Seconds between two checks of the window's size while no key is pressed."""

_EXIT_SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
_ENTER_SCREEN = f"\x1b[?2004h{Control.alt_screen(True)}{Control.show_cursor(False)}"
_LEAVE_SCREEN = f"\x1b[?2004l{Control.show_cursor(True)}{Control.alt_screen(False)}"
"""2004: pasted text arrives in brackets, so that it can be told from typed keys."""
_ERASE_LINE = Control((ControlType.ERASE_IN_LINE, 2))


class Terminal:
    """Reads keys and shows lines."""

    def __init__(self, depth: ColorDepth, dumb: bool = False) -> None:
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise OSError("play needs a terminal: no pipes or redirections, and over ssh `ssh -t host xworld play`")
        self._console = Console(color_system=depth.value, highlight=False)
        self._dumb = dumb
        self._stdin = sys.stdin.fileno()
        self._settings = termios.tcgetattr(self._stdin)
        self._decoder = Decoder()
        self._keys: list[str] = []
        self._shown: list[Text] = []
        self._shown_size = get_terminal_size()
        self._suspend_requested = False

    @contextmanager
    def full_screen(self) -> Iterator[None]:
        """Take over the terminal, and restore it even after an error, ctrl-C or a signal that ends the program."""
        handlers = {number: signal.getsignal(number) for number in (*_EXIT_SIGNALS, signal.SIGTSTP)}
        try:
            for number in _EXIT_SIGNALS:
                signal.signal(number, _exit)
            signal.signal(signal.SIGTSTP, self._request_suspend)
            self._enter()
            yield
        finally:
            self._leave()
            for number, handler in handlers.items():
                signal.signal(number, handler)

    def show(self, lines: list[Text]) -> None:
        """Draw the lines that changed. A dumb terminal writes all of them below the previous ones."""
        if self._dumb:
            self._console.print(*lines, "", sep="\n", soft_wrap=True)
            return
        with self._console:  # written at once when the block ends
            for row, (line, shown) in enumerate(zip_longest(lines, self._shown, fillvalue=Text())):
                if line != shown:
                    self._console.control(Control.move_to(0, row), _ERASE_LINE)
                    self._console.print(line, end="", soft_wrap=True)
        self._shown = lines

    def read_key(self) -> str:
        """Wait for the next key, or for a reason to redraw."""
        while not self._keys:
            pending = self._decoder.pending
            if select.select([self._stdin], [], [], ESCAPE_DELAY if pending else POLL_INTERVAL)[0]:
                data = os.read(self._stdin, 1024)
                self._keys += self._decoder.feed(data) if data else [END_OF_INPUT]
            elif pending:
                self._keys += self._decoder.flush()
            elif self._suspend_requested:
                self._suspend()
            elif get_terminal_size() != self._shown_size:
                self._keys.append(REDRAW)
        if self._keys[0] == REDRAW:
            self._clear()
        return self._keys.pop(0)

    def _enter(self) -> None:
        tty.setcbreak(self._stdin)
        print("" if self._dumb else _ENTER_SCREEN, end="", flush=True)

    def _leave(self) -> None:
        """Without the console: a signal may have interrupted it in the middle of writing."""
        with suppress(OSError, termios.error):  # the window may be closed already
            print("" if self._dumb else _LEAVE_SCREEN, end="", flush=True)
            termios.tcsetattr(self._stdin, termios.TCSAFLUSH, self._settings)

    def _clear(self) -> None:
        self._shown, self._shown_size = [], get_terminal_size()
        if not self._dumb:
            self._console.clear()

    def _request_suspend(self, number: int, frame: FrameType | None) -> None:
        """Ctrl-Z. `read_key` suspends, because the signal may arrive in the middle of drawing."""
        self._suspend_requested = True

    def _suspend(self) -> None:
        """Give the shell its terminal as it was; `fg` returns to the game."""
        self._suspend_requested = False
        self._leave()
        os.kill(os.getpid(), signal.SIGSTOP)
        self._enter()
        self._keys.append(REDRAW)


def _exit(number: int, frame: FrameType | None) -> None:
    """Exit by an exception, so that the terminal is restored on the way out."""
    sys.exit(128 + number)

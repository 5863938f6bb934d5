"""The terminal, on Linux and macOS: keys one by one, a screen of its own, and all put back afterwards."""

import os
import select
import signal
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from xworld.play.keyboard import END, PATIENCE, RESIZED, Decoder

_ENTER = "\x1b[?1049h\x1b[?25l\x1b[2J"
"""Another screen, no cursor, nothing on it."""
_LEAVE = "\x1b[0m\x1b[?25h\x1b[?1049l"
_USUAL_SIZE = os.terminal_size((80, 24))
_ENDINGS = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


class TerminalError(ValueError):
    """No terminal to play in; the message says what to do."""


def check_terminal() -> None:
    """Refuse pipes and files."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise TerminalError("play needs a terminal: no pipes or redirections, and over ssh `ssh -t host xworld play`")


@contextmanager
def open_terminal(dumb: bool = False) -> Iterator["Terminal"]:
    """Take the terminal over, and put it back whatever happens: an error, Ctrl-C, a signal to end."""
    terminal = Terminal(sys.stdin.fileno(), sys.stdout.fileno(), dumb)
    try:
        terminal.take()
        yield terminal
    finally:
        terminal.give_back()


class Terminal:
    """A terminal that gives keys and shows lines."""

    def __init__(self, keys: int, screen: int, dumb: bool) -> None:
        self._keys, self._screen, self._dumb = keys, screen, dumb
        self._settings = termios.tcgetattr(keys)
        self._handlers = {number: signal.getsignal(number) for number in (*_ENDINGS, signal.SIGWINCH, signal.SIGTSTP)}
        self._bell, self._ring = os.pipe()  # a signal rings, so that waiting for a key ends
        os.set_blocking(self._ring, False)
        self._decoder = Decoder()
        self._ready: list[str] = []
        self._shown: list[str] = []

    def take(self) -> None:
        """Keys come at once and unseen; signals are handled here."""
        for number in _ENDINGS:
            signal.signal(number, _end)
        signal.signal(signal.SIGWINCH, self._redraw)
        signal.signal(signal.SIGTSTP, self._stop)
        self._enter()

    def give_back(self) -> None:
        """Everything as it was before."""
        self._leave()
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        os.close(self._bell)
        os.close(self._ring)

    def size(self) -> os.terminal_size:
        """Columns and rows of the window; some serial lines do not know theirs."""
        try:
            size = os.get_terminal_size(self._screen)
        except OSError:
            return _USUAL_SIZE
        return size if size.columns and size.lines else _USUAL_SIZE

    def show(self, lines: list[str]) -> None:
        """Draw the lines that have changed; a dumb terminal gets them all, beneath what it shows already."""
        if self._dumb:
            self._write("\n".join([*lines, "", ""]))
            return
        blank = [""] * (len(self._shown) - len(lines))
        changed = [
            f"\x1b[{row};1H\x1b[2K{line}"
            for row, line in enumerate([*lines, *blank], start=1)
            if row > len(self._shown) or line != self._shown[row - 1]
        ]
        self._shown = lines
        self._write("".join(changed))

    def read_key(self) -> str:
        """Wait for the next key, or for a reason to draw anew."""
        while not self._ready:
            waiting = self._decoder.waiting
            found, _, _ = select.select([self._keys, self._bell], [], [], PATIENCE if waiting else None)
            if self._bell in found:
                os.read(self._bell, 1024)
                self._shown = []
                self._write("" if self._dumb else "\x1b[2J")
                return RESIZED
            self._ready = self._read() if found else self._decoder.flush()
        return self._ready.pop(0)

    def _read(self) -> list[str]:
        data = os.read(self._keys, 1024)
        return self._decoder.feed(data) if data else [END]

    def _enter(self) -> None:
        tty.setcbreak(self._keys)
        if not self._dumb:
            self._write(_ENTER)

    def _leave(self) -> None:
        with suppress(OSError, termios.error):  # the window may be gone already
            if not self._dumb:
                self._write(_LEAVE)
            termios.tcsetattr(self._keys, termios.TCSAFLUSH, self._settings)

    def _redraw(self, number: int, frame: FrameType | None) -> None:
        with suppress(BlockingIOError):  # it has rung often enough
            os.write(self._ring, b"!")

    def _stop(self, number: int, frame: FrameType | None) -> None:
        """Ctrl-Z: the shell gets its terminal as it was, and `fg` comes back to the game."""
        self._leave()
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, self._stop)
        self._enter()
        self._redraw(number, frame)

    def _write(self, text: str) -> None:
        data = text.encode()
        while data:
            data = data[os.write(self._screen, data) :]


def _end(number: int, frame: FrameType | None) -> None:
    """Leave by an exception, so that the terminal is put back on the way out."""
    sys.exit(128 + number)

"""What commands print: lines, tables of numbers, and a screen that is redrawn in place."""

import math
import time
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Self

from rich.console import Console, Group, RenderableType
from rich.constrain import Constrain
from rich.live import Live
from rich.padding import Padding
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from xworld.evaluation.rate import Rate

REFRESH_SECONDS = 1.0
"""A screen is drawn no more often than this."""
LINE_SECONDS = 10.0
"""Without a terminal, a line is printed no more often than this."""
QUIET, LOUD, COLOR = "dim", "bold", "cyan"
_WIDTH = 80


class LiveScreen:
    """A screen of 80 columns, redrawn in place; where that is impossible, as in a log file, a plain line instead."""

    def __init__(self, title: str, console: Console, clock: Callable[[], float] = time.monotonic) -> None:
        self._title, self._console, self._clock = title, console, clock
        can_draw = console.is_terminal and not console.is_dumb_terminal and not console.options.ascii_only
        # No thread redraws it: in between, it takes no time from training.
        self._live = Live(console=console, auto_refresh=False) if can_draw else None
        self._shown_at = -math.inf

    def __enter__(self) -> Self:
        if self._live is None:
            self.say(self._title)
        else:
            self._live.start()
            self._live.update(self.picture(), refresh=True)
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def line(self) -> str:
        """The current state in one line."""
        raise NotImplementedError

    def parts(self) -> Iterable[RenderableType]:
        """What stands on the screen below the title."""
        raise NotImplementedError

    def picture(self) -> RenderableType:
        """The whole screen."""
        title = Text(self._title, style=LOUD, no_wrap=True, overflow="ellipsis")
        return Constrain(Padding(Group(title, "", *self.parts()), (0, 1)), _WIDTH)

    def say(self, line: str) -> None:
        """Print a line, above the screen if there is one."""
        say(self._console, line)

    def _is_due(self) -> bool:
        return self._clock() - self._shown_at >= (LINE_SECONDS if self._live is None else REFRESH_SECONDS)

    def _refresh(self) -> None:
        self._shown_at = self._clock()
        if self._live is None:
            self.say(self.line())
        else:
            self._live.update(self.picture(), refresh=True)


def say(console: Console, line: str) -> None:
    """Print a line as it is: brackets are no markup, and a path is not broken in two."""
    console.print(Text(line), soft_wrap=True)


def number_table(first: str, *others: str, rows: Iterable[Iterable[str]] = ()) -> Table:
    """A table with names in its first column and numbers in the others."""
    table = Table(first, box=None, pad_edge=False)
    for title in others:
        table.add_column(title, justify="right")
    for row in rows:
        table.add_row(*row)
    return table


def percent(rate: Rate | None, digits: int = 2) -> str:
    """A rate in a table; empty where nothing was tried."""
    return f"{100 * rate.value:.{digits}f}" if rate is not None and rate.trials else ""


def bar(done: float, of: float, width: int | None) -> ProgressBar:
    """A progress bar."""
    return ProgressBar(max(of, 1), done, width, style="bright_black", complete_style=COLOR, finished_style=COLOR)


def span(seconds: float) -> str:
    """A duration, such as 1:02:03."""
    return str(timedelta(seconds=round(seconds)))

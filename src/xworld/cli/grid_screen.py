"""The screen of `xworld reproduce`: how a grid of jobs goes, on 80 columns; without a terminal, plain lines instead."""

import math
import time
from collections.abc import Callable
from datetime import timedelta

from rich.console import Console, Group, RenderableType
from rich.constrain import Constrain
from rich.live import Live
from rich.padding import Padding
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from xworld.cli.dashboard import LINE_SECONDS, REFRESH_SECONDS
from xworld.experiments.campaign import Campaign, State
from xworld.experiments.grid import Job
from xworld.experiments.standing import Standing, standing

_WIDTH, _BAR, _ROWS = 80, 20, 16
"""Columns of the screen and of a bar; running jobs that are listed."""
_QUIET, _LOUD, _COLOUR, _TRACK = "dim", "bold", "cyan", "bright_black"


class GridScreen:
    """Shows a campaign now and then, and says at once what has happened."""

    def __init__(
        self, title: str, frames: int, console: Console | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`frames` are those of a whole job."""
        self._title, self._frames, self._console, self._clock = title, frames, console or Console(), clock
        self._picture: RenderableType = Text(title, style=_LOUD)
        drawn = self._console.is_terminal and not self._console.is_dumb_terminal
        self._live = Live(console=self._console, auto_refresh=False, get_renderable=self._get) if drawn else None
        self._pause = REFRESH_SECONDS if drawn else LINE_SECONDS
        self._began, self._shown_at, self._first = clock(), -math.inf, math.nan

    def __enter__(self) -> "GridScreen":
        if self._live is None:
            self.say(self._title)
        else:
            self._live.start(refresh=True)
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def say(self, line: str) -> None:
        """Print a line, above the picture if there is one."""
        self._console.print(Text(line), soft_wrap=True)

    def show(self, campaign: Campaign) -> None:
        """Show how far everything is, if the last time is long enough ago."""
        if self._clock() - self._shown_at < self._pause:
            return
        self._shown_at = self._clock()
        standings = self._running(campaign)
        left = self._time_left(campaign, standings)
        if self._live is None:
            clock = f"{_span(self._clock() - self._began)}, {left} left"
            self.say(f"{_counts(campaign, standings)}; {clock}{_in_words(standings)}")
        else:
            self._picture = self._draw(campaign, standings, left)
            self._live.refresh()

    def _get(self) -> RenderableType:
        return self._picture

    def _running(self, campaign: Campaign) -> dict[Job, Standing | None]:
        """The jobs under way, here or elsewhere, and how far they are."""
        return {job: standing(campaign.path(job)) for job in campaign.among(State.RUNNING, State.ELSEWHERE)}

    def _time_left(self, campaign: Campaign, standings: dict[Job, Standing | None]) -> str:
        """As long as the rest takes at the speed since this screen began; a question mark before it is known."""
        rest = len(campaign.among(State.WAITING)) + sum(1 - self._part(latest) for latest in standings.values())
        if math.isnan(self._first):
            self._first = rest
        elapsed, achieved = self._clock() - self._began, self._first - rest
        return _span(elapsed / achieved * rest) if achieved > 0 else "?"

    def _part(self, latest: Standing | None) -> float:
        return min(1.0, latest.frames / self._frames) if latest else 0.0

    def _draw(self, campaign: Campaign, standings: dict[Job, Standing | None], left: str) -> RenderableType:
        head = Table.grid(padding=(0, 2))
        clock = f"{_span(self._clock() - self._began)}, {left} left"
        head.add_row(_bar(len(campaign.among(State.DONE)), len(campaign.jobs), 2 * _BAR), clock)
        table = Table.grid(padding=(0, 2))
        rows = sorted(standings.items(), key=lambda row: row[1] is None)  # those of which there is something to tell
        for job, latest in rows[:_ROWS]:
            part = self._part(latest)
            table.add_row(_bar(part, 1), f"{100 * part:3.0f} %", job.name, _success(latest))
        more = len(standings) - _ROWS
        rest: list[RenderableType] = [Text(f"and {more} more", style=_QUIET)] if more > 0 else []
        title = Text(self._title, style=_LOUD, overflow="ellipsis", no_wrap=True)
        counts = Text(_counts(campaign, standings), style=_QUIET)
        parts: list[RenderableType] = [title, "", head, counts, "", table, *rest]
        return Constrain(Padding(Group(*parts), (0, 1)), _WIDTH)


def _counts(campaign: Campaign, standings: dict[Job, Standing | None]) -> str:
    """So many jobs in each state that there is; one that runs and has not told anything yet is starting."""
    counts = {state.value: len(campaign.among(state)) for state in State}
    counts["starting"] = sum(standings[job] is None for job in campaign.among(State.RUNNING))
    counts[State.RUNNING.value] -= counts["starting"]
    done = counts.pop(State.DONE.value)
    return f"{done} of {len(campaign.jobs)} done" + "".join(f", {n} {name}" for name, n in counts.items() if n)


def _in_words(standings: dict[Job, Standing | None]) -> str:
    """The running jobs and how far they have come, in words."""
    told = [f"{job.name} {_success(latest)}" for job, latest in standings.items() if latest]
    return f" ({'; '.join(told)})" if told else ""


def _success(latest: Standing | None) -> str:
    if latest is None:
        return "starting"
    return f"success {100 * latest.success:.1f} %" if latest.success is not None else "no session has ended yet"


def _bar(done: float, of: float, width: int = _BAR) -> ProgressBar:
    return ProgressBar(of, done, width, style=_TRACK, complete_style=_COLOUR, finished_style=_COLOUR)


def _span(seconds: float) -> str:
    return str(timedelta(seconds=round(seconds)))

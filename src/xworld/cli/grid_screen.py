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
from xworld.experiments.grid import Job
from xworld.experiments.job_progress import JobProgress, standing
from xworld.experiments.scheduler import Scheduler, State

_WIDTH, _BAR, _ROWS = 80, 20, 16
"""Columns of the screen and of a bar; running jobs that are listed."""
_QUIET, _LOUD, _COLOR, _TRACK = "dim", "bold", "cyan", "bright_black"


class GridScreen:
    """Shows a scheduler now and then, and says at once what has happened."""

    def __init__(
        self, title: str, global_step: int, console: Console | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`global_step` are those of a whole job."""
        self._title, self._frames, self._console, self._clock = title, global_step, console or Console(), clock
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

    def show(self, scheduler: Scheduler) -> None:
        """Show how far everything is, if the last time is long enough ago."""
        if self._clock() - self._shown_at < self._pause:
            return
        self._shown_at = self._clock()
        standings = self._running(scheduler)
        left = self._time_left(scheduler, standings)
        if self._live is None:
            clock = f"{_span(self._clock() - self._began)}, {left} left"
            self.say(f"{_counts(scheduler, standings)}; {clock}{_in_words(standings)}")
        else:
            self._picture = self._draw(scheduler, standings, left)
            self._live.refresh()

    def _get(self) -> RenderableType:
        return self._picture

    def _running(self, scheduler: Scheduler) -> dict[Job, JobProgress | None]:
        """The jobs under way, here or elsewhere, and how far they are."""
        return {job: standing(scheduler.path(job)) for job in scheduler.among(State.RUNNING, State.ELSEWHERE)}

    def _time_left(self, scheduler: Scheduler, standings: dict[Job, JobProgress | None]) -> str:
        """As long as the rest takes at the speed since this screen began; a question mark before it is known."""
        rest = len(scheduler.among(State.WAITING)) + sum(1 - self._part(latest) for latest in standings.values())
        if math.isnan(self._first):
            self._first = rest
        elapsed, achieved = self._clock() - self._began, self._first - rest
        return _span(elapsed / achieved * rest) if achieved > 0 else "?"

    def _part(self, latest: JobProgress | None) -> float:
        return min(1.0, latest.global_step / self._frames) if latest else 0.0

    def _draw(self, scheduler: Scheduler, standings: dict[Job, JobProgress | None], left: str) -> RenderableType:
        head = Table.grid(padding=(0, 2))
        clock = f"{_span(self._clock() - self._began)}, {left} left"
        head.add_row(_bar(len(scheduler.among(State.DONE)), len(scheduler.jobs), 2 * _BAR), clock)
        table = Table.grid(padding=(0, 2))
        rows = sorted(standings.items(), key=lambda row: row[1] is None)  # those of which there is something to tell
        for job, latest in rows[:_ROWS]:
            part = self._part(latest)
            table.add_row(_bar(part, 1), f"{100 * part:3.0f} %", job.name, _success(latest))
        more = len(standings) - _ROWS
        rest: list[RenderableType] = [Text(f"and {more} more", style=_QUIET)] if more > 0 else []
        title = Text(self._title, style=_LOUD, overflow="ellipsis", no_wrap=True)
        counts = Text(_counts(scheduler, standings), style=_QUIET)
        parts: list[RenderableType] = [title, "", head, counts, "", table, *rest]
        return Constrain(Padding(Group(*parts), (0, 1)), _WIDTH)


def _counts(scheduler: Scheduler, standings: dict[Job, JobProgress | None]) -> str:
    """So many jobs in each state that there is; one that runs and has not told anything yet is starting."""
    counts = {state.value: len(scheduler.among(state)) for state in State}
    counts["starting"] = sum(standings[job] is None for job in scheduler.among(State.RUNNING))
    counts[State.RUNNING.value] -= counts["starting"]
    done = counts.pop(State.DONE.value)
    return f"{done} of {len(scheduler.jobs)} done" + "".join(f", {n} {name}" for name, n in counts.items() if n)


def _in_words(standings: dict[Job, JobProgress | None]) -> str:
    """The running jobs and how far they have come, in words."""
    told = [f"{job.name} {_success(latest)}" for job, latest in standings.items() if latest]
    return f" ({'; '.join(told)})" if told else ""


def _success(latest: JobProgress | None) -> str:
    if latest is None:
        return "starting"
    return f"success {100 * latest.success:.1f} %" if latest.success is not None else "no session has ended yet"


def _bar(done: float, of: float, width: int = _BAR) -> ProgressBar:
    return ProgressBar(of, done, width, style=_TRACK, complete_style=_COLOR, finished_style=_COLOR)


def _span(seconds: float) -> str:
    return str(timedelta(seconds=round(seconds)))

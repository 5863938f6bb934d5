"""The screen of `xworld reproduce`, for a terminal of 80 columns; without a terminal, plain lines instead."""

import math
import time
from collections.abc import Callable

from rich.console import Console, Group, RenderableType
from rich.constrain import Constrain
from rich.live import Live
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from xworld.cli.dashboard import LINE_SECONDS, LOUD, QUIET, REFRESH_SECONDS, bar, span
from xworld.experiments.grid import Job
from xworld.experiments.job_progress import JobProgress, read_progress
from xworld.experiments.scheduler import Scheduler, State

_WIDTH, _BAR, _ROWS = 80, 20, 16
"""Columns of the screen and of a bar; the most running jobs that are listed."""


class GridScreen:
    """Shows a scheduler now and then, and prints events at once."""

    def __init__(
        self, title: str, total_steps: int, console: Console | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`total_steps` is the length of a job."""
        self._title, self._total_steps, self._console, self._clock = title, total_steps, console or Console(), clock
        self._picture: RenderableType = Text(title, style=LOUD)
        drawn = self._console.is_terminal and not self._console.is_dumb_terminal
        self._live = Live(console=self._console, auto_refresh=False, get_renderable=self._get) if drawn else None
        self._pause = REFRESH_SECONDS if drawn else LINE_SECONDS
        self._start, self._shown_at, self._first = clock(), -math.inf, math.nan

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
        """Print a line, above the screen if there is one."""
        self._console.print(Text(line), soft_wrap=True)

    def show(self, scheduler: Scheduler) -> None:
        """Show the state of all jobs, unless it was shown a moment ago."""
        if self._clock() - self._shown_at < self._pause:
            return
        self._shown_at = self._clock()
        running = self._running(scheduler)
        left = self._time_left(scheduler, running)
        if self._live is None:
            clock = f"{span(self._clock() - self._start)}, {left} left"
            self.say(f"{_counts(scheduler, running)}; {clock}{_in_words(running)}")
        else:
            self._picture = self._draw(scheduler, running, left)
            self._live.refresh()

    def _get(self) -> RenderableType:
        return self._picture

    def _running(self, scheduler: Scheduler) -> dict[Job, JobProgress | None]:
        """The running jobs, here or elsewhere, and their progress."""
        return {job: read_progress(scheduler.path(job)) for job in scheduler.in_state(State.RUNNING, State.ELSEWHERE)}

    def _time_left(self, scheduler: Scheduler, running: dict[Job, JobProgress | None]) -> str:
        """Estimated from the speed since this screen started; a question mark before it is known."""
        rest = len(scheduler.in_state(State.WAITING)) + sum(1 - self._fraction(latest) for latest in running.values())
        if math.isnan(self._first):
            self._first = rest
        elapsed, achieved = self._clock() - self._start, self._first - rest
        return span(elapsed / achieved * rest) if achieved > 0 else "?"

    def _fraction(self, latest: JobProgress | None) -> float:
        return min(1.0, latest.global_step / self._total_steps) if latest else 0.0

    def _draw(self, scheduler: Scheduler, running: dict[Job, JobProgress | None], left: str) -> RenderableType:
        head = Table.grid(padding=(0, 2))
        clock = f"{span(self._clock() - self._start)}, {left} left"
        head.add_row(bar(len(scheduler.in_state(State.DONE)), len(scheduler.jobs), 2 * _BAR), clock)
        table = Table.grid(padding=(0, 2))
        rows = sorted(running.items(), key=lambda row: row[1] is None)  # those that have started to log first
        for job, latest in rows[:_ROWS]:
            part = self._fraction(latest)
            table.add_row(bar(part, 1, _BAR), f"{100 * part:3.0f} %", job.name, _success(latest))
        more = len(running) - _ROWS
        rest: list[RenderableType] = [Text(f"and {more} more", style=QUIET)] if more > 0 else []
        title = Text(self._title, style=LOUD, overflow="ellipsis", no_wrap=True)
        counts = Text(_counts(scheduler, running), style=QUIET)
        parts: list[RenderableType] = [title, "", head, counts, "", table, *rest]
        return Constrain(Padding(Group(*parts), (0, 1)), _WIDTH)


def _counts(scheduler: Scheduler, running: dict[Job, JobProgress | None]) -> str:
    """The number of jobs in each state; one that runs and has not logged anything yet is starting."""
    counts = {state.value: len(scheduler.in_state(state)) for state in State}
    counts["starting"] = sum(running[job] is None for job in scheduler.in_state(State.RUNNING))
    counts[State.RUNNING.value] -= counts["starting"]
    done = counts.pop(State.DONE.value)
    return f"{done} of {len(scheduler.jobs)} done" + "".join(f", {n} {name}" for name, n in counts.items() if n)


def _in_words(running: dict[Job, JobProgress | None]) -> str:
    """The running jobs and their success, as text."""
    told = [f"{job.name} {_success(latest)}" for job, latest in running.items() if latest]
    return f" ({'; '.join(told)})" if told else ""


def _success(latest: JobProgress | None) -> str:
    if latest is None:
        return "starting"
    return f"success {100 * latest.success:.1f} %" if latest.success is not None else "no session has ended yet"

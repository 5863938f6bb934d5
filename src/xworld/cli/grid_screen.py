"""The screen of `xworld reproduce`, for a terminal of 80 columns."""

import math
import time
from collections.abc import Callable, Iterator, Mapping

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from xworld.cli.display import QUIET, LiveScreen, bar, span
from xworld.experiments.grid import Job
from xworld.experiments.job_progress import JobProgress, read_progress
from xworld.experiments.scheduler import Scheduler, State

_BAR, _ROWS = 20, 16
"""Columns of a bar; the most running jobs that are listed."""


class GridScreen(LiveScreen):
    """Shows a scheduler now and then, and prints events at once."""

    def __init__(
        self, title: str, total_steps: int, console: Console, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`total_steps` is the length of a job."""
        super().__init__(title, console, clock)
        self._total_steps, self._start, self._first = total_steps, clock(), math.nan
        self._done, self._counts, self._times = 0.0, "", ""
        self._running: dict[Job, JobProgress | None] = {}

    def show(self, scheduler: Scheduler) -> None:
        """Show the state of all jobs, unless it was shown a moment ago."""
        if not self._is_due():
            return
        running = scheduler.in_state(State.RUNNING, State.ELSEWHERE)
        self._running = {job: read_progress(scheduler.path(job)) for job in running}
        self._done = len(scheduler.in_state(State.DONE)) / len(scheduler.jobs)
        self._counts = _count_states(scheduler, self._running)
        elapsed = self._clock() - self._start
        self._times = f"{span(elapsed)}, {self._estimate_left(scheduler, elapsed)} left"
        self._refresh()

    def line(self) -> str:
        """The number of jobs in each state, and the success of those that run."""
        running = "; ".join(f"{job.name} {_success(latest)}" for job, latest in self._running.items() if latest)
        return f"{self._counts}; {self._times}" + (f" ({running})" if running else "")

    def parts(self) -> Iterator[RenderableType]:
        """The progress of the grid, and of each running job."""
        head, table = Table.grid(padding=(0, 2)), Table.grid(padding=(0, 2))
        head.add_row(bar(self._done, 1, 2 * _BAR), self._times)
        rows = sorted(self._running.items(), key=lambda row: row[1] is None)  # those that have started to log first
        for job, latest in rows[:_ROWS]:
            part = self._fraction(latest)
            table.add_row(bar(part, 1, _BAR), f"{100 * part:3.0f} %", job.name, _success(latest))
        yield from (head, Text(self._counts, style=QUIET), "", table)
        if len(rows) > _ROWS:
            yield Text(f"and {len(rows) - _ROWS} more", style=QUIET)

    def _estimate_left(self, scheduler: Scheduler, elapsed: float) -> str:
        """Estimated from the speed since this screen started; a question mark before it is known."""
        waiting = len(scheduler.in_state(State.WAITING))
        left = waiting + sum(1 - self._fraction(latest) for latest in self._running.values())
        if math.isnan(self._first):
            self._first = left
        achieved = self._first - left
        return span(elapsed / achieved * left) if achieved > 0 else "?"

    def _fraction(self, latest: JobProgress | None) -> float:
        return min(1.0, latest.global_step / self._total_steps) if latest else 0.0


def _count_states(scheduler: Scheduler, running: Mapping[Job, JobProgress | None]) -> str:
    """The number of jobs in each state; one that runs and has not logged anything yet is starting."""
    counts = {state.value: len(scheduler.in_state(state)) for state in State}
    counts["starting"] = sum(running[job] is None for job in scheduler.in_state(State.RUNNING))
    counts[State.RUNNING.value] -= counts["starting"]
    done = counts.pop(State.DONE.value)
    return f"{done} of {len(scheduler.jobs)} done" + "".join(f", {n} {name}" for name, n in counts.items() if n)


def _success(latest: JobProgress | None) -> str:
    if latest is None:
        return "starting"
    return f"success {100 * latest.success:.1f} %" if latest.success is not None else "no session has ended yet"

"""A grid on its way: which jobs are done, which are to do, and an launcher that does them."""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Protocol

from xworld.experiments.grid import Job
from xworld.experiments.integrity import set_aside_damaged
from xworld.experiments.launcher import JOB_LOG, Ending, Launcher
from xworld.experiments.plan import Plan, is_free, is_of_a_job, job_of, prepare, refuse_others
from xworld.experiments.result import Result, ResultError
from xworld.teacher.settings import SettingsError
from xworld.training.run_folder import RunFolder, RunFolderError

_LOOK = 0.2
"""Seconds between two looks at what has ended."""
_LOOK_ELSEWHERE = 5.0
"""Seconds between two looks at a job that another process does."""


class State(Enum):
    """Where a job stands."""

    WAITING = "waiting"
    RUNNING = "running"
    ELSEWHERE = "elsewhere"
    """Another `xworld reproduce` is doing it."""
    DONE = "done"
    FAILED = "failed"
    DAMAGED = "damaged"
    """Its result cannot be relied on, and is left alone unless it is to be redone; or its folder cannot be used."""


class Screen(Protocol):
    """Somebody who wants to know how a scheduler goes."""

    def show(self, scheduler: "Scheduler") -> None:
        """Called again and again."""

    def say(self, line: str) -> None:
        """Something has happened."""


@dataclass
class Scheduler:
    """All jobs of a grid in one folder. Results that are there already are kept, whoever made them."""

    folder: Path
    jobs: Sequence[Job]
    plan: Plan
    redo_damaged: bool = False
    states: dict[Job, State] = field(default_factory=dict)
    _look_again: dict[Job, float] = field(default_factory=dict)

    def survey(self) -> list[str]:
        """See what is done already; a line for each that is damaged. A folder with other settings is refused."""
        if self.folder.exists() and not self.folder.is_dir():
            raise SettingsError(f"{self.folder} is a file, and no folder for a grid; name another --folder")
        self._refuse_other_plans()
        faults = []
        for job in self.jobs:
            try:
                self.states[job] = State.DONE if self._is_done(job) else State.WAITING
            except ResultError as error:
                self.states[job] = State.WAITING if self.redo_damaged else State.DAMAGED
                faults.append(
                    f"{error}; {'redone' if self.redo_damaged else 'to set it aside and test anew: --redo-damaged'}"
                )
            try:
                if self.states[job] is State.WAITING and self.path(job).exists():
                    prepare(self.path(job), self.plan.settings(job))
            except RunFolderError as error:
                self.states[job] = State.DAMAGED
                faults.append(str(error))
        return faults

    def run(self, launcher: Launcher, screen: Screen, told_to_stop: Callable[[], bool]) -> bool:
        """Do all that is to do; returns whether nothing is left that could still be done."""
        stopping = False
        while self.among(State.RUNNING) or (not stopping and self.among(State.WAITING, State.ELSEWHERE)):
            if told_to_stop() and not stopping:
                stopping = True
                screen.say("stopping: the jobs that run finish their round and save (ctrl-C again ends them at once)")
                launcher.stop()
            if not stopping:
                self._start_what_can_be(launcher, screen)
            for path, ending in launcher.ended():
                self._note(path, ending, screen)
            screen.show(self)
            time.sleep(_LOOK)
        return not stopping

    def path(self, job: Job) -> Path:
        """The folder of a job."""
        return self.folder / job.name

    def among(self, *states: State) -> list[Job]:
        """The jobs that are in one of these states."""
        return [job for job, state in self.states.items() if state in states]

    def _refuse_other_plans(self) -> None:
        """An error if a job of this folder, also one that is not asked for now, was begun with another plan.

        The report takes means over all jobs of a folder: they must have been trained and tested alike.
        """
        for path in sorted(file.parent for file in self.folder.glob("*/settings.json")):
            with suppress(RunFolderError):  # damaged settings stand in the way of their own job alone
                there = RunFolder.open(path).settings
                if is_of_a_job(there):
                    refuse_others(path, there, self.plan.settings(job_of(there)))

    def _is_done(self, job: Job) -> bool:
        """Whether there is a whole result, made with the settings of this scheduler."""
        try:
            result = Result.read(self.path(job))
        except FileNotFoundError:
            return False
        refuse_others(self.path(job), dict(result.settings), self.plan.settings(job))
        return True

    def _start_what_can_be(self, launcher: Launcher, screen: Screen) -> None:
        for job in self._in_turn():
            if not launcher.has_room:
                break
            try:
                self._start(job, launcher, screen)
            except (ValueError, OSError) as error:  # a full disk, a folder that is no longer there: its own affair
                self.states[job] = State.FAILED
                screen.say(f"{job.name} failed: {error}")

    def _in_turn(self) -> list[Job]:
        """Jobs to do, and those of other processes that have not been looked at for a while."""
        now = time.monotonic()
        late = [job for job in self.among(State.ELSEWHERE) if self._look_again[job] <= now]
        return late + self.among(State.WAITING)

    def _start(self, job: Job, launcher: Launcher, screen: Screen) -> None:
        """Begin a job, or find that somebody else does it or has done it."""
        path = self.path(job)
        prepare(path, self.plan.settings(job))
        if not is_free(path):
            self._leave_to_others(job)
        elif self._is_done_by_now(job):
            self._finish(job, screen)
        else:
            for line in set_aside_damaged(path) if self.redo_damaged else ():
                screen.say(f"{job.name}: {line}")
            launcher.start(path)
            self.states[job] = State.RUNNING

    def _is_done_by_now(self, job: Job) -> bool:
        """Whether a result is there that another process may have made; a damaged one is none."""
        try:
            return self._is_done(job)
        except ResultError:
            return False

    def _leave_to_others(self, job: Job) -> None:
        self.states[job] = State.ELSEWHERE
        self._look_again[job] = time.monotonic() + _LOOK_ELSEWHERE

    def _note(self, path: Path, ending: Ending, screen: Screen) -> None:
        """What became of a job that ran here."""
        (job,) = [job for job in self.jobs if self.path(job) == path]
        if ending is Ending.DONE:
            self._finish(job, screen)
        elif ending is Ending.BUSY:
            self._leave_to_others(job)
        elif ending is Ending.STOPPED:
            self.states[job] = State.WAITING
        else:
            self.states[job] = State.FAILED
            screen.say(f"{job.name} failed: {_last_line(path / JOB_LOG)} (see {path / JOB_LOG})")

    def _finish(self, job: Job, screen: Screen) -> None:
        """Read the result that should be there now."""
        try:
            result = Result.read(self.path(job))
        except (ResultError, OSError) as error:
            self.states[job] = State.FAILED
            screen.say(f"{job.name} failed: {error}")
        else:
            self.states[job] = State.DONE
            screen.say(f"{job.name} done: {_in_short(result)}")


def _in_short(result: Result) -> str:
    rates: Mapping[str, float | None] = {
        "success": result.rate("overall"),
        "on held-out commands": result.rate("*overall"),
        "answers": result.rate("recognition"),
    }
    figures = ", ".join(f"{name} {100 * rate:.1f} %" for name, rate in rates.items() if rate is not None)
    return f"{figures}, trained in {result.seconds['training']:,.0f} s"


def _last_line(log: Path) -> str:
    """The last thing that a job said."""
    try:
        lines = log.read_text(errors="replace").split("\n")
    except OSError:
        lines = []
    return next((line.strip() for line in reversed(lines) if line.strip()), "it said nothing")

"""The scheduler of a grid: which jobs are done, which are waiting, and a launcher that runs them."""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Protocol

from xworld.experiments.grid import Job
from xworld.experiments.integrity import set_aside_damaged
from xworld.experiments.launcher import JOB_LOG, Ending, Launcher
from xworld.experiments.plan import Plan, is_free, open_folder, refuse_other_settings
from xworld.experiments.result import Result, ResultError
from xworld.training.run_folder import RunFolder, RunFolderError
from xworld.world.checks import SettingsError

_POLL, _POLL_ELSEWHERE = 0.2, 5.0
"""Seconds between two looks at the launcher, and at a job of another process."""


class State(Enum):
    """The state of a job."""

    WAITING = "waiting"
    RUNNING = "running"
    ELSEWHERE = "elsewhere"  # another `xworld reproduce` is running it
    DONE = "done"
    FAILED = "failed"
    DAMAGED = "damaged"  # its result is damaged and not to be redone, or its folder cannot be used


class Screen(Protocol):
    """Shows how a scheduler is doing."""

    def show(self, scheduler: "Scheduler") -> None:
        """Called again and again."""

    def say(self, line: str) -> None:
        """Called when something has happened."""


@dataclass
class Scheduler:
    """All jobs of a grid in one folder. Existing results are kept, whichever process made them."""

    folder: Path
    jobs: Sequence[Job]
    plan: Plan
    redo_damaged: bool = False
    states: dict[Job, State] = field(default_factory=dict)
    _next_look: dict[Job, float] = field(default_factory=dict)

    def scan(self) -> list[str]:
        """Find out what is done; returns a line for each damaged job. A folder with other settings is refused."""
        if self.folder.exists() and not self.folder.is_dir():
            raise SettingsError(f"{self.folder} is a file, not a folder; name another --folder")
        self._refuse_other_plans()
        return [fault for job in self.jobs if (fault := self._scan(job)) is not None]

    def run(self, launcher: Launcher, screen: Screen, should_stop: Callable[[], bool]) -> bool:
        """Run all jobs that are not done; returns whether it was not stopped."""
        stopping = False
        while self.in_state(State.RUNNING) or (not stopping and self.in_state(State.WAITING, State.ELSEWHERE)):
            if should_stop() and not stopping:
                stopping = True
                screen.say("stopping: running jobs finish their iteration and save (ctrl-C again ends them at once)")
                launcher.stop()
            if not stopping:
                self._start_jobs(launcher, screen)
            for path, ending in launcher.ended():
                self._note(path, ending, screen)
            screen.show(self)
            time.sleep(_POLL)
        return not stopping

    def path(self, job: Job) -> Path:
        """The folder of a job."""
        return self.folder / job.name

    def in_state(self, *states: State) -> list[Job]:
        """The jobs in one of these states."""
        return [job for job, state in self.states.items() if state in states]

    def _refuse_other_plans(self) -> None:
        """An error if any job of this folder was started with another plan, even one that is not part of this grid.

        The report takes means over all jobs of a folder: they must have been trained and tested in the same way.
        """
        for path in sorted(file.parent for file in self.folder.glob("*/settings.json")):
            with suppress(RunFolderError):  # damaged settings concern their own job only
                there = RunFolder.open(path).settings
                if there.keys() >= self.plan.as_json().keys():  # else it is no job of a grid
                    plan = self.plan.for_ablation(str(there.get("printed", "")))
                    refuse_other_settings(path, there, {**there, **plan.as_json()})

    def _scan(self, job: Job) -> str | None:
        """Set the state of a job; returns what is wrong with it, if anything is."""
        path, fault = self.path(job), None
        self.states[job], line = self._look(job)
        if self.states[job] is State.DAMAGED:
            if not self.redo_damaged:
                return f"{line}; to set it aside and test again: --redo-damaged"
            self.states[job], fault = State.WAITING, f"{line}; will be redone"
        try:
            if self.states[job] is State.WAITING and path.exists():
                open_folder(path, self.plan.settings(job))
        except RunFolderError as error:
            self.states[job], fault = State.DAMAGED, str(error)
        return fault

    def _look(self, job: Job) -> tuple[State, str]:
        """Whether a job is done with this plan, and a summary of its result, or why there is none."""
        try:
            result = Result.read(self.path(job))
        except ResultError as error:
            return State.DAMAGED, str(error)
        except OSError as error:
            return State.WAITING, str(error)
        refuse_other_settings(self.path(job), dict(result.settings), self.plan.settings(job))
        return State.DONE, _summary(result)

    def _start_jobs(self, launcher: Launcher, screen: Screen) -> None:
        now = time.monotonic()
        elsewhere = [job for job in self.in_state(State.ELSEWHERE) if self._next_look[job] <= now]
        for job in elsewhere + self.in_state(State.WAITING):
            if not launcher.has_room:
                break
            try:
                self._start(job, launcher, screen)
            except (ValueError, OSError) as error:  # a full disk, a missing folder: the other jobs go on
                self.states[job] = State.FAILED
                screen.say(f"{job.name} failed: {error}")

    def _start(self, job: Job, launcher: Launcher, screen: Screen) -> None:
        """Start a job, or find that another process is running it or has finished it."""
        path = self.path(job)
        open_folder(path, self.plan.settings(job))
        if not is_free(path):
            self._leave_to_others(job)
        elif self._look(job)[0] is State.DONE:  # by now, thanks to another process
            self._finish(job, screen)
        else:
            for line in set_aside_damaged(path) if self.redo_damaged else ():
                screen.say(f"{job.name}: {line}")
            launcher.start(path)
            self.states[job] = State.RUNNING

    def _leave_to_others(self, job: Job) -> None:
        self.states[job] = State.ELSEWHERE
        self._next_look[job] = time.monotonic() + _POLL_ELSEWHERE

    def _note(self, path: Path, ending: Ending, screen: Screen) -> None:
        """Note how a job that ran here has ended."""
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
        """Look at the result that should be there now."""
        state, line = self._look(job)
        self.states[job] = State.DONE if state is State.DONE else State.FAILED
        screen.say(f"{job.name} {self.states[job].value}: {line}")


def _summary(result: Result) -> str:
    names = {"success": "overall", "on held-out commands": "*overall", "answers": "recognition"}
    rates = {name: result.rate(row) for name, row in names.items()}
    known = ", ".join(f"{name} {100 * rate:.1f} %" for name, rate in rates.items() if rate is not None)
    return f"{known}, trained in {result.seconds['training']:,.0f} s"


def _last_line(log: Path) -> str:
    text = ""
    with suppress(OSError):
        text = log.read_text(errors="replace").strip()
    return text.split("\n")[-1] or "its log is empty"

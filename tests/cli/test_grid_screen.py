"""The screen of `xworld reproduce`: it fits, is quiet, and says what it should."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from made_up_metrics import make_metrics
from xworld.cli.display import LINE_SECONDS
from xworld.cli.grid_screen import GridScreen
from xworld.experiments.grid import Grid
from xworld.experiments.plan import Plan
from xworld.experiments.scheduler import Scheduler, State
from xworld.training.logger import Logger

STEPS = 10_000


class Clock:
    """A clock that goes when it is told to."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def scheduler(tmp_path: Path) -> Scheduler:
    """76 jobs: one done, two running of which one is at half, one elsewhere and one failed."""
    scheduler = Scheduler(tmp_path, list(Grid().jobs()), Plan())
    scheduler.scan()
    states = [State.DONE, State.RUNNING, State.RUNNING, State.ELSEWHERE, State.FAILED]
    scheduler.states |= dict(zip(scheduler.jobs, states))
    folder = scheduler.path(scheduler.jobs[1])
    folder.mkdir()
    with Logger.open(folder) as log:
        for iteration in range(1, 6):
            log.on_iteration(make_metrics(iteration), seconds=float(iteration))
    return scheduler


def show(scheduler: Scheduler, terminal: bool, clock: Clock) -> str:
    file = io.StringIO()
    console = Console(file=file, width=80, height=40, force_terminal=terminal, color_system=None, _environ={})
    with GridScreen("76 jobs, default, runs/reproduce", STEPS, console, clock) as screen:
        screen.show(scheduler)
        screen.say("planner-Standard-0-0 done")
        clock.now += 30
        scheduler.states[scheduler.jobs[3]] = State.DONE
        screen.show(scheduler)
    return file.getvalue()


def test_lines_without_a_terminal(scheduler: Scheduler) -> None:
    lines = show(scheduler, False, Clock()).splitlines()
    assert lines[0] == "76 jobs, default, runs/reproduce"
    assert lines[1] == (
        "1 of 76 done, 71 waiting, 1 running, 1 elsewhere, 1 failed, 1 starting; 0:00:00, ? left "
        "(framework-Standard-0-0 success 50.0 %)"
    )
    assert lines[2] == "planner-Standard-0-0 done"
    # A job in 30 s, and 72.5 to go.
    assert lines[3].startswith("2 of 76 done, 71 waiting, 1 running, 1 failed, 1 starting; 0:00:30, 0:36:15 left")


def test_a_picture_on_a_terminal(scheduler: Scheduler) -> None:
    picture = show(scheduler, True, Clock())
    last = picture[picture.rindex("76 jobs, default") :].splitlines()
    assert all(len(line.rstrip()) <= 80 for line in last)
    assert "2 of 76 done" in picture
    row = next(line for line in last if "framework-Standard-0-0" in line)
    assert "50 %" in row
    assert "success 50.0 %" in row
    assert "starting" in next(line for line in last if "simple_attention-Standard-0-0" in line)


def test_it_is_quiet(scheduler: Scheduler) -> None:
    clock, file = Clock(), io.StringIO()
    with GridScreen("title", STEPS, Console(file=file, force_terminal=False), clock) as screen:
        for _ in range(100):
            screen.show(scheduler)
            clock.now += LINE_SECONDS / 10
    assert len(file.getvalue().splitlines()) <= 1 + 11

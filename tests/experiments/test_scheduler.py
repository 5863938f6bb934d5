"""The scheduler: finished jobs are kept, failures reported, and jobs of other processes left to them."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from results import make_result
from xworld.experiments import scheduler as module
from xworld.experiments.grid import Grid, Job
from xworld.experiments.launcher import JOB_LOG, Ending
from xworld.experiments.plan import Plan, open_folder
from xworld.experiments.result import RESULT
from xworld.experiments.scheduler import Scheduler, State
from xworld.training.configs import DEFAULT
from xworld.training.run_folder import RunFolder
from xworld.world.checks import SettingsError

PLAN = Plan(split="test")
JOBS = Grid(("framework", "san"), ("Standard",), seeds=(0, 1)).jobs()


@dataclass
class Puppet:
    """An launcher that does jobs at once, or ends them as it is told."""

    endings: dict[str, Ending] = field(default_factory=dict)
    started: list[str] = field(default_factory=list)
    stopped: bool = False
    _open: list[Path] = field(default_factory=list)

    @property
    def has_room(self) -> bool:
        return len(self._open) < 2

    def start(self, path: Path) -> None:
        self.started.append(path.name)
        self._open.append(path)

    def ended(self) -> Iterator[tuple[Path, Ending]]:
        while self._open:
            path = self._open.pop()
            ending = self.endings.pop(path.name, Ending.STOPPED if self.stopped else Ending.DONE)
            if ending is Ending.DONE:
                finish(path)
            yield path, ending

    def stop(self) -> None:
        self.stopped = True

    def close(self) -> None:
        pass


class Lines:
    """A screen that remembers what it was told."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def say(self, line: str) -> None:
        self.lines.append(line)

    def show(self, scheduler: Scheduler) -> None:
        pass


def finish(path: Path) -> None:
    (job,) = [job for job in JOBS if job.name == path.name]
    path.mkdir(parents=True, exist_ok=True)
    make_result(job).write(path)


def go(
    scheduler: Scheduler, launcher: Puppet, should_stop: Callable[[], bool] = lambda: False
) -> tuple[bool, list[str]]:
    screen = Lines()
    return scheduler.run(launcher, screen, should_stop), screen.lines


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_POLL", 0.01)
    monkeypatch.setattr(module, "_POLL_ELSEWHERE", 0.05)


def test_what_is_done_is_never_redone(tmp_path: Path) -> None:
    finish(tmp_path / JOBS[1].name)
    before = (tmp_path / JOBS[1].name / RESULT).stat().st_mtime_ns
    launcher, scheduler = Puppet(), Scheduler(tmp_path, JOBS, PLAN)
    assert scheduler.scan() == []
    finished, lines = go(scheduler, launcher)
    assert finished
    assert launcher.started == [JOBS[0].name, JOBS[2].name, JOBS[3].name]
    assert (tmp_path / JOBS[1].name / RESULT).stat().st_mtime_ns == before
    assert set(scheduler.states.values()) == {State.DONE}
    assert f"{JOBS[0].name} done: success 90.0 %, answers 100.0 %, trained in 100 s" in lines
    again = Scheduler(tmp_path, JOBS, PLAN)
    again.scan()
    assert go(again, idle := Puppet()) == (True, [])
    assert idle.started == []


def test_a_damaged_result_is_told_and_redone_only_on_demand(tmp_path: Path) -> None:
    path = tmp_path / JOBS[0].name
    finish(path)
    (path / RESULT).write_text("{")
    scheduler = Scheduler(tmp_path, JOBS, PLAN)
    (fault,) = scheduler.scan()
    assert str(path / RESULT) in fault
    assert fault.endswith("to set it aside and test again: --redo-damaged")
    go(scheduler, launcher := Puppet())
    assert JOBS[0].name not in launcher.started
    assert scheduler.states[JOBS[0]] is State.DAMAGED
    assert (path / RESULT).read_text() == "{"
    (path / RESULT).unlink()  # as the folder of a job, it has settings too
    open_folder(path, PLAN.settings(JOBS[0]))
    (path / RESULT).write_text("{")
    demanded = Scheduler(tmp_path, JOBS, PLAN, redo_damaged=True)
    assert demanded.scan()[0].endswith("redone")
    _, lines = go(demanded, launcher := Puppet())
    assert launcher.started == [JOBS[0].name]
    assert demanded.states[JOBS[0]] is State.DONE
    assert (path / "set-aside-1" / RESULT).read_text() == "{"
    assert lines[0].startswith(f"{JOBS[0].name}: {path / RESULT} is damaged")
    assert lines[0].endswith(f"; moved to {path / 'set-aside-1'}")


def test_one_that_fails_is_told_with_its_log_and_the_others_go_on(tmp_path: Path) -> None:
    scheduler = Scheduler(tmp_path, JOBS, PLAN)
    scheduler.scan()
    path = open_folder(tmp_path / JOBS[0].name, PLAN.settings(JOBS[0])).path
    (path / JOB_LOG).write_text("Traceback\nRuntimeError: out of memory\n\n")
    finished, lines = go(scheduler, Puppet({JOBS[0].name: Ending.FAILED}))
    assert finished
    assert f"{JOBS[0].name} failed: RuntimeError: out of memory (see {path / JOB_LOG})" in lines
    assert scheduler.in_state(State.FAILED) == [JOBS[0]]
    assert scheduler.in_state(State.DONE) == JOBS[1:]


def test_a_job_of_another_process_is_waited_for(tmp_path: Path) -> None:
    scheduler, launcher = Scheduler(tmp_path, JOBS[:2], PLAN), Puppet()
    scheduler.scan()
    folder = open_folder(tmp_path / JOBS[0].name, PLAN.settings(JOBS[0]))
    locked, done = threading.Event(), threading.Event()

    def other_process() -> None:
        with RunFolder(folder.path, {}).lock():
            locked.set()
            done.wait(10)
            finish(folder.path)

    other = threading.Thread(target=other_process)
    other.start()
    locked.wait(10)
    threading.Timer(0.3, done.set).start()
    assert go(scheduler, launcher)[0]
    other.join()
    assert launcher.started == [JOBS[1].name]
    assert set(scheduler.states.values()) == {State.DONE}


def test_a_job_that_another_process_gave_up_is_taken_over(tmp_path: Path) -> None:
    scheduler, launcher = Scheduler(tmp_path, JOBS[:1], PLAN), Puppet({JOBS[0].name: Ending.BUSY})
    scheduler.scan()
    assert go(scheduler, launcher)[0]
    assert launcher.started == [JOBS[0].name] * 2
    assert scheduler.states[JOBS[0]] is State.DONE


def test_once_stopped_nothing_more_is_started(tmp_path: Path) -> None:
    scheduler, launcher = Scheduler(tmp_path, JOBS, PLAN), Puppet()
    scheduler.scan()
    finished, lines = go(scheduler, launcher, should_stop=lambda: bool(launcher.started))
    assert not finished
    assert launcher.stopped
    assert launcher.started == [job.name for job in JOBS[:2]]  # there was room for two
    assert scheduler.in_state(State.WAITING) == JOBS[2:]
    assert any(line.startswith("stopping: ") for line in lines)


OTHER = Plan(replace(DEFAULT, total_steps=1_000_000), split=PLAN.split, sessions=40)
OTHER_SETTINGS = r"started with other settings, see sessions, total_steps: name another --folder"


def test_a_folder_with_other_settings_is_refused(tmp_path: Path) -> None:
    finish(tmp_path / "done" / JOBS[0].name)
    open_folder(tmp_path / "begun" / JOBS[0].name, PLAN.settings(JOBS[0]))
    for folder in ("done", "begun"):
        with pytest.raises(SettingsError, match=OTHER_SETTINGS):
            Scheduler(tmp_path / folder, JOBS[:1], OTHER).scan()


def test_all_jobs_of_a_folder_have_the_same_settings(tmp_path: Path) -> None:
    """Also those that are not asked for now: a report takes means over all of them."""
    open_folder(tmp_path / JOBS[0].name, PLAN.settings(JOBS[0]))
    with pytest.raises(SettingsError, match=OTHER_SETTINGS):
        Scheduler(tmp_path, JOBS[1:], OTHER).scan()
    assert Scheduler(tmp_path, JOBS[1:], PLAN).scan() == []


def test_what_else_lies_in_a_folder_is_no_concern(tmp_path: Path) -> None:
    RunFolder.create(tmp_path / "a-run", {"model": "framework", "seed": 0, "config": {}})
    (tmp_path / "damaged").mkdir()
    (tmp_path / "damaged" / "settings.json").write_text("{")
    assert Scheduler(tmp_path, JOBS, OTHER).scan() == []


def test_damaged_settings_are_told_and_the_other_jobs_go_on(tmp_path: Path) -> None:
    folder = open_folder(tmp_path / JOBS[0].name, PLAN.settings(JOBS[0])).path
    (folder / "settings.json").write_text("{")
    scheduler = Scheduler(tmp_path, JOBS, PLAN)
    (fault,) = scheduler.scan()
    assert fault.startswith(f"{folder / 'settings.json'} is damaged")
    go(scheduler, Puppet())
    assert scheduler.in_state(State.DAMAGED) == JOBS[:1]
    assert scheduler.in_state(State.DONE) == JOBS[1:]
    assert (folder / "settings.json").read_text() == "{"


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SettingsError, match="is a file, not a folder"):
        Scheduler(tmp_path / "file", JOBS, PLAN).scan()


def test_one_that_cannot_be_begun_is_told_and_the_others_go_on(tmp_path: Path) -> None:
    class Unlucky(Puppet):
        def start(self, path: Path) -> None:
            if path.name == JOBS[1].name:
                raise OSError(28, "No space left on device")
            super().start(path)

    scheduler = Scheduler(tmp_path, JOBS, PLAN)
    scheduler.scan()
    (tmp_path / JOBS[0].name).write_text("")  # in the way of its folder
    finished, lines = go(scheduler, Unlucky())
    assert finished
    assert any(line.startswith(f"{JOBS[0].name} failed: ") and "a file is in the way" in line for line in lines)
    assert f"{JOBS[1].name} failed: [Errno 28] No space left on device" in lines
    assert scheduler.in_state(State.FAILED) == JOBS[:2]
    assert scheduler.in_state(State.DONE) == JOBS[2:]


def test_another_version_and_another_pace_may_go_on(tmp_path: Path) -> None:
    open_folder(tmp_path / JOBS[0].name, {**PLAN.settings(JOBS[0]), "xworld": "0.0.9", "save_every": 7.0})
    assert Scheduler(tmp_path, JOBS, PLAN).scan() == []


def test_a_result_that_is_promised_but_not_there_is_a_failure(tmp_path: Path) -> None:
    class Liar(Puppet):
        def ended(self) -> Iterator[tuple[Path, Ending]]:
            while self._open:
                yield self._open.pop(), Ending.DONE

    scheduler = Scheduler(tmp_path, [Job("san", "Standard", 0.0, 0)], PLAN)
    scheduler.scan()
    _, lines = go(scheduler, Liar())
    assert scheduler.in_state(State.FAILED)
    assert "failed: " in lines[0]

"""`xworld reproduce`: the experiments of the paper's Table 1, and more; `xworld report`: their results as a page."""

import shlex
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from rich.console import Console

from xworld.cli.display import say
from xworld.cli.grid_screen import GridScreen
from xworld.cli.options import full_path
from xworld.cli.train import Config
from xworld.experiments.grid import Grid, Job
from xworld.experiments.plan import EvaluationSettings, Plan
from xworld.experiments.scheduler import Scheduler, State
from xworld.training.configs import DEFAULT, not_as_printed
from xworld.training.device import DeviceName
from xworld.world.checks import SettingsError, check_choice

if TYPE_CHECKING:  # torch takes a second to load, and other commands do without it
    from xworld.experiments.launcher import Launcher

GRID_FOLDER = Path("runs/reproduce")
"""The default folder of a grid."""


@dataclass(frozen=True)
class ReproduceCommand:
    """Train and test every model of the paper in every condition of its Table 1, with four seeds each, and report.

    Each job has its own folder, with its result. Jobs with a result are never redone, and interrupted jobs resume:
    after ctrl-C, a crash or a kill, give the same command again. The same command may also run several times at once
    on the same folder: the processes share the jobs.
    """

    config: Config = DEFAULT
    """How to train, the same for all models; for the settings of each config, see `xworld reproduce default --help`."""
    grid: Grid = Grid()
    """The jobs."""
    evaluation: EvaluationSettings = EvaluationSettings(split="test")
    """How every job is tested."""
    pack: Path | None = None
    """Folder of an icon pack that replaces the built-in objects; with Ray, on a disk that all its machines share."""
    folder: Path = GRID_FOLDER
    """Folder of the grid; with Ray, on a disk that all its machines share."""
    device: DeviceName = "auto"
    """Device to compute on; auto is a GPU if there is one."""
    launcher: Literal["local", "ray"] = "local"
    """Where jobs run: on this machine, or on a Ray cluster: that of RAY_ADDRESS, one that runs here, or a new one."""
    at_once: int | None = None
    """Number of jobs at the same time, with Ray on each GPU; by default as many as cores and memory allow."""
    redo_damaged: bool = False
    """Set damaged results and checkpoints aside and redo what depends on them; without it they are reported, and their
    jobs left alone."""
    dry_run: bool = False
    """Only list the jobs and their states."""

    def run(self) -> int:
        """Run all jobs that are not done, and write the report."""
        plan = Plan(self.config, full_path(self.pack), **asdict(self.evaluation))
        if not plan.sessions:
            raise SettingsError("--sessions 0: expected 4 or more")
        scheduler = Scheduler(self.folder, self._jobs(), plan, self.redo_damaged)
        console = Console(highlight=False)
        for fault in scheduler.scan():
            say(console, fault)
        if self.dry_run:
            for job, state in scheduler.states.items():
                say(console, f"{job.name}  {state.value}")
            return 0
        finished = self._run_jobs(scheduler, console)
        return self._end(scheduler, finished, console)

    def _jobs(self) -> list[Job]:
        """All jobs; ablations that the config does not have are refused."""
        printed = not_as_printed(self.config) if "all" in self.grid.printed else self.grid.printed
        for setting in printed:
            check_choice("--printed", setting, not_as_printed(self.config))
        return replace(self.grid, printed=printed).jobs()

    def _run_jobs(self, scheduler: Scheduler, console: Console) -> bool:
        """Run all waiting jobs; returns whether it was not stopped."""
        if not scheduler.in_state(State.WAITING):
            return True
        from xworld.training.run import stop_on_signals

        total_steps = self.config.iterations * self.config.steps_per_iteration
        title = f"{len(scheduler.jobs)} jobs of {total_steps:,} steps, {self.config.name}, {self.folder}"
        with (
            closing(self._make_launcher()) as launcher,
            stop_on_signals() as should_stop,
            GridScreen(title, total_steps, console) as screen,
        ):
            return scheduler.run(launcher, screen, should_stop)

    def _make_launcher(self) -> "Launcher":
        if self.launcher == "ray":
            from xworld.experiments.ray_launcher import RayLauncher

            return RayLauncher(self.device, self.at_once)
        from xworld.experiments.local_launcher import LocalLauncher

        return LocalLauncher.on_this_machine(self.device, self.at_once)

    def _end(self, scheduler: Scheduler, finished: bool, console: Console) -> int:
        """Print how many jobs are in which state, and write the report; returns the exit status."""
        counts = {state: len(scheduler.in_state(state)) for state in State}
        say(console, "jobs: " + ", ".join(f"{count} {state.value}" for state, count in counts.items() if count))
        if counts[State.DONE]:
            self._report(console)
        if not finished:
            say(console, "stopped; to resume, give the same command again")
            return 130
        return 0 if counts[State.DONE] == len(scheduler.jobs) else 1

    def _report(self, console: Console) -> None:
        """Write the report into the folder."""
        try:
            from xworld.experiments.report.page import write_report
        except ImportError as error:  # training needs no plotting library
            say(console, f"no report: {error}; `xworld report` writes it wherever the folder is copied to")
            return
        page, folder = self.folder / "results.md", shlex.quote(str(self.folder))
        write_report(self.folder, page, f"xworld reproduce {self.config.name} --folder {folder}")
        say(console, f"the report is {page}; to write it elsewhere: xworld report --folder {folder} --page <file>")


@dataclass(frozen=True)
class ReportCommand:
    """Write a page with tables, figures and conclusions, computed from the result files of `xworld reproduce`."""

    folder: Path = GRID_FOLDER
    """The folder of `xworld reproduce`."""
    page: Path = Path("docs/results.md")
    """The page to write; its figures go to the folder `images` beside it."""

    def run(self) -> int:
        """Write the page and its figures."""
        from xworld.experiments.report.page import write_report

        command = f"xworld report --folder {shlex.quote(str(self.folder))} --page {shlex.quote(str(self.page))}"
        report = write_report(self.folder, self.page, command)
        console = Console(highlight=False)
        for fault in report.faults:
            say(console, f"left out: {fault}")
        say(console, f"{self.page}: {len(report.cells.results)} results, {len(report.figures)} figures")
        return 0

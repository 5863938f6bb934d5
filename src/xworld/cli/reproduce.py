"""`xworld reproduce`: the paper's Table 1, and more, with one command."""

import shlex
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from rich.console import Console
from rich.text import Text
from tyro.conf import subcommand

from xworld.cli.grid_screen import GridScreen
from xworld.experiments.grid import Grid
from xworld.experiments.plan import Checks, Plan
from xworld.experiments.scheduler import Scheduler, State
from xworld.training.configs import FAST, PAPER, TINY, PPOConfig, ReplayActorCriticConfig

if TYPE_CHECKING:  # torch takes a second to load, and other commands do without it
    from xworld.experiments.launcher import Launcher

GRID_FOLDER = Path("runs/reproduce")
"""Where a grid is kept unless another folder is named."""


@dataclass(frozen=True)
class Reproduce:
    """Train and test every model of the paper in every condition of its Table 1, four seeds each, and report.

    Each job is kept in a folder of its own, with its result. Jobs with a result are never redone, and those that were
    broken off go on where they were: after ctrl-C, a crash or a kill, give the same command again. The same command on
    the same folder may also run several times at once; they share the jobs among them.
    """

    config: (
        Annotated[PPOConfig, subcommand("fast", default=FAST, description="The best we know; the default.")]
        | Annotated[PPOConfig, subcommand("tiny", default=TINY, description="A small world, to try it out.")]
        | Annotated[
            ReplayActorCriticConfig, subcommand("paper2017", default=PAPER, description="The paper to the letter.")
        ]
    ) = FAST
    """How every model is trained, all equally long; for the settings of each, see `xworld reproduce fast --help`."""
    grid: Grid = Grid()
    """Which jobs there are."""
    checks: Checks = Checks()
    """How every job is tested."""
    folder: Path = GRID_FOLDER
    """Where everything is kept; with Ray, on a disk that all its machines share."""
    device: Literal["auto", "cuda", "cpu"] = "auto"
    """Where to compute; auto takes a GPU if there is one."""
    launcher: Literal["local", "ray"] = "local"
    """On this machine, or on a Ray cluster: the one of RAY_ADDRESS, one that runs here, or else a new one."""
    at_once: int | None = None
    """Jobs at the same time, with Ray on each GPU; without it, as many as cores and memory allow."""
    redo_damaged: bool = False
    """Set damaged results and checkpoints aside and do anew what depends on them; without it they are reported, and
    left alone with their jobs."""
    dry_run: bool = False
    """Only list the jobs and whether they are done."""

    def run(self) -> int:
        """Do all jobs that are not done, and write the report."""
        plan = Plan(self.config, **asdict(self.checks))
        scheduler = Scheduler(self.folder, self.grid.jobs(), plan, self.redo_damaged)
        console = Console(highlight=False)
        for fault in scheduler.survey():
            _say(console, fault)
        if self.dry_run:
            for job, state in scheduler.states.items():
                _say(console, f"{job.name}  {state.value}")
            return 0
        finished = self._do(scheduler, console)
        return self._end(scheduler, finished, console)

    def _do(self, scheduler: Scheduler, console: Console) -> bool:
        """Run what is to do; returns whether it was not stopped."""
        if not scheduler.among(State.WAITING):
            return True
        from xworld.training.run import stopping_on_signals

        config = self.config
        global_step = config.iterations * config.steps_per_iteration
        title = f"{len(scheduler.jobs)} jobs of {global_step:,} steps, {config.name}, {self.folder}"
        with (
            closing(self._make_engine()) as launcher,
            stopping_on_signals() as told_to_stop,
            GridScreen(title, global_step, console) as screen,
        ):
            return scheduler.run(launcher, screen, told_to_stop)

    def _make_engine(self) -> "Launcher":
        if self.launcher == "ray":
            from xworld.experiments.ray_launcher import RayLauncher

            return RayLauncher(self.device, self.at_once)
        from xworld.experiments.local_launcher import LocalLauncher

        return LocalLauncher.on_this_machine(self.device, self.at_once)

    def _end(self, scheduler: Scheduler, finished: bool, console: Console) -> int:
        """Say what became of it; with everything done, there is a report to read."""
        counts = {state: len(scheduler.among(state)) for state in State}
        told = ", ".join(f"{count} {state.value}" for state, count in counts.items() if count)
        _say(console, f"jobs: {told}")
        if counts[State.DONE]:
            self._report(console)
        if not finished:
            _say(console, "stopped; the same command goes on")
            return 130
        return 0 if counts[State.DONE] == len(scheduler.jobs) else 1

    def _report(self, console: Console) -> None:
        """Write the report into the folder."""
        try:
            from xworld.experiments.report.page import write_report
        except ImportError as error:  # a bare machine with a GPU may train all the same
            _say(console, f"no report: {error}; `xworld report` writes it wherever the folder is copied to")
            return
        page, folder = self.folder / "results.md", shlex.quote(str(self.folder))
        write_report(self.folder, page, f"xworld reproduce {self.config.name} --folder {folder}")
        _say(console, f"the report is {page}; to write it elsewhere: xworld report --folder {folder} --page <file>")


def _say(console: Console, line: str) -> None:
    console.print(Text(line), soft_wrap=True)

"""`xworld bench`: how fast the environment and the agent are on this machine, and how well new words are taught."""

import math
import os
import platform
import re
import statistics
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from rich.console import Console
from rich.table import Table
from tyro.conf import subcommand

from xworld.baselines.registry import FRAMEWORKS
from xworld.cli.display import number_table, percent
from xworld.teacher.settings import COMMAND_NAMES
from xworld.world.checks import check_whole

if TYPE_CHECKING:  # torch takes a second to load, and other commands do without it
    from xworld.bench.agent import Work
    from xworld.bench.teach import WordResult
    from xworld.bench.timing import Comparison

BATCHES = 16, 256, 4096
_SEEN = {"tiles": "13 x 13 tiles", "pixels": "156 x 156 pixels"}
_WORK: "dict[Work, str]" = {"training": "training step", "acting": "acting alone"}


@dataclass(frozen=True)
class _Speed:
    rounds: int = 3
    """How often each side is measured; the ratio is the median over rounds."""
    seconds: float = 4.0
    """How long each measurement takes."""

    def check(self) -> None:
        """Refuse nonsense."""
        if self.rounds < 1 or not 0 < self.seconds < math.inf:
            raise ValueError(f"--rounds {self.rounds} --seconds {self.seconds}: expected both above 0, and finite")


@dataclass(frozen=True)
class BenchEnv(_Speed):
    """Steps per second of the environment beside others, in alternating rounds."""

    beside: tuple[Literal["minigrid", "navix", "xland"], ...] = ("minigrid",)
    """The others; NAVIX and XLand-MiniGrid need the extra `peers`."""
    pack: Path | None = None
    """Folder of an icon pack that replaces the built-in objects."""

    def measure(self, console: Console) -> None:
        """Print each round, and then a table of the medians."""
        self.check()
        from xworld.bench.environment import NUM_ENVS, environment_speed
        from xworld.bench.peers import MATCHES, TASKS, check_installed
        from xworld.bench.timing import compare

        check_installed(self.beside)
        memory = _memory()  # first: it is read from the peak memory of the process
        console.print(f"xworld on {os.cpu_count()} threads, beside")
        for peer in self.beside:
            console.print(f"  {TASKS[peer]}")
        table = number_table("the agent sees", "worlds", "xworld", "beside", "its speed", "ratio")
        for match in (match for match in MATCHES if match.peer in self.beside):
            seen = match.observation
            ours = partial(environment_speed, seen, self.seconds, self.pack)
            theirs = partial(match.speed, self.seconds)
            result = compare(ours, theirs, self.rounds, f"{seen} beside {match.title}", "steps/s", console.print)
            speed, other_speed = _medians(result)
            ratio = f"{result.ratio:,.1f} x"
            table.add_row(_SEEN[seen], f"{NUM_ENVS[seen]:,}", speed, match.title, other_speed, ratio)
        console.print("", table)
        console.print(f"\nsteps per second, medians of {self.rounds} rounds; commands and questions on\n{memory}")


@dataclass(frozen=True)
class BenchAgent(_Speed):
    """Scenes per second of the trained agent, training and acting, beside the paper's dense network on pixels."""

    def measure(self, console: Console) -> None:
        """Print each round, and then a table of the medians."""
        self.check()
        import torch

        from xworld.bench.agent import DENSE_CHUNK, FAST_CHUNK, MAX_DENSE, compare_paths, gather_samples
        from xworld.training.device import choose_device, describe_device
        from xworld.training.pretrained import load_model

        device = choose_device()
        console.print("the fast path on tile ids beside the dense reference on pixels")
        agent, samples = load_model()[0].to(device), gather_samples(max(BATCHES), device)
        table = number_table("", "batch", "fast path", "dense reference", "ratio")
        for work, batch in product(_WORK, BATCHES):
            result = compare_paths(agent, samples.first(batch), work, self.rounds, self.seconds, console.print)
            table.add_row(_WORK[work], f"{batch:,}", *_medians(result), f"{result.ratio:,.1f} x")
        console.print("", table)
        console.print(f"\nscenes per second, medians of {self.rounds} rounds; same weights, scenes, losses, optimizer")
        fast, dense = FAST_CHUNK[device.type], DENSE_CHUNK[device.type]
        console.print(f"at most {fast:,} scenes at a time beside {dense:,}, the fastest for each; gradients add up")
        for work, batch in product(_WORK, BATCHES):
            if batch > (most := MAX_DENSE[work]):
                console.print(f"dense, {_WORK[work]} at {batch:,}: timed on {most:,} of the scenes, scaled up")
        console.print(f"PyTorch {torch.__version__}, {describe_device(device)}")


@dataclass(frozen=True)
class BenchTeach:
    """Ten new things, each shown and named: seconds, success with commands that name it, and what the rest loses."""

    sessions: int = 300
    """Test sessions of each type of command with each new word; ten times as many without it, and beside it."""
    agent: str = "Standard"
    """A bundled agent, by the condition it was trained under (Standard, NWNavRec), or a file with weights."""
    seed: int = 0
    """The seed of the teacher's questions, the same for each word."""

    def measure(self, console: Console) -> None:
        """Print a line for each word, and then a table."""
        check_whole("--sessions", self.sessions, 1)
        check_whole("--seed", self.seed, 0)
        import torch

        from xworld.bench.teach import teach_new_things
        from xworld.training.pretrained import find_weights, load_model
        from xworld.word_learning import load_catalogue

        file = find_weights(self.agent)
        catalogue = load_catalogue(file)
        agent, _ = load_model(file, catalogue, models=FRAMEWORKS)
        console.print(f"each word is taught to the same agent, {self.agent}")
        results = []
        for result in teach_new_things(agent, catalogue, self.sessions, self.seed):
            results.append(result)
            main = f"{100 * result.main.value:.1f} % over nav_obj and nav_nr_obj"
            console.print(f"{result.word}: {result.seconds:.1f} s, {main}")
        console.print("", make_teach_table(results))
        console.print(
            f"\n% success in {self.sessions:,} sessions of each type whose command names the word\n"
            f"drop: points lost by the type of command or question, of 16, that lost most,\n"
            f"in the same {10 * self.sessions:,} sessions without the word before and after\n"
            f"beside: points lost by commands or answers overall, whichever lost more,\n"
            f"in {10 * self.sessions:,} sessions on maps where the new thing lies unnamed,\n"
            f"against the same maps with a known thing in its place before\n"
            f"each word was taught in {results[0].questions:,} questions from seed {self.seed}\n"
            f"PyTorch {torch.__version__} on {torch.get_num_threads()} threads"
        )


@dataclass(frozen=True)
class BenchCommand:
    """Measure speed side by side in one run, or how fast and how well new words are taught."""

    what: (
        Annotated[BenchEnv, subcommand("env")]
        | Annotated[BenchAgent, subcommand("agent")]
        | Annotated[BenchTeach, subcommand("teach")]
    )
    """What to measure."""

    def run(self) -> int:
        """Measure, and name the machine."""
        console = Console(highlight=False, soft_wrap=True)
        self.what.measure(console)
        console.print(describe_machine())
        return 0


def make_teach_table(results: "list[WordResult]") -> Table:
    """One line for each word; it fits into 80 columns."""
    table = number_table("word", "s", *COMMAND_NAMES, "drop", "beside")
    for result in results:
        cells = (percent(result.success.get(name), 1) for name in COMMAND_NAMES)
        drops = f"{max(0.0, result.largest_drop[1]):.2f}", f"{result.drop_beside:.2f}"
        table.add_row(result.word, f"{result.seconds:.1f}", *cells, *drops)
    return table


def describe_machine(cpuinfo: Path = Path("/proc/cpuinfo")) -> str:
    """The processor (by name where Linux tells it), the number of cores, and the version of Python."""
    named = re.search(r"^model name\s*:\s*(.+)$", cpuinfo.read_text(), re.MULTILINE) if cpuinfo.is_file() else None
    processor = named[1] if named else platform.processor() or platform.machine()
    return f"{processor}, {os.cpu_count()} cores, Python {platform.python_version()}"


def _medians(result: "Comparison") -> tuple[str, str]:
    return f"{statistics.median(result.ours):,.0f}", f"{statistics.median(result.theirs):,.0f}"


def _memory() -> str:
    from xworld.bench.environment import NUM_ENVS, MemoryUnknown, measure_memory

    try:
        return f"{NUM_ENVS['tiles']:,} worlds with tiles: {measure_memory():.0f} MB of memory"
    except MemoryUnknown as unknown:
        return str(unknown)

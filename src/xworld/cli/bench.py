"""`xworld bench`: how fast we are, beside others, on this machine."""

import importlib.util
import math
import os
import platform
import re
import statistics
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from rich.console import Console
from rich.table import Table
from tyro.conf import Positional

from xworld.bench.environment import WORLDS, Comparison, MemoryUnknown, compare, memory_of_worlds
from xworld.bench.peer import PEER, PEER_PROCESSES, Kind

_SEEN: dict[Kind, str] = {
    "tiles": "13 x 13 tiles beside 7 x 7 symbols",
    "pixels": "156 x 156 beside 56 x 56 pixels",
}
"""What an agent sees here and in MiniGrid."""


@dataclass(frozen=True)
class Bench:
    """Measure speed beside a peer, in alternating rounds of one run."""

    what: Positional[Literal["env"]]
    """env: steps a second of the environment, beside MiniGrid."""
    rounds: int = 3
    """How often each is measured; the ratio is the median over rounds."""
    seconds: float = 4.0
    """How long each measurement takes."""

    def run(self) -> int:
        """Measure, print each round, and then a table of the medians."""
        if self.rounds < 1 or not 0 < self.seconds < math.inf:
            raise ValueError(f"--rounds {self.rounds} --seconds {self.seconds}: expected both above 0, and finite")
        if importlib.util.find_spec("minigrid") is None:
            raise ValueError("MiniGrid, which this measures beside us, is not installed: pip install minigrid")
        console = Console(highlight=False, soft_wrap=True)
        memory = _measure_memory()  # first: it is told from the most that the process ever held
        console.print(f"xworld on {os.cpu_count()} threads beside MiniGrid {PEER} in {PEER_PROCESSES} processes")
        results = [compare(kind, self.rounds, self.seconds, report=console.print) for kind in _SEEN]
        console.print()
        console.print(make_table(results))
        console.print(f"\nsteps a second, medians of {self.rounds} rounds; commands and questions on")
        console.print(memory)
        console.print(describe_machine())
        return 0


def make_table(results: list[Comparison]) -> Table:
    """One line for each kind of observation; it fits into 80 columns."""
    table = Table("what the agent sees", "worlds", "xworld", "MiniGrid", "ratio", box=None, pad_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
    for result in results:
        ours, theirs = statistics.median(result.ours), statistics.median(result.theirs)
        table.add_row(
            _SEEN[result.kind], f"{WORLDS[result.kind]:,}", f"{ours:,.0f}", f"{theirs:,.0f}", f"{result.ratio:,.0f} x"
        )
    return table


def describe_machine(cpuinfo: Path = Path("/proc/cpuinfo")) -> str:
    """The processor by its name, where Linux tells it, the number of cores, and the version of Python."""
    named = re.search(r"^model name\s*:\s*(.+)$", cpuinfo.read_text(), re.MULTILINE) if cpuinfo.is_file() else None
    processor = named[1] if named else platform.processor() or platform.machine()
    return f"{processor}, {os.cpu_count()} cores, Python {platform.python_version()}"


def _measure_memory() -> str:
    try:
        return f"{WORLDS['tiles']:,} worlds with tiles: {memory_of_worlds():.0f} MB of memory"
    except MemoryUnknown as unknown:
        return str(unknown)

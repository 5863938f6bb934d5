"""`xworld bench env`: steps a second of the environment, beside MiniGrid."""

import importlib.util
import os
import statistics

from rich.console import Console
from rich.table import Table

from xworld.bench.environment import WORLDS, Comparison, MemoryUnknown, compare, memory_of_worlds
from xworld.bench.peer import PEER, PEER_PROCESSES, Kind

_SEEN: dict[Kind, str] = {
    "tiles": "13 x 13 tiles beside 7 x 7 symbols",
    "pixels": "156 x 156 beside 56 x 56 pixels",
}
"""What an agent sees here and in MiniGrid."""


def bench_env(console: Console, rounds: int, seconds: float) -> None:
    """Measure, print each round, and then a table of the medians."""
    if importlib.util.find_spec("minigrid") is None:
        raise ValueError("MiniGrid, which this measures beside us, is not installed: pip install minigrid")
    memory = _measure_memory()  # first: it is told from the most that the process ever held
    console.print(f"xworld on {os.cpu_count()} threads beside MiniGrid {PEER} in {PEER_PROCESSES} processes")
    results = [compare(kind, rounds, seconds, report=console.print) for kind in _SEEN]
    console.print()
    console.print(make_table(results))
    console.print(f"\nsteps a second, medians of {rounds} rounds; commands and questions on")
    console.print(memory)


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


def _measure_memory() -> str:
    try:
        return f"{WORLDS['tiles']:,} worlds with tiles: {memory_of_worlds():.0f} MB of memory"
    except MemoryUnknown as unknown:
        return str(unknown)

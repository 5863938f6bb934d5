"""`xworld bench`: how fast we are, beside others, on this machine."""

import importlib.util
import os
import platform
from dataclasses import dataclass
from typing import Literal, cast

from rich.console import Console
from rich.table import Table
from tyro.conf import Positional

from xworld.bench.environment import (
    PEER,
    PEER_PROCESSES,
    PIXEL_WORLDS,
    TILE_WORLDS,
    Kind,
    compare,
    memory_of_worlds,
)


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
        """Measure and print a table."""
        if self.rounds < 1 or self.seconds <= 0:
            raise ValueError(f"--rounds {self.rounds} --seconds {self.seconds}: expected both above 0")
        if importlib.util.find_spec("minigrid") is None:
            raise ValueError("the peer is not installed: pip install 'xworld[bench]'")
        console = Console()
        memory = memory_of_worlds()
        table = Table("observations", f"xworld, {os.cpu_count()} threads", "", box=None, pad_edge=False)
        table.columns[2].header = f"MiniGrid {PEER}, {PEER_PROCESSES} processes"
        table.add_column("ratio", justify="right")
        for kind, text in (
            ("tiles", "13 x 13 tiles beside 7 x 7 symbols"),
            ("pixels", "156 x 156 beside 56 x 56 pixels"),
        ):
            worlds = TILE_WORLDS if kind == "tiles" else PIXEL_WORLDS
            result = compare(cast(Kind, kind), self.rounds, self.seconds, report=console.log)
            table.add_row(
                f"{text}, {worlds:,} worlds",
                " ".join(f"{speed:,.0f}" for speed in result.ours),
                " ".join(f"{speed:,.0f}" for speed in result.theirs),
                f"{result.ratio:,.0f} x",
            )
        console.print(table)
        console.print(f"steps a second, each of {self.rounds} rounds; commands and questions on")
        console.print(f"{TILE_WORLDS:,} worlds with tiles: {memory:.0f} MB of memory")
        console.print(
            f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
        )
        return 0

"""`xworld bench`: how fast we are, beside others, on this machine."""

import math
from dataclasses import dataclass
from typing import Literal

from rich.console import Console
from tyro.conf import Positional

from xworld.cli.machine import describe_machine


@dataclass(frozen=True)
class Bench:
    """Measure speed beside a peer, in alternating rounds of one run."""

    what: Positional[Literal["env", "agent"]]
    """env: steps a second of the environment, beside MiniGrid. agent: scenes a second of the trained agent, training
    and acting, beside the paper's network run the literal way on pixels."""
    rounds: int = 3
    """How often each is measured; the ratio is the median over rounds."""
    seconds: float = 4.0
    """How long each measurement takes."""

    def run(self) -> int:
        """Measure, print each round, and then a table of the medians."""
        if self.rounds < 1 or not 0 < self.seconds < math.inf:
            raise ValueError(f"--rounds {self.rounds} --seconds {self.seconds}: expected both above 0, and finite")
        console = Console(highlight=False, soft_wrap=True)
        if self.what == "env":
            from xworld.cli.bench_env import bench_env

            bench_env(console, self.rounds, self.seconds)
        else:
            from xworld.cli.bench_agent import bench_agent  # torch takes a second to load

            bench_agent(console, self.rounds, self.seconds)
        console.print(describe_machine())
        return 0

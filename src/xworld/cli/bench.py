"""`xworld bench`: how fast we are, beside others, on this machine."""

import math
from dataclasses import dataclass
from typing import Literal

from rich.console import Console
from tyro.conf import Positional

from xworld.cli.machine import describe_machine


@dataclass(frozen=True)
class Bench:
    """Measure speed beside a peer, in alternating rounds of one run; or how fast and how well new words are taught."""

    what: Positional[Literal["env", "agent", "teach"]]
    """env: steps a second of the environment, beside MiniGrid. agent: scenes a second of the trained agent, training
    and acting, beside the paper's network run the literal way on pixels. teach: ten new things, each shown and named;
    seconds, success with commands that name it, and what is lost of the rest, without it and beside it."""
    rounds: int = 3
    """env and agent: how often each is measured; the ratio is the median over rounds."""
    seconds: float = 4.0
    """env and agent: how long each measurement takes."""
    sessions: int = 300
    """teach: test sessions of each type of command with each new word; ten times as many without it, and beside it."""
    checkpoint: str | None = None
    """teach: a file with the weights of the agent that is taught; without, the one of the package."""

    seed: int = 0
    """teach: the seed of the teacher's questions, for each word the same."""

    def run(self) -> int:
        """Measure, print each round, and then a table of the medians."""
        if self.rounds < 1 or not 0 < self.seconds < math.inf:
            raise ValueError(f"--rounds {self.rounds} --seconds {self.seconds}: expected both above 0, and finite")
        if self.sessions < 1:
            raise ValueError(f"--sessions {self.sessions}: expected at least one")
        if not 0 <= self.seed < 2**63:
            raise ValueError(f"--seed {self.seed}: expected a whole number from 0 to 2**63 - 1")
        console = Console(highlight=False, soft_wrap=True)
        if self.what == "env":
            from xworld.cli.bench_env import bench_env

            bench_env(console, self.rounds, self.seconds)
        elif self.what == "teach":
            from xworld.cli.bench_teach import bench_teach

            bench_teach(console, self.sessions, self.checkpoint, self.seed)
        else:
            from xworld.cli.bench_agent import bench_agent  # torch takes a second to load

            bench_agent(console, self.rounds, self.seconds)
        console.print(describe_machine())
        return 0

"""`xworld bench agent`: scenes a second of the fast path, beside the paper's dense way."""

import statistics
from collections.abc import Iterator

import torch
from rich.console import Console
from rich.table import Table

from xworld.bench.agent import DENSE_CHUNK, FAST_CHUNK, AgentComparison, Work, compare_ways
from xworld.bench.samples import gather_samples
from xworld.training.device import choose_device, describe_device
from xworld.training.pretrained import load_agent

BATCHES = (16, 256, 4096)

_WORKS: dict[Work, str] = {"training": "training step", "acting": "acting alone"}


def bench_agent(console: Console, rounds: int, seconds: float) -> None:
    """Measure, print each round, and then a table of the medians."""
    device = choose_device()
    console.print("the fast path on tile ids beside the dense reference on pixels")
    agent = load_agent()[0].to(device)
    samples = gather_samples(max(BATCHES), device)
    results = [
        compare_ways(agent, samples.first(batch), work, rounds, seconds, report=console.print)
        for work in _WORKS
        for batch in BATCHES
    ]
    console.print()
    console.print(make_table(results))
    console.print(f"\nscenes a second, medians of {rounds} rounds; same weights, scenes, losses, optimizer")
    fast, dense = FAST_CHUNK[device.type], DENSE_CHUNK[device.type]
    console.print(f"at most {fast:,} scenes at a time beside {dense:,}, the fastest for each; gradients add up")
    for line in _scaled_up(results):
        console.print(line)
    console.print(f"PyTorch {torch.__version__}, {describe_device(device)}")


def make_table(results: list[AgentComparison]) -> Table:
    """One line for each kind of work and batch; it fits into 80 columns."""
    table = Table("", "batch", "fast path", "dense reference", "ratio", box=None, pad_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
    for result in results:
        fast, dense = statistics.median(result.fast), statistics.median(result.dense)
        table.add_row(
            _WORKS[result.work], f"{result.batch:,}", f"{fast:,.0f}", f"{dense:,.0f}", f"{result.ratio:,.1f} x"
        )
    return table


def _scaled_up(results: list[AgentComparison]) -> Iterator[str]:
    """Say where the dense reference did only a part of the batch."""
    for result in results:
        if result.dense_timed < result.batch:
            yield (
                f"dense, {_WORKS[result.work]} at {result.batch:,}: "
                f"timed on {result.dense_timed:,} of the scenes, and scaled up"
            )

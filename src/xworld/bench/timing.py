"""Timing two sides in alternation. It imports only the standard library: the processes of MiniGrid load it too."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Comparison:
    """The speed of both sides in each round, such as steps per second."""

    ours: tuple[float, ...]
    theirs: tuple[float, ...]

    @property
    def ratio(self) -> float:
        """How many times faster we are: the median over rounds of the ratio within a round.

        >>> Comparison((10.0, 30.0, 50.0), (1.0, 2.0, 2.0)).ratio
        15.0
        """
        return statistics.median(mine / other for mine, other in zip(self.ours, self.theirs, strict=True))


def compare(
    ours: Callable[[], float],
    theirs: Callable[[], float],
    rounds: int,
    title: str,
    unit: str,
    report: Callable[[str], None],
) -> Comparison:
    """Measure both sides in turn, so that a slow spell of the machine hits both; report a line per round."""
    mine, others = list[float](), list[float]()
    for number in range(1, rounds + 1):
        mine.append(ours())
        others.append(theirs())
        report(f"{title}, round {number} of {rounds}: {mine[-1]:,.0f} beside {others[-1]:,.0f} {unit}")
    return Comparison(tuple(mine), tuple(others))


def calls_per_second(action: Callable[[int], object], seconds: float) -> float:
    """Call an action with 0, 1, 2, ... until the time is up, and return the calls per second."""
    start, turn = time.perf_counter(), 0
    while (passed := time.perf_counter() - start) < seconds:
        action(turn)
        turn += 1
    return turn / passed

"""Success rates with their confidence intervals."""

import math
from dataclasses import dataclass

_NORMAL_95 = 1.959964


@dataclass(frozen=True)
class Rate:
    """A share of successes, with Wilson's 95 % interval.

    >>> rate = Rate(981, 1000)
    >>> f"{rate.value:.3f} ({rate.low:.3f} to {rate.high:.3f})"
    '0.981 (0.971 to 0.988)'
    """

    hits: int
    trials: int

    @property
    def value(self) -> float:
        """The rate; NaN without trials."""
        return self.hits / self.trials if self.trials else math.nan

    @property
    def low(self) -> float:
        """The lower end of the interval."""
        return self._wilson(-1)

    @property
    def high(self) -> float:
        """The upper end of the interval."""
        return self._wilson(1)

    def _wilson(self, side: int) -> float:
        if not self.trials:
            return math.nan
        n, p, z = self.trials, self.value, _NORMAL_95
        spread = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        end = (p + z * z / (2 * n) + side * spread) / (1 + z * z / n)
        return min(1.0, max(0.0, end))  # rounding can leave it just outside

    def __add__(self, other: "Rate") -> "Rate":
        return Rate(self.hits + other.hits, self.trials + other.trials)


@dataclass(frozen=True)
class PairRates:
    """Results on minimal pairs."""

    told_apart: Rate
    """Pairs in which each session reached its own target in time, and before the target of the other."""
    both: Rate
    """Pairs in which each session reached its own target in time, on any path."""
    single: Rate
    """Sessions, two in each pair, that reached their target in time."""

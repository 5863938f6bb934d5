"""Means over seeds, with the interval that the seeds leave around them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

_T_95 = (
    12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281,
    2.2010, 2.1788, 2.1604, 2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860,
)  # fmt: skip
"""97.5 % quantiles of Student's t with 1, 2, ... degrees of freedom."""
_NORMAL_95 = 1.959964
_ROUNDING = 0.05
"""How far a figure that is printed with one decimal may be from what was measured."""


class Side(Enum):
    """Where an interval lies, seen from a figure."""

    ABOVE = "above"
    AROUND = "around"
    """It holds the figure: nothing tells the two apart."""
    BELOW = "below"


@dataclass(frozen=True)
class Estimate:
    """A mean over seeds; `half` of its 95 % interval lies on each side. One seed alone has no interval.

    >>> str(Estimate.of([97.0, 98.0, 99.0, 98.0])), str(Estimate.of([97.0]))
    ('98.0 ± 1.3', '97.0')
    """

    mean: float
    half: float | None
    values: tuple[float, ...]

    @classmethod
    def of(cls, values: Sequence[float]) -> "Estimate":
        """The mean of at least one value, with Student's interval."""
        count, mean = len(values), sum(values) / len(values)
        if count < 2:
            return cls(mean, None, tuple(values))
        deviation = math.sqrt(sum((value - mean) ** 2 for value in values) / (count - 1))
        return cls(mean, student_95(count - 1) * deviation / math.sqrt(count), tuple(values))

    @property
    def low(self) -> float:
        """The lower end of the interval; the mean, where there is none."""
        return self.mean - (self.half or 0.0)

    @property
    def high(self) -> float:
        """Its upper end."""
        return self.mean + (self.half or 0.0)

    def side(self, figure: float) -> Side | None:
        """On which side of a figure that is printed with one decimal the whole interval lies; None without one.

        >>> Estimate.of([97.0, 98.0, 99.0, 98.0]).side(96.6), Estimate.of([97.0]).side(96.6)
        (<Side.ABOVE: 'above'>, None)
        """
        if self.half is None:
            return None
        if self.low > figure + _ROUNDING:
            return Side.ABOVE
        return Side.BELOW if self.high < figure - _ROUNDING else Side.AROUND

    def is_apart_from(self, other: "Estimate") -> bool:
        """Whether the two intervals have nothing in common; where one has none, that is not known."""
        return None not in (self.half, other.half) and (self.low > other.high or self.high < other.low)

    def __str__(self) -> str:
        return f"{self.mean:.1f}" if self.half is None else f"{self.mean:.1f} ± {self.half:.1f}"


def student_95(freedom: int) -> float:
    """The 97.5 % quantile of Student's t; beyond the table by Cornish and Fisher's expansion, to 4 decimals.

    >>> student_95(3), round(student_95(60), 3)
    (3.1824, 2.0)
    """
    if freedom <= len(_T_95):
        return _T_95[freedom - 1]
    z = _NORMAL_95
    first, second = (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3

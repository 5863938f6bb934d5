"""Results by the cells of the tables: means over seeds, with 95 % intervals."""

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from xworld.baselines.registry import MODEL_NAMES
from xworld.experiments.result import Result
from xworld.teacher.holdout import CONDITIONS, PAPER_SHARE

NOT_RUN = "not run"
Curve = list[tuple[float, float]]

_T_95 = (
    12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281,
    2.2010, 2.1788, 2.1604, 2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860,
)  # fmt: skip
"""97.5 % quantiles of Student's t with 1, 2, ... degrees of freedom."""
_ROUNDING = 0.05
"""How far a number printed with one decimal may be from the measured one."""


@dataclass(frozen=True)
class Estimate:
    """A mean over seeds and half the width of its 95 % interval. A single seed has no interval.

    >>> str(Estimate.of([97.0, 98.0, 99.0, 98.0])), str(Estimate.of([97.0]))
    ('98.0 ± 1.3', '97.0')
    """

    mean: float
    half: float | None
    values: tuple[float, ...]

    @classmethod
    def of(cls, values: Sequence[float]) -> "Estimate":
        """The mean of at least one value, with Student's interval."""
        count, half = len(values), None
        if count > 1:
            half = student_95(count - 1) * statistics.stdev(values) / math.sqrt(count)
        return cls(sum(values) / count, half, tuple(values))

    @property
    def low(self) -> float:
        """The lower end of the interval; without one, the mean."""
        return self.mean - (self.half or 0.0)

    @property
    def high(self) -> float:
        """The upper end of the interval; without one, the mean."""
        return self.mean + (self.half or 0.0)

    def side(self, number: float) -> Literal["above", "around", "below"] | None:
        """Where the interval lies, seen from a number printed with one decimal; None without an interval."""
        if self.half is None:
            return None
        if self.low > number + _ROUNDING:
            return "above"
        return "below" if self.high < number - _ROUNDING else "around"

    def is_apart_from(self, other: "Estimate") -> bool:
        """Whether both have intervals and these do not overlap."""
        return None not in (self.half, other.half) and (self.low > other.high or self.high < other.low)

    def __str__(self) -> str:
        return f"{self.mean:.1f}" if self.half is None else f"{self.mean:.1f} ± {self.half:.1f}"


def student_95(freedom: int) -> float:
    """The 97.5 % quantile of Student's t; beyond the table, its last one, which is at most 7 % too large."""
    return _T_95[min(freedom, len(_T_95)) - 1]


@dataclass(frozen=True)
class Cells:
    """All results of a folder, by model, condition and share; rates are in %."""

    results: Sequence[Result]

    def runs(self, model: str, condition: str, share: float | None = None) -> list[Result]:
        """The results of a cell, by seed; by default with the paper's share."""
        if share is None:
            share = 0.0 if condition == "Standard" else PAPER_SHARE
        found = (r for r in self.results if (r.job.model, r.job.condition, r.job.share) == (model, condition, share))
        return sorted(found, key=lambda result: result.job.seed)

    def rates(self, model: str, condition: str, name: str, share: float | None = None) -> dict[int, float]:
        """A rate by seed, where it was measured."""
        rates = {result.job.seed: result.rate(name) for result in self.runs(model, condition, share)}
        return {seed: 100 * rate for seed, rate in rates.items() if rate is not None}

    def estimate(self, model: str, condition: str, name: str, share: float | None = None) -> Estimate | None:
        """A rate over the seeds of a cell; None if it was not run."""
        rates = self.rates(model, condition, name, share)
        return Estimate.of(list(rates.values())) if rates else None

    def text(self, model: str, condition: str, name: str, share: float | None = None) -> str:
        """A cell of a table. If it has fewer seeds than the fullest cell, it says how many."""
        estimate = self.estimate(model, condition, name, share)
        if estimate is None:
            return NOT_RUN
        count = len(estimate.values)
        return str(estimate) if count == self.most_seeds else f"{estimate} ({count} seed{'s' * (count > 1)})"

    @property
    def most_seeds(self) -> int:
        """The number of seeds in the fullest cell."""
        return max((len({run.job.seed for run in self.runs(*cell)}) for cell in self._all()), default=0)

    @property
    def models(self) -> list[str]:
        """The models that have results: those of the paper in its order, then others."""
        return [model for model in self.columns if any(result.job.model == model for result in self.results)]

    @property
    def columns(self) -> list[str]:
        """All models of the paper, and others that have results."""
        return [*MODEL_NAMES, *sorted({result.job.model for result in self.results} - {*MODEL_NAMES})]

    def conditions(self, model: str) -> list[str]:
        """The conditions in which a model has results with the paper's share."""
        return [condition for condition in CONDITIONS if self.runs(model, condition)]

    def hold_something_out(self, models: Iterable[str]) -> bool:
        """Whether one of some models was run in a condition other than Standard."""
        return any(condition != "Standard" for model in models for condition in self.conditions(model))

    def shares(self, model: str, condition: str) -> list[float]:
        """The shares with which a model was run in a condition."""
        return sorted({share for name, where, share in self._all() if (name, where) == (model, condition)})

    def curves(self, model: str, condition: str, name: str) -> list[Curve]:
        """For each seed, the points (global_step, value) where both are known."""
        curves = [result.curve for result in self.runs(model, condition)]
        points = [zip(curve["global_step"], curve[name], strict=True) for curve in curves]
        return [[(step, value) for step, value in pairs if step is not None and value is not None] for pairs in points]

    def _all(self) -> set[tuple[str, str, float]]:
        return {(result.job.model, result.job.condition, result.job.share) for result in self.results}

"""Results gathered into the cells of tables: one cell, several seeds."""

from collections.abc import Sequence
from dataclasses import dataclass

from xworld.baselines.registry import MODEL_NAMES, ModelName
from xworld.experiments.report.statistics import Estimate
from xworld.experiments.result import Result
from xworld.teacher.holdout import CONDITIONS, PAPER_SHARE

NOT_RUN = "not run"
Curve = list[tuple[float, float]]


@dataclass(frozen=True)
class Cells:
    """All results of a folder, by model, condition and share; rates are in %."""

    results: Sequence[Result]

    def runs(self, model: str, condition: str, share: float | None = None) -> list[Result]:
        """The results of a cell, by seed; without a share, those with the paper's."""
        wanted = share if share is not None else 0.0 if condition == "Standard" else PAPER_SHARE
        found = (r for r in self.results if (r.job.model, r.job.condition, r.job.share) == (model, condition, wanted))
        return sorted(found, key=lambda result: result.job.seed)

    def estimate(self, model: str, condition: str, figure: str, share: float | None = None) -> Estimate | None:
        """A rate over the seeds of a cell; None where it was not run."""
        rates = self._rates(model, condition, figure, share)
        return Estimate.of(list(rates.values())) if rates else None

    def lead(self, model: str, other: str, condition: str, figure: str) -> Estimate | None:
        """By how much a model is ahead of another, over the seeds that both have: a seed holds the same out of both."""
        ours, theirs = (self._rates(name, condition, figure) for name in (model, other))
        leads = [ours[seed] - theirs[seed] for seed in ours if seed in theirs]
        return Estimate.of(leads) if leads else None

    def text(self, model: str, condition: str, figure: str, share: float | None = None) -> str:
        """A cell of a table. Where a cell has fewer seeds than the fullest, it says how many."""
        estimate = self.estimate(model, condition, figure, share)
        if estimate is None:
            return NOT_RUN
        count = len(estimate.values)
        return (
            str(estimate) if count == self.most_seeds else f"{estimate} ({count} {'seed' if count == 1 else 'seeds'})"
        )

    @property
    def most_seeds(self) -> int:
        """The seeds of the fullest cell."""
        return max((len(self.runs(*cell)) for cell in self._all()), default=0)

    @property
    def models(self) -> list[ModelName]:
        """The models that have results, in the paper's order."""
        return [model for model in MODEL_NAMES if any(result.job.model == model for result in self.results)]

    def conditions(self, model: str) -> list[str]:
        """The conditions in which a model has results with the paper's share."""
        return [condition for condition in CONDITIONS if self.runs(model, condition)]

    def shares(self, model: str, condition: str) -> list[float]:
        """The shares with which a model was run in a condition."""
        return sorted({share for name, where, share in self._all() if (name, where) == (model, condition)})

    def curves(self, model: str, condition: str, figure: str) -> list[Curve]:
        """A curve for each seed: (global_step, value), where there is a value."""
        return [
            [
                (global_step, value)
                for global_step, value in zip(result.curve["global_step"], result.curve[figure], strict=True)
                if global_step is not None and value is not None
            ]
            for result in self.runs(model, condition)
        ]

    def _rates(self, model: str, condition: str, figure: str, share: float | None = None) -> dict[int, float]:
        """A rate in the runs of a cell, by seed, where it was measured."""
        rates = {result.job.seed: result.rate(figure) for result in self.runs(model, condition, share)}
        return {seed: 100 * rate for seed, rate in rates.items() if rate is not None}

    def _all(self) -> set[tuple[str, str, float]]:
        return {(result.job.model, result.job.condition, result.job.share) for result in self.results}

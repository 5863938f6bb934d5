"""The results of an evaluation, and the JSON that other programs read. Needs no PyTorch."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, TypeVar

from xworld.evaluation.failures import FailureReport
from xworld.evaluation.rate import PairRates, Rate
from xworld.teacher.holdout import Condition, Holdout

Row = TypeVar("Row")

NounRates = dict[str, Rate]
"""Success by type of command."""


@dataclass(frozen=True)
class EvaluationReport:
    """Results of test sessions at full difficulty, with the greedy policy.

    >>> EvaluationReport({"nav_obj": Rate(3, 4)}, {}, 1.0).as_json()["nav_obj"]["rate"]
    0.75
    """

    success: dict[str, Rate]
    """By type of command."""
    recognition: dict[str, Rate]
    """Correct answers by type of question."""
    path_efficiency: float
    """Total length of the shortest paths divided by the steps taken, over successful sessions."""
    split: str = ""
    """The split of the sessions, `validation` or `test`."""
    nouns: Mapping[str, NounRates] = field(default_factory=dict)
    """By noun of the command, on request; see `success.success_by_noun`."""
    starred: Mapping[str, Rate] = field(default_factory=dict)
    """Success by type of command, in sessions whose command was held out of training; see `zero_shot`."""
    minimal_pairs: Mapping[str, PairRates] = field(default_factory=dict)
    """By type of command, in pairs of sessions that differ in one noun; see `minimal_pairs`."""
    failures: FailureReport | None = None
    """Failed sessions by cause, on request; see `failures`."""

    @property
    def overall(self) -> Rate:
        """Success over all sessions, which are balanced over the types of command."""
        return _sum(self.success.values())

    @property
    def overall_recognition(self) -> Rate:
        """Correct answers over all questions."""
        return _sum(self.recognition.values())

    def as_json(self, holdout: Holdout | None = None) -> dict[str, Any]:
        """Rates with their intervals, by name, and the hold-out if there is one. Rates without trials are left out.

        A star marks held-out commands; `*overall` sums those that training never contained.
        """
        holdout = holdout or Holdout("Standard")
        figures: dict[str, Any] = {
            name: _rate_as_json(rate) for name, rate in self._all_rates(holdout.condition).items() if rate.trials
        }
        figures["path_efficiency"] = self.path_efficiency
        figures["split"] = self.split
        if self.nouns:
            figures["nouns"] = {noun: _rates_as_json(rates) for noun, rates in self.nouns.items()}
        if self.failures is not None:
            causes = self.failures.causes
            shares = {cause: {"overall": self.failures.share(cause), **rates} for cause, rates in causes.items()}
            figures["failures"] = {
                "causes": {cause: _rates_as_json(rates) for cause, rates in shares.items()},
                "shortest_path": _rates_as_json(self.failures.lengths),
            }
        if holdout != Holdout("Standard"):
            figures["holdout"] = asdict(holdout)
        return figures

    def _all_rates(self, condition: Condition) -> dict[str, Rate]:
        pairs = self.minimal_pairs
        return {
            "overall": self.overall,
            **self.success,
            **{f"*{name}": rate for name, rate in self.starred.items()},
            "*overall": _sum(never_heard(self.starred, condition).values()),
            "recognition": self.overall_recognition,
            **self.recognition,
            **{f"pairs_{name}": rates.told_apart for name, rates in pairs.items()},
            **{f"pairs_{name}_both": rates.both for name, rates in pairs.items()},
            **{f"pairs_{name}_single": rates.single for name, rates in pairs.items()},
            "pairs_overall": _sum(rates.told_apart for rates in pairs.values()),
            "pairs_both": _sum(rates.both for rates in pairs.values()),
            "pairs_single": _sum(rates.single for rates in pairs.values()),
        }


def never_heard(starred: Mapping[str, Row], condition: Condition) -> dict[str, Row]:
    """The starred rows, by type of command, whose commands training never contained; `*overall` sums these.

    Only `nav_obj` under NC is left out. A single noun is no combination: that row holds out the object meant, and not
    the command; see `zero_shot.have_held_out_commands`.
    """
    heard = "nav_obj" if condition == "NC" else None
    return {name: row for name, row in starred.items() if name != heard}


def _rate_as_json(rate: Rate) -> dict[str, float]:
    return {"rate": rate.value, "low": rate.low, "high": rate.high, "trials": rate.trials}


def _rates_as_json(rates: Mapping[str, Rate]) -> dict[str, Any]:
    return {name: _rate_as_json(rate) for name, rate in rates.items() if rate.trials}


def _sum(rates: Iterable[Rate]) -> Rate:
    return sum(rates, start=Rate(0, 0))

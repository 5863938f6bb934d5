"""The figures of a report for other programs."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from xworld.evaluation.rate import Rate
from xworld.evaluation.starred import never_heard
from xworld.evaluation.success import EvaluationReport
from xworld.teacher.holdout import Holdout


def as_json(report: EvaluationReport, holdout: Holdout | None = None) -> dict[str, Any]:
    """Rates and their intervals from 0 to 1, by name, and what was held out, if anything was.

    Held-out commands have a star, and `*overall` is over those that training never contained. Minimal pairs are told
    apart, both reached, or counted one by one. What was not tested is left out.

    >>> as_json(EvaluationReport({"nav_obj": Rate(3, 4)}, {}, 1.0))["nav_obj"]["rate"]
    0.75
    """
    holdout = holdout or Holdout("Standard")
    figures: dict[str, Any] = {
        name: _rate_as_json(rate) for name, rate in _all_rates(report, holdout).items() if rate.trials
    }
    figures["path_efficiency"] = report.path_efficiency
    if report.nouns:
        figures["nouns"] = {
            noun: {command: _rate_as_json(rate) for command, rate in rates.items()}
            for noun, rates in report.nouns.items()
        }
    if holdout != Holdout("Standard"):
        figures["holdout"] = asdict(holdout)
    return figures


def _all_rates(report: EvaluationReport, holdout: Holdout) -> dict[str, Rate]:
    minimal_pairs = report.minimal_pairs
    return {
        "overall": report.overall,
        **report.success,
        **{f"*{name}": rate for name, rate in report.starred.items()},
        "*overall": _sum(never_heard(report.starred, holdout.condition).values()),
        "recognition": report.overall_recognition,
        **report.recognition,
        **{f"pairs_{name}": pairs.told_apart for name, pairs in minimal_pairs.items()},
        **{f"pairs_{name}_both": pairs.both for name, pairs in minimal_pairs.items()},
        **{f"pairs_{name}_single": pairs.single for name, pairs in minimal_pairs.items()},
        "pairs_overall": _sum(pairs.told_apart for pairs in minimal_pairs.values()),
        "pairs_both": _sum(pairs.both for pairs in minimal_pairs.values()),
        "pairs_single": _sum(pairs.single for pairs in minimal_pairs.values()),
    }


def _rate_as_json(rate: Rate) -> dict[str, float]:
    return {"rate": rate.value, "low": rate.low, "high": rate.high, "trials": rate.trials}


def _sum(rates: Iterable[Rate]) -> Rate:
    return sum(rates, start=Rate(0, 0))

"""The tests at the end of a job: all commands, held-out commands, twins and questions, as one table of rates."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch

from xworld.evaluation.intervals import Rate
from xworld.evaluation.success import evaluate
from xworld.evaluation.twins import TwinRates, evaluate_twins
from xworld.evaluation.zero_shot import evaluate_zero_shot
from xworld.experiments.plan import Plan
from xworld.learning.bundled import load_agent
from xworld.teacher.holdout import Holdout

_NOTHING = Rate(0, 0)


def examine(
    weights: Path, holdout: Holdout, plan: Plan, device: torch.device, told_to_stop: Callable[[], bool]
) -> dict[str, Any] | None:
    """Test the agent of a file, which is what others will load; None if told to stop on the way."""
    agent, _ = load_agent(weights)
    agent, teacher = agent.to(device), plan.recipe.teacher
    report = evaluate(agent, plan.sessions, settings=teacher)
    if told_to_stop():
        return None
    starred = evaluate_zero_shot(agent, holdout, plan.held_out_sessions, settings=teacher)
    if told_to_stop():
        return None
    rates = {"overall": report.overall, **report.success, **_starred(starred)}
    rates |= {"recognition": report.overall_recognition, **report.recognition}
    rates |= _of_twins(evaluate_twins(agent, plan.twins, settings=teacher))
    return {name: _figures(rate) for name, rate in rates.items() if rate.trials} | {
        "path_efficiency": report.path_efficiency
    }


def _starred(rates: Mapping[str, Rate]) -> dict[str, Rate]:
    """Held-out commands by type, each with a star, and all of them together: as many of each type."""
    return {f"*{name}": rate for name, rate in rates.items()} | {"*overall": sum(rates.values(), start=_NOTHING)}


def _of_twins(twins: Mapping[str, TwinRates]) -> dict[str, Rate]:
    """Pairs told apart, pairs that both succeeded, and single sessions; by type of command and all together."""
    rates = dict[str, Rate]()
    for name, outcome in twins.items():
        rates |= {f"twins_{name}": outcome.told_apart, f"twins_{name}_both": outcome.both}
        rates[f"twins_{name}_single"] = outcome.single
    rates["twins_overall"] = sum((outcome.told_apart for outcome in twins.values()), start=_NOTHING)
    rates["twins_both"] = sum((outcome.both for outcome in twins.values()), start=_NOTHING)
    return rates | {"twins_single": sum((outcome.single for outcome in twins.values()), start=_NOTHING)}


def _figures(rate: Rate) -> dict[str, float]:
    return {"rate": rate.value, "low": rate.low, "high": rate.high, "trials": rate.trials}

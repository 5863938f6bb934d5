"""The tests at the end of a job: all commands, held-out commands, minimal pairs and questions."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from xworld.evaluation.minimal_pairs import evaluate_minimal_pairs
from xworld.evaluation.success import evaluate
from xworld.evaluation.zero_shot import evaluate_zero_shot
from xworld.experiments.plan import Plan
from xworld.teacher.holdout import Holdout
from xworld.training.pretrained import load_agent


def examine(
    weights: Path, holdout: Holdout, plan: Plan, device: torch.device, told_to_stop: Callable[[], bool]
) -> dict[str, Any] | None:
    """Test the agent of a file, which is what others will load; None if told to stop on the way."""
    agent, _ = load_agent(weights)
    agent, teacher = agent.to(device), plan.config.teacher
    report = evaluate(agent, plan.sessions, settings=teacher)
    if told_to_stop():
        return None
    starred = evaluate_zero_shot(agent, holdout, plan.held_out_sessions, settings=teacher)
    if told_to_stop():
        return None
    minimal_pairs = evaluate_minimal_pairs(agent, plan.minimal_pairs, settings=teacher)
    return replace(report, starred=starred, minimal_pairs=minimal_pairs).as_json(holdout)

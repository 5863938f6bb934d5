"""What training reports after each round, for logs and dashboards."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xworld.evaluation.rate import Rate

if TYPE_CHECKING:  # torch takes a second to load, and whoever only reads progress does without it
    from xworld.evaluation.report import EvaluationReport

PHASES = "walking", "learning", "evaluating", "saving"
"""What training spends its time on."""


@dataclass(frozen=True)
class Progress:
    """One round: the agent has walked, and has learned from it."""

    iteration: int
    """Rounds so far, this one included."""
    iterations: int
    """Rounds in all."""
    global_step: int
    """Steps of the agent so far, over all worlds."""
    success: Mapping[str, Rate]
    """Sessions that ended in this round, by type of command."""
    answers: Rate
    """Questions that were learned from in this round, and the right answers among them."""
    reward: float
    """Mean discounted reward of a session that ended in this round; not a number where none did."""
    losses: Mapping[str, float]
    """Losses, entropy, gradient norm: means over the round."""
    seconds: Mapping[str, float]
    """How long each phase of the round took; the names are among `PHASES`."""
    difficulty: float
    """How far the curriculum is, from 0 to 1."""
    learning_rate: float


@dataclass(frozen=True)
class Evaluation:
    """Test sessions in the course of training."""

    iteration: int
    """Rounds before it."""
    global_step: int
    """Steps of the agent before it, over all worlds."""
    seconds: float
    """Training time before it, evaluations left out."""
    report: "EvaluationReport"

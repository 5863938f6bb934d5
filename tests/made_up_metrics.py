"""Made-up metrics and evaluations for logs and dashboards."""

import math
from dataclasses import replace
from typing import Any

from xworld.evaluation.rate import Rate
from xworld.evaluation.report import EvaluationReport
from xworld.teacher.settings import COMMAND_NAMES, QUESTION_NAMES
from xworld.training.metrics import Evaluation, Metrics

STEPS = 1000
"""Of an iteration."""


def make_metrics(iteration: int, **changes: Any) -> Metrics:
    """Half of the sessions succeed, and 3 of 4 answers are correct; no session of the last command type ends."""
    success = {name: Rate(iteration, 2 * iteration) for name in COMMAND_NAMES[:-1]} | {COMMAND_NAMES[-1]: Rate(0, 0)}
    metrics = Metrics(
        iteration=iteration,
        iterations=100,
        global_step=STEPS * iteration,
        success=success,
        answer_accuracy=Rate(3, 4),
        session_return=0.25,
        losses={"policy": -0.125, "value": 2.0, "gradient_norm": 0.5},
        seconds={"rollout": 0.3, "update": 0.2, "evaluation": 9.5},
        difficulty=0.5,
        learning_rate=1e-3,
    )
    return replace(metrics, **changes)


def make_silent_metrics(iteration: int) -> Metrics:
    """No session ended, and nothing was asked."""
    return make_metrics(
        iteration,
        success={name: Rate(0, 0) for name in COMMAND_NAMES},
        answer_accuracy=Rate(0, 0),
        session_return=math.nan,
    )


def make_evaluation(iteration: int) -> Evaluation:
    """Success of 90, 80, 70 and 60 %; each question is answered rightly once in two."""
    report = EvaluationReport(
        success={name: Rate(90 - 10 * place, 100) for place, name in enumerate(COMMAND_NAMES)},
        recognition={name: Rate(1, 2) for name in QUESTION_NAMES},
        path_efficiency=0.75,
    )
    return Evaluation(iteration, STEPS * iteration, 0.5 * iteration, report)

"""Made-up rounds and evaluations for logs and dashboards."""

import math
from dataclasses import replace
from typing import Any

from xworld.evaluation.rate import Rate
from xworld.evaluation.report import EvaluationReport
from xworld.teacher.settings import COMMAND_NAMES, QUESTION_NAMES
from xworld.training.progress import Evaluation, Progress

FRAMES = 1000
"""Of a round."""


def make_round(iteration: int, **changes: Any) -> Progress:
    """A round in which half of the sessions succeed and 3 of 4 answers are right; the last command never ends."""
    success = {name: Rate(iteration, 2 * iteration) for name in COMMAND_NAMES[:-1]} | {COMMAND_NAMES[-1]: Rate(0, 0)}
    progress = Progress(
        iteration=iteration,
        iterations=100,
        global_step=FRAMES * iteration,
        success=success,
        answers=Rate(3, 4),
        reward=0.25,
        losses={"policy": -0.125, "value": 2.0, "gradient_norm": 0.5},
        seconds={"walking": 0.3, "learning": 0.2, "evaluating": 9.5},
        difficulty=0.5,
        learning_rate=1e-3,
    )
    return replace(progress, **changes)


def make_silent_round(iteration: int) -> Progress:
    """A round in which no session ended and nothing was asked."""
    return make_round(
        iteration, success={name: Rate(0, 0) for name in COMMAND_NAMES}, answers=Rate(0, 0), reward=math.nan
    )


def make_evaluation(iteration: int) -> Evaluation:
    """Success of 90, 80, 70 and 60 %; each question is answered rightly once in two."""
    report = EvaluationReport(
        success={name: Rate(90 - 10 * place, 100) for place, name in enumerate(COMMAND_NAMES)},
        recognition={name: Rate(1, 2) for name in QUESTION_NAMES},
        path_efficiency=0.75,
    )
    return Evaluation(iteration, FRAMES * iteration, 0.5 * iteration, report)

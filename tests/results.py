"""Made-up results, as `xworld reproduce` writes them."""

import math
from collections.abc import Mapping

from xworld.experiments.grid import Job
from xworld.experiments.plan import Plan
from xworld.experiments.result import Result
from xworld.teacher.holdout import PAPER_SHARE, Condition
from xworld.teacher.settings import COMMAND_NAMES, QUESTION_NAMES


def make_result(
    job: Job, success: float = 0.9, starred: float = 0.8, changes: Mapping[str, float] | None = None
) -> Result:
    """Success of all types of command, and of held-out ones where something is held out; answers are all right."""
    rates = dict.fromkeys(("overall", *COMMAND_NAMES), success)
    if job.condition != "Standard":
        rates |= dict.fromkeys(("*overall", *(f"*{name}" for name in COMMAND_NAMES)), starred)
    rates |= dict.fromkeys(("recognition", *QUESTION_NAMES), 1.0)
    rates |= dict.fromkeys(("pairs_overall", "pairs_both", "pairs_single"), success)
    rates |= dict.fromkeys(
        (f"pairs_{name}{end}" for name in COMMAND_NAMES for end in ("", "_both", "_single")), success
    )
    rates |= changes or {}
    global_step = [8192.0 * point for point in range(1, 101)]
    return Result(
        job=job,
        settings=Plan(split="test").settings(job),
        evaluation={
            **{name: {"rate": rate, "low": 0.0, "high": 1.0, "trials": 100} for name, rate in rates.items()},
            "split": "test",
        },
        curve={
            "global_step": [*global_step],
            "session_return": [success - 2 * math.exp(-point / 20) for point in range(100)],
            "success": [success] * 99 + [None],
        },
        global_step=819_200,
        seconds={"training": 100.0 + job.seed, "testing": 10.0},
        hardware="H200",
        versions={"xworld": "0.1.0", "torch": "2.13.0", "python": "3.11.7"},
    )


def of_seeds(model: str, condition: Condition, *rates: float) -> list[Result]:
    """The results of a cell from so many seeds, with these rates of success, on held-out commands too."""
    share = 0.0 if condition == "Standard" else PAPER_SHARE
    return [make_result(Job(model, condition, share, seed), rate, rate) for seed, rate in enumerate(rates)]

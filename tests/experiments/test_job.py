"""The tests at the end of a job: every rate with its trials, and nothing if stopped."""

import json

import pytest
import torch

from xworld.experiments.job import evaluate_job
from xworld.experiments.plan import Plan
from xworld.teacher.holdout import Holdout
from xworld.teacher.settings import COMMAND_NAMES
from xworld.training.pretrained import PRETRAINED

PLAN = Plan(sessions=40, held_out_sessions=6, minimal_pairs=5)
HOLDOUT = Holdout("NC", object_colors=(("apple", "red"),), object_pairs=(("cat", "dog"),))
CPU = torch.device("cpu")


def test_every_rate_has_its_trials() -> None:
    figures = evaluate_job(PRETRAINED["Standard"], HOLDOUT, PLAN, CPU, lambda: False)
    assert figures is not None
    expected = {"overall": 40, **dict.fromkeys(COMMAND_NAMES, 10)}
    # Of nav_nr_obj nothing is held out; "go to the apple" is heard in training, and is no part of *overall.
    expected |= {"*nav_obj": 6, "*nav_col_obj": 6, "*nav_bw_obj": 6, "*overall": 12}
    for name in COMMAND_NAMES:
        expected |= {f"pairs_{name}": 5, f"pairs_{name}_both": 5, f"pairs_{name}_single": 10}
    expected |= {"pairs_overall": 20, "pairs_both": 20, "pairs_single": 40}
    assert Holdout.from_json(json.loads(json.dumps(figures.pop("holdout")))) == HOLDOUT
    assert figures.pop("split") == "validation"
    assert 0 < figures.pop("path_efficiency") <= 1.1
    measured = {name: figure["trials"] for name, figure in figures.items()}
    assert {name: trials for name, trials in measured.items() if not name.startswith("rec")} == expected
    assert measured["recognition"] == sum(trials for name, trials in measured.items() if name.startswith("rec_"))
    for figure in figures.values():
        assert figure["low"] < figure["rate"] + 1e-9  # but for rounding
        assert figure["rate"] < figure["high"] + 1e-9
    assert figures["overall"]["rate"] > 0.8
    starred = (figures["*nav_col_obj"]["rate"] + figures["*nav_bw_obj"]["rate"]) / 2
    assert figures["*overall"]["rate"] == pytest.approx(starred)
    assert figures["overall"]["rate"] == pytest.approx(sum(figures[name]["rate"] for name in COMMAND_NAMES) / 4)


@pytest.mark.parametrize("looks", [0, 1])
def test_should_stop_it_has_no_figures(looks: int) -> None:
    told = iter([False] * looks + [True])
    assert evaluate_job(PRETRAINED["Standard"], HOLDOUT, PLAN, CPU, lambda: next(told)) is None

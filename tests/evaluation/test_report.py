"""A report as JSON."""

import subprocess
import sys

from xworld.evaluation.rate import PairRates, Rate
from xworld.evaluation.report import EvaluationReport
from xworld.teacher.holdout import Holdout

REPORT = EvaluationReport(
    success={"nav_obj": Rate(3, 4), "nav_nr_obj": Rate(1, 4)},
    recognition={"rec_col2obj": Rate(2, 2), "rec_obj2col": Rate(0, 0)},
    path_efficiency=0.9,
    split="validation",
    nouns={"cat": {"nav_obj": Rate(1, 2)}},
    starred={"nav_obj": Rate(1, 2), "nav_nr_obj": Rate(5, 5)},
    minimal_pairs={"nav_obj": PairRates(Rate(1, 4), Rate(2, 4), Rate(6, 8))},
)


def test_every_rate_has_a_name() -> None:
    figures = REPORT.as_json(Holdout("NC", object_colors=(("apple", "red"),)))
    rates = {name: value["rate"] for name, value in figures.items() if isinstance(value, dict) and "rate" in value}
    assert rates == {
        "overall": 0.5, "nav_obj": 0.75, "nav_nr_obj": 0.25, "*nav_obj": 0.5, "*nav_nr_obj": 1.0, "*overall": 1.0,
        "recognition": 1.0, "rec_col2obj": 1.0, "pairs_nav_obj": 0.25, "pairs_nav_obj_both": 0.5,
        "pairs_nav_obj_single": 0.75, "pairs_overall": 0.25, "pairs_both": 0.5, "pairs_single": 0.75,
    }  # fmt: skip
    assert figures["nouns"]["cat"]["nav_obj"]["trials"] == 2
    assert figures["holdout"]["object_colors"] == (("apple", "red"),)
    assert figures["path_efficiency"] == 0.9
    assert figures["split"] == "validation"


def test_what_was_not_tested_is_left_out() -> None:
    figures = EvaluationReport({"nav_obj": Rate(3, 4)}, {}, 1.0).as_json()
    assert figures.keys() == {"overall", "nav_obj", "path_efficiency", "split"}


def test_a_report_needs_no_pytorch() -> None:
    code = "import sys, xworld.evaluation.report; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

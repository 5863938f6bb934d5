"""The results in the documentation: the page is what the report makes of the files beside it, and shows what we say."""

import re
from pathlib import Path

import pytest

from xworld.experiments.report.cells import Cells
from xworld.experiments.report.page import IMAGES, NOTES, compose
from xworld.experiments.report.paper import TABLE_1A, TABLE_1B
from xworld.experiments.result import read_all
from xworld.teacher.holdout import CONDITIONS

DOCS = Path(__file__).parents[3] / "docs"
COMMAND = "xworld report --folder docs/results --page docs/results.md"


@pytest.fixture(scope="module")
def cells() -> Cells:
    results, faults = read_all(DOCS / "results")
    assert not faults
    return Cells(results)


def test_the_page_is_made_from_the_results_beside_it(cells: Cells) -> None:
    figures = [path.name for path in (DOCS / IMAGES).glob("results-*.svg")]
    notes = (DOCS / "results" / NOTES).read_text(encoding="utf-8").strip()
    assert compose(cells, figures, [], COMMAND, notes) == (DOCS / "results.md").read_text(encoding="utf-8")


QUOTED = [
    ("framework", "Standard", "overall", "98.9"),
    ("framework", "Standard", "nav_bw_obj", "98.0"),
    ("framework", "Standard", "pairs_overall", "96.3"),
    ("framework", "Standard", "pairs_nav_bw_obj", "91.2"),
    ("framework", "NWNavRec", "pairs_nav_bw_obj", "91.9"),
    ("framework", "NWNavRec", "*overall", "98.5"),
    ("framework", "NWNavRec", "*nav_obj", "99.3"),
    ("simple_attention", "Standard", "overall", "93.0"),
    ("simple_attention", "Standard", "nav_obj", "85.3"),
    ("simple_attention", "Standard", "pairs_nav_bw_obj", "73.1"),
    ("simple_attention", "NWNavRec", "*overall", "49.0"),
    ("simple_attention", "NWNavRec", "*nav_obj", "1.2"),
    ("simple_attention", "NWNavRec", "*nav_col_obj", "45.8"),
    ("simple_attention", "NWNavRec", "*nav_nr_obj", "53.7"),
    ("simple_attention", "NWNavRec", "*nav_bw_obj", "95.2"),
    ("simple_attention", "NWNavRec", "pairs_nav_bw_obj", "60.7"),
    ("no_trans_share", "Standard", "overall", "97.3"),
    ("san", "Standard", "overall", "98.1"),
    ("san", "Standard", "pairs_nav_obj", "97.9"),
    ("san", "Standard", "pairs_nav_nr_obj", "73.2"),
    ("san", "Standard", "pairs_nav_bw_obj", "64.7"),
    ("vis_lstm", "Standard", "overall", "70.1"),
    ("vis_lstm", "Standard", "pairs_overall", "4.4"),
    ("vis_lstm", "Standard", "pairs_both", "26.0"),
    ("multimodal", "Standard", "overall", "69.8"),
    ("multimodal", "Standard", "pairs_overall", "3.7"),
    ("multimodal", "Standard", "pairs_both", "24.0"),
]
"""What the notes, and the README where it speaks of the results, say of ours."""


@pytest.mark.parametrize(("model", "condition", "row", "figure"), QUOTED)
def test_a_figure_that_is_quoted_is_that_of_the_results(
    cells: Cells, model: str, condition: str, row: str, figure: str
) -> None:
    estimate = cells.estimate(model, condition, row)
    assert estimate is not None
    assert f"{estimate.mean:.1f}" == figure


def test_no_other_figure_is_quoted() -> None:
    readme = (DOCS.parent / "README.md").read_text(encoding="utf-8").split("\n\n")
    texts = [(DOCS / "results" / NOTES).read_text(encoding="utf-8"), *(part for part in readme if "results.md" in part)]
    quoted = set(re.findall(r"(?<!± )\b\d+\.\d(?= (?:± \d+\.\d )?%)", " ".join(texts)))
    ours = {figure for *_, figure in QUOTED}
    paper = {
        str(figure)
        for table in (TABLE_1A, TABLE_1B["framework"], TABLE_1B["simple_attention"])
        for figure in table.values()
    }
    assert ours <= quoted
    assert quoted <= ours | paper


def mean(cells: Cells, condition: str, row: str) -> float:
    estimate = cells.estimate("framework", condition, row)
    assert estimate is not None
    assert len(estimate.values) == 4
    return estimate.mean


@pytest.mark.parametrize("condition", CONDITIONS)
def test_the_framework_is_above_the_paper_wherever_it_was_measured(cells: Cells, condition: str) -> None:
    printed = {row: figure for (row, where), figure in TABLE_1B["framework"].items() if where == condition}
    assert printed
    assert all(mean(cells, condition, row) >= figure for row, figure in printed.items())
    assert mean(cells, condition, "overall") >= 98


@pytest.mark.parametrize("condition", [condition for condition in CONDITIONS if condition != "Standard"])
@pytest.mark.parametrize("command", ["nav_obj", "nav_col_obj", "nav_nr_obj", "nav_bw_obj"])
def test_commands_never_heard_are_obeyed_like_others(cells: Cells, condition: str, command: str) -> None:
    never_heard = mean(cells, condition, f"*{command}")
    assert never_heard >= 95
    assert never_heard >= mean(cells, condition, command) - 2

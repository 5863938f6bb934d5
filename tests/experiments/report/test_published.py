"""The results in the documentation: the page is what the report makes of the files beside it, and shows what we say."""

import re
from pathlib import Path

import pytest

from xworld.experiments.report.cells import Cells
from xworld.experiments.report.page import IMAGES, NOTES, compose
from xworld.experiments.report.paper import TABLE_1B
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


def test_figures_that_are_quoted_are_those_of_the_page(cells: Cells) -> None:
    """In the notes, and where the README speaks of the results."""
    measured = set(re.findall(r"\d+\.\d", compose(cells, [], [], COMMAND)))
    readme = (DOCS.parent / "README.md").read_text(encoding="utf-8").split("\n\n")
    quoting = [
        (DOCS / "results" / NOTES).read_text(encoding="utf-8"),
        *(part for part in readme if "results.md" in part),
    ]
    quoted = [set(re.findall(r"\d+\.\d(?= %)", text)) for text in quoting]
    assert len(set.union(*quoted)) > 20
    assert [figures - measured for figures in quoted] == [set()] * len(quoted)


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

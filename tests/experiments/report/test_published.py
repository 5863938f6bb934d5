"""The results in the documentation: the page is what the report makes of the files beside it, and shows what we say."""

import re
import shutil
from pathlib import Path

import pytest

from xworld.experiments.report.cells import Cells
from xworld.experiments.report.page import IMAGES, NOTES, compose, write_report
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


@pytest.mark.parametrize("name", ["ablations", "paper2017"])
def test_a_page_of_ablations_is_made_from_the_results_beside_it(name: str, tmp_path: Path) -> None:
    command = f"xworld report --folder docs/{name} --page docs/{name}.md"
    shutil.copytree(DOCS / name, tmp_path / name)
    assert not write_report(tmp_path / name, tmp_path / f"{name}.md", command).faults
    assert (tmp_path / f"{name}.md").read_bytes() == (DOCS / f"{name}.md").read_bytes()


QUOTED = [
    ("planner", "Standard", "pairs_overall", "99.5"),
    ("planner", "Standard", "pairs_single", "99.8"),
]
"""What the notes, and the README where it speaks of the results, say of ours."""


@pytest.mark.parametrize(("model", "condition", "row", "figure"), QUOTED)
def test_a_figure_that_is_quoted_is_that_of_the_results(
    cells: Cells, model: str, condition: str, row: str, figure: str
) -> None:
    estimate = cells.estimate(model, condition, row)
    assert estimate is not None
    assert f"{estimate.mean:.1f}" == figure


def test_no_other_figure_is_quoted(cells: Cells) -> None:
    """Every figure is a mean that is listed above, that of a single run, or the paper's."""
    readme = (DOCS.parent / "README.md").read_text(encoding="utf-8").split("\n\n")
    texts = [
        (DOCS / "results" / NOTES).read_text(encoding="utf-8"),
        *(part for part in readme if "results.md" in part or "Minimal" in part),
    ]
    quoted = set(re.findall(r"(?<!± )\b\d+\.\d(?= (?:± \d+\.\d )?%)", " ".join(texts)))
    means = {figure for *_, figure in QUOTED}
    rates = ((result, name) for result in cells.results for name in result.evaluation)
    runs = {f"{100 * rate:.1f}" for result, name in rates if (rate := result.rate(name)) is not None}
    paper = {
        str(figure)
        for table in (TABLE_1A, TABLE_1B["framework"], TABLE_1B["simple_attention"])
        for figure in table.values()
    }
    assert means <= quoted
    assert quoted <= means | runs | paper


def mean(cells: Cells, condition: str, row: str) -> float:
    estimate = cells.estimate("planner", condition, row)
    assert estimate is not None
    return estimate.mean


@pytest.mark.parametrize("condition", CONDITIONS)
def test_the_planner_is_above_the_papers_framework_everywhere(cells: Cells, condition: str) -> None:
    printed = {row: figure for (row, where), figure in TABLE_1B["framework"].items() if where == condition}
    assert printed
    assert all(mean(cells, condition, row) >= figure for row, figure in printed.items())
    assert mean(cells, condition, "overall") >= 99.7


@pytest.mark.parametrize("condition", [condition for condition in CONDITIONS if condition != "Standard"])
@pytest.mark.parametrize("command", ["nav_obj", "nav_col_obj", "nav_nr_obj", "nav_bw_obj"])
def test_commands_never_heard_are_obeyed_like_others(cells: Cells, condition: str, command: str) -> None:
    never_heard = mean(cells, condition, f"*{command}")
    assert never_heard >= 99
    assert never_heard >= mean(cells, condition, command) - 0.5

"""The page for made-up results: all of its parts, and nothing that a missing cell could break."""

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest
from filelock import FileLock

from results import make_result, of_seeds
from xworld.baselines.registry import MODEL_NAMES
from xworld.experiments.grid import Grid, Job
from xworld.experiments.plan import Plan
from xworld.experiments.report import page as page_module
from xworld.experiments.report.cells import Cells
from xworld.experiments.report.figures import draw_all
from xworld.experiments.report.page import NOTES, compose, write_report
from xworld.experiments.report.paper import TITLES
from xworld.experiments.result import RESULT, Result, ResultError
from xworld.teacher.holdout import CONDITIONS
from xworld.training.configs import TINY

HEADINGS = [
    "# Results",
    "## All models (Table 1a)",
    "## Commands never heard (Table 1b)",
    "### The other models",
    "## More words held out",
    "## Minimal pairs: does the noun matter?",
    "## Answers",
    "## Training cost",
]

SHARES = {"10 %": 1, "30 %": 1, "50 %": 1, "70 %": 1}
"""The rows of the table of shares, with one figure missing in each."""


def write(folder: Path, *results: Result) -> Path:
    for result in results:
        path = folder / result.job.name
        path.mkdir(parents=True)
        result.write(path)
    return folder


@pytest.fixture
def without_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawing takes seconds."""
    monkeypatch.setattr(page_module, "draw_all", lambda cells, page: {})


def test_a_whole_report(tmp_path: Path) -> None:
    grid = Grid(all_cells=True, seeds=(0, 1))
    folder = write(tmp_path / "grid", *(make_result(job, 0.9 - 0.01 * job.seed) for job in grid.jobs()))
    (folder / "framework-NC-0.1-0" / RESULT).write_text("{}")
    page = tmp_path / "docs" / "results.md"
    report = write_report(folder, page, "xworld report --page docs/results.md")
    text = page.read_text()
    assert "Made by `xworld report --page docs/results.md` from 61 result files" in text
    assert "framework-NC-0.1-0/result.json is damaged" in text
    assert "Config default, 819,200 steps, xworld 0.1.0, seeds 0, 1." in text
    assert "not run" not in text.lower()
    assert re.findall(r"^#+ .*", text, flags=re.MULTILINE) == HEADINGS
    pairs = [line.split(" | ")[:2] for line in text.splitlines() if re.match(r"\| [-\w]+ \| \w+ \| 8\d\.", line)]
    assert [" ".join(row).strip("| ") for row in pairs] == [f"{TITLES[m]} {c}" for m in MODEL_NAMES for c in CONDITIONS]
    assert text.count("(1 seed)") == 18  # without the damaged result: 10 of Table 1b, 7 of minimal pairs, 1 of answers
    assert "| Framework | H200 | 7 | 819,200 | 100 to 101 |" in text
    assert len(report.figures) == 8
    linked = re.findall(r'(?:src|srcset)="([^"]+)"', text)
    assert {page.parent / name for name in linked} == set((page.parent / "images").iterdir())
    assert not re.search(r"None|\b(nan|inf)\b|[{}]|  \.|\(\)", text)  # what a sentence has where a figure is missing


def test_small_worlds_are_not_taken_for_the_papers() -> None:
    job = Job("framework", "Standard", 0.0, 0)
    warning = "These worlds are not the paper's"
    small = replace(make_result(job), settings=Plan(TINY).settings(job))
    assert warning in compose(Cells([small]), [], [], "xworld report")
    mine = replace(make_result(job), settings=Plan(pack="mine").settings(job))
    assert warning in compose(Cells([mine]), [], [], "xworld report")
    assert warning not in compose(Cells([make_result(job)]), [], [], "xworld report")


def test_the_same_results_make_the_same_files(tmp_path: Path) -> None:
    folder = write(tmp_path / "grid", *of_seeds("framework", "Standard", 0.9, 0.8))
    for name in ("one", "two"):
        write_report(folder, tmp_path / name / "page.md", "xworld report")
    one, two = ({path.name: path.read_bytes() for path in (tmp_path / name).rglob("*.*")} for name in ("one", "two"))
    assert one == two
    assert len(one) == 5


def test_without_a_condition_that_holds_something_out_there_are_no_tables_of_that(tmp_path: Path) -> None:
    folder = write(tmp_path / "grid", *of_seeds("framework", "Standard", 0.9, 0.8))
    write_report(folder, tmp_path / "paper2017.md", "xworld report")
    text = (tmp_path / "paper2017.md").read_text()
    assert [line for line in text.splitlines() if line.startswith("#")] == [
        heading for heading in HEADINGS if heading not in HEADINGS[2:5]
    ]
    images = {path.name for path in (tmp_path / "images").iterdir()}
    assert images == {f"paper2017-{name}-{theme}.svg" for name in ("rewards", "pairs") for theme in ("light", "dark")}
    assert all(f"images/{name}" in text for name in images)


@pytest.mark.usefixtures("without_figures")
def test_notes_beside_the_results_stand_on_the_page(tmp_path: Path) -> None:
    folder = write(tmp_path / "grid", *of_seeds("framework", "Standard", 0.9))
    (folder / NOTES).write_text("## What we make of it\n\nSeed 0 “lucky”.\n", encoding="utf-8")
    write_report(folder, tmp_path / "page.md", "xworld report")
    text = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "\n\n## What we make of it\n\nSeed 0 “lucky”.\n\n## Training cost" in text
    (folder / NOTES).write_bytes(b"\xff\xfe")
    with pytest.raises(ResultError, match=r"notes\.md cannot be read as UTF-8 text"):
        write_report(folder, tmp_path / "page.md", "xworld report")
    assert (tmp_path / "page.md").read_text(encoding="utf-8") == text


def test_with_nothing_run_there_is_still_a_page(tmp_path: Path) -> None:
    (tmp_path / "grid").mkdir()
    write_report(tmp_path / "grid", tmp_path / "page.md", "xworld report")
    text = (tmp_path / "page.md").read_text()
    assert "| ours | not run | not run | not run | not run | not run | not run | not run |" in text
    assert "Nothing has been run." in text
    assert "<picture>" not in text
    with pytest.raises(ResultError, match="is no folder with results"):
        write_report(tmp_path / "nowhere", tmp_path / "page.md", "xworld report")


@pytest.mark.usefixtures("without_figures")
def test_an_existing_page_is_not_replaced_by_nothing(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    write_report(write(tmp_path / "grid", *of_seeds("framework", "Standard", 0.9)), page, "xworld report")
    before = page.read_text()
    (tmp_path / "wrong").mkdir()
    with pytest.raises(ResultError, match=r"wrong holds no result that can be read: .*page\.md is left as it is"):
        write_report(tmp_path / "wrong", page, "xworld report")
    assert page.read_text() == before


@pytest.mark.parametrize(
    ("missing", "rows"),
    [
        (["overall"], {"ours": 7, "`overall`": 12, **SHARES}),
        (["nav_obj"], {"`nav_obj`": 12}),
        (
            ["*nav_col_obj", "*nav_nr_obj", "*nav_bw_obj"],
            {"`*nav_col_obj`": 9, "`*nav_nr_obj`": 9, "`*nav_bw_obj`": 9},
        ),
        (["*overall"], {"`*overall`": 9, **SHARES}),
        (["recognition"], {"all, Standard": 7, **SHARES}),
        (
            ["pairs_single"],
            {"Planner": 4, "Framework": 4, "SimpleAttention": 4}
            | {"NoTransShare": 1, "VIS-LSTM": 1, "Multimodal": 1, "SAN": 1},
        ),
    ],
)
def test_what_was_not_measured_is_said_where_it_is_missing(missing: list[str], rows: dict[str, int]) -> None:
    jobs = Grid(seeds=(0,)).jobs()
    whole = [make_result(job) for job in jobs]
    rest = [replace(r, evaluation={k: v for k, v in r.evaluation.items() if k not in missing}) for r in whole]
    before, after = (compose(Cells(results), [], [], "xworld report").splitlines() for results in (whole, rest))
    told = Counter[str]()
    for line in after:
        if line not in before and line.startswith("| "):
            told[line.split(" | ")[0].strip("| ")] += line.count("not run")
    assert {row: count for row, count in told.items() if count} == rows


def test_with_no_figure_at_all_there_is_still_a_page() -> None:
    bare = Cells([replace(make_result(job), evaluation={"split": "test"}) for job in Grid(seeds=(0,)).jobs()])
    text = compose(bare, list(draw_all(bare, "results")), [], "xworld report")
    assert "| ours | not run | not run | not run | not run | not run | not run | not run |" in text
    assert not re.search(r"\| \d+\.\d ", re.sub(r"^\| the paper .*|^\| `.*", "", text, flags=re.MULTILINE))


@pytest.mark.usefixtures("without_figures")
def test_two_reports_of_one_folder_wait_for_each_other(tmp_path: Path) -> None:
    folder = write(tmp_path / "grid", *of_seeds("framework", "Standard", 0.9))
    page = tmp_path / "page.md"
    thread = Thread(target=write_report, args=(folder, page, "xworld report"))
    with FileLock(folder / ".lock"):
        thread.start()
        thread.join(timeout=0.2)
        assert thread.is_alive()
        assert not page.exists()
    thread.join()
    assert page.exists()

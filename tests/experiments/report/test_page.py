"""The report of made-up results: right tables, true sentences, and nothing that a missing cell could break."""

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from results import make_result, of_seeds
from xworld.baselines.names import MODEL_NAMES
from xworld.experiments.grid import Grid, Job
from xworld.experiments.plan import Plan
from xworld.experiments.report import tables
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
    "### The other baselines",
    "## More words held out",
    "## Does it heed the nouns?",
    "## Answers",
    "## What it took",
]

SHARES = {"10 %": 1, "30 %": 1, "50 %": 1, "70 %": 1}
"""The rows of the table of shares, with one figure missing in each."""


def write(folder: Path, *results: Result) -> Path:
    for result in results:
        path = folder / result.job.name
        path.mkdir(parents=True)
        result.write(path)
    return folder


def lines(text: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()]


def test_table_1a() -> None:
    cells = Cells([*of_seeds("framework", "Standard", 0.90, 0.92, 0.94, 0.96), *of_seeds("san", "Standard", 0.5)])
    head, _, ours, paper = lines(tables.table_1a(cells))
    assert head == ["", "Framework", "SimpleAttention", "NoTransShare", "VIS-LSTM", "Multimodal", "SAN"]
    assert ours == ["ours", "93.0 ± 4.1", "not run", "not run", "not run", "not run", "50.0 (1 seed)"]
    assert paper == ["the paper", "89.2", "80.0", "6.9", "22.4", "22.3", "10.0"]


def test_table_1b() -> None:
    changes = {"*nav_bw_obj": 0.5}
    results = [make_result(Job("framework", "NC", 0.1, seed), 0.9, 0.8, changes) for seed in (0, 1)]
    table = {line[0]: line[1:] for line in lines(tables.table_1b(Cells(results), "framework"))}
    assert table["Framework"][:4] == ["Standard", "the paper", "NC", "the paper"]
    assert table["`nav_obj`"] == ["not run", "94.6", "90.0 ± 0.0", "94.6", "not run", "94.6", "not run", "94.2"]
    assert table["`*nav_obj`"][:4] == ["-", "-", "80.0 ± 0.0", "93.8"]
    assert table["`*nav_bw_obj`"][2:4] == ["50.0 ± 0.0", "76.3"]
    assert len(table) == 12  # with the head, its rule, and two rows for all types


def test_shares() -> None:
    results = [make_result(Job("framework", "NWNavRec", share, 0), 0.9, 1 - share) for share in (0.1, 0.3, 0.5)]
    table = lines(tables.shares_table(Cells(results), [0.1, 0.3, 0.5, 0.7]))
    assert table[2] == ["10 %", "90.0", "90.0", "100.0", "1"]
    assert table[-1] == ["70 %", "not run", "not run", "not run", "0"]


def test_a_whole_report(tmp_path: Path) -> None:
    grid = Grid(all_cells=True, seeds=(0, 1))
    folder = write(tmp_path / "grid", *(make_result(job, 0.9 - 0.01 * job.seed) for job in grid.jobs()))
    (folder / "framework-NC-0.1-0" / RESULT).write_text("{}")
    page = tmp_path / "docs" / "results.md"
    report = write_report(folder, page, "xworld report --page docs/results.md")
    text = page.read_text()
    assert "Made by `xworld report --page docs/results.md` from 53 result files" in text
    assert "framework-NC-0.1-0/result.json is damaged" in text
    assert "Preset fast, 819,200 steps, xworld 0.1.0, seeds 0, 1." in text
    assert "not run" not in text.lower()
    assert "None of these jobs has been run." not in text
    assert re.findall(r"^#+ .*", text, flags=re.MULTILINE) == HEADINGS
    minimal_pairs = [
        line.split(" | ")[:2] for line in text.splitlines() if re.match(r"\| [-\w]+ \| \w+ \| 8\d\.", line)
    ]
    assert [" ".join(row).strip("| ") for row in minimal_pairs] == [
        f"{TITLES[m]} {c}" for m in MODEL_NAMES for c in CONDITIONS
    ]
    assert text.count("(1 seed)") == 18  # without the damaged result: 10 of Table 1b, 7 of minimal_pairs, 1 of answers
    assert "| Framework | H200 | 13 | 819,200 | 100 to 101 |" in text
    assert len(report.figures) == 8
    linked = re.findall(r'(?:src|srcset)="([^"]+)"', text)
    assert {page.parent / name for name in linked} == set((page.parent / "images").iterdir())
    assert not re.search(r"None|\b(nan|inf)\b|[{}]|  \.|\(\)", text)  # what a sentence has where a figure is missing


def test_small_worlds_are_not_taken_for_the_papers() -> None:
    job = Job("framework", "Standard", 0.0, 0)
    warning = "These worlds are not the paper's"
    small = replace(make_result(job), settings=Plan(TINY).settings(job))
    assert warning in compose(Cells([small]), [], [], "xworld report")
    assert warning not in compose(Cells([make_result(job)]), [], [], "xworld report")


def test_the_same_results_make_the_same_files(tmp_path: Path) -> None:
    folder = write(tmp_path / "grid", *of_seeds("framework", "Standard", 0.9, 0.8))
    for name in ("one", "two"):
        write_report(folder, tmp_path / name / "page.md", "xworld report")
    one, two = ({path.name: path.read_bytes() for path in (tmp_path / name).rglob("*.*")} for name in ("one", "two"))
    assert one == two
    assert len(one) == 7


def test_notes_beside_the_results_stand_on_the_page(tmp_path: Path) -> None:
    folder = write(tmp_path / "grid", *of_seeds("framework", "Standard", 0.9))
    (folder / NOTES).write_text("## What we make of it\n\nSeed 0 “lucky”.\n", encoding="utf-8")
    write_report(folder, tmp_path / "page.md", "xworld report")
    text = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "\n\n## What we make of it\n\nSeed 0 “lucky”.\n\n## What it took" in text
    (folder / NOTES).write_bytes(b"\xff\xfe")
    with pytest.raises(ResultError, match=r"notes\.md cannot be read as UTF-8 text"):
        write_report(folder, tmp_path / "page.md", "xworld report")
    assert (tmp_path / "page.md").read_text(encoding="utf-8") == text


def test_with_nothing_run_there_is_still_a_page(tmp_path: Path) -> None:
    (tmp_path / "grid").mkdir()
    write_report(tmp_path / "grid", tmp_path / "page.md", "xworld report")
    text = (tmp_path / "page.md").read_text()
    assert "| ours | not run | not run | not run | not run | not run | not run |" in text
    assert "None of these jobs has been run." in text
    assert "<picture>" not in text
    with pytest.raises(ResultError, match="is no folder with results"):
        write_report(tmp_path / "nowhere", tmp_path / "page.md", "xworld report")


def test_a_page_that_is_there_does_not_give_way_to_nothing(tmp_path: Path) -> None:
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
        (["overall"], {"ours": 6, "`overall`": 8, **SHARES}),
        (["nav_obj"], {"`nav_obj`": 8}),
        (
            ["*nav_col_obj", "*nav_nr_obj", "*nav_bw_obj"],
            {"`*nav_col_obj`": 6, "`*nav_nr_obj`": 6, "`*nav_bw_obj`": 6},
        ),
        (["*overall"], {"`*overall`": 6, **SHARES}),
        (["recognition"], {"all, Standard": 6, **SHARES}),
        (
            ["pairs_single"],
            {"Framework": 4, "SimpleAttention": 4, "NoTransShare": 1, "VIS-LSTM": 1, "Multimodal": 1, "SAN": 1},
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
    bare = Cells([replace(make_result(job), evaluation={}) for job in Grid(seeds=(0,)).jobs()])
    text = compose(bare, list(draw_all(bare)), [], "xworld report")
    assert (
        text.count("None of these jobs has been run.") == 6
    )  # of all models, two of Table 1b, shares, minimal_pairs, answers
    assert "| ours | not run | not run | not run | not run | not run | not run |" in text
    assert not re.search(r"\| \d+\.\d ", re.sub(r"^\| the paper .*|^\| `.*", "", text, flags=re.MULTILINE))

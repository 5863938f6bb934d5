"""The report of made-up results: right tables, true sentences, and nothing that a missing cell could break."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from results import make_result
from xworld.baselines.names import ModelName
from xworld.experiments.grid import Grid, Job
from xworld.experiments.plan import Plan
from xworld.experiments.report import prose, tables
from xworld.experiments.report.cells import Cells
from xworld.experiments.report.figures import draw_all
from xworld.experiments.report.page import compose, write_report
from xworld.experiments.result import RESULT, Result, ResultError
from xworld.learning.presets import TINY


def write(folder: Path, *results: Result) -> Path:
    for result in results:
        path = folder / result.job.name
        path.mkdir(parents=True)
        result.write(path)
    return folder


def standard(model: ModelName, *rates: float) -> list[Result]:
    return [make_result(Job(model, "Standard", 0.0, seed), rate) for seed, rate in enumerate(rates)]


def lines(text: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()]


def test_table_1a() -> None:
    cells = Cells([*standard("framework", 0.90, 0.92, 0.94, 0.96), *standard("san", 0.5)])
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


def test_sentences_say_which_cells_reach_the_paper() -> None:
    jobs = list(Grid(("framework",), shares=()).jobs())
    told = prose.say_table_1b(Cells([make_result(job, 0.95, 0.95) for job in jobs]), "framework")
    assert told == (
        "Framework: 28 of the paper's 28 cells have been run. Every one of them is at or above the paper's figure, "
        "28 with the whole interval."
    )
    low = [make_result(job, 0.95, 0.95, {"*nav_obj": 0.9} if job.condition == "NC" else {}) for job in jobs]
    told = prose.say_table_1b(Cells(low), "framework")
    assert "27 of them are at or above the paper's figure" in told
    assert told.endswith("Below it: `*nav_obj` in NC (90.0, the paper 93.8).")


def test_sentences_compare_the_models() -> None:
    cells = Cells([*standard("framework", 0.5, 0.7), *standard("san", 0.8, 0.8)])
    assert prose.say_table_1a(cells) == (
        "The framework obeys 60.0 % of the commands, 29.2 points less than the paper's 89.2 %. "
        "The worst of 2 seeds has 50.0 %, the best 70.0 %. "
        "From best to worst they are SAN and Framework; the paper's order is Framework and SAN. "
        "Not run: SimpleAttention, NoTransShare, VIS-LSTM and Multimodal."
    )
    results = [
        make_result(Job("framework", "NWNavRec", 0.1, 0), 0.9, 0.85),
        make_result(Job("simple_attention", "NWNavRec", 0.1, 0), 0.9, 0.3),
    ]
    assert prose.say_lead(Cells(results)) == (
        "On held-out commands the framework has 55.0 points more in NWNavRec than SimpleAttention."
    )


def test_a_lead_is_taken_seed_by_seed() -> None:
    """Leads of 40 and 44 points, so a half of 12.7062 x 2, though each model varies by 30; a third seed has no pair."""
    models: tuple[ModelName, ModelName] = ("framework", "simple_attention")
    rates = ((0.9, 0.6, 0.0), (0.5, 0.16))
    results = [
        make_result(Job(model, "NC", 0.1, seed), 0.9, rate)
        for model, own in zip(models, rates, strict=True)
        for seed, rate in enumerate(own)
    ]
    assert prose.say_lead(Cells(results)) == (
        "On held-out commands the framework has 42.0 points more in NC (± 25.4, seed by seed) than SimpleAttention."
    )


def test_shares() -> None:
    results = [make_result(Job("framework", "NWNavRec", share, 0), 0.9, 1 - share) for share in (0.1, 0.3, 0.5)]
    table = lines(tables.shares_table(Cells(results), [0.1, 0.3, 0.5, 0.7]))
    assert table[2] == ["10 %", "90.0", "90.0", "100.0", "1"]
    assert table[-1] == ["70 %", "not run", "not run", "not run", "0"]
    assert prose.say_shares(Cells(results), [0.1, 0.3, 0.5, 0.7]).endswith(
        "90.0 % (at 10 %), 70.0 % (at 30 %) and 50.0 % (at 50 %) of the sessions. "
        "From 10 to 50 % that is a loss of 40.0 points."
    )


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
    assert "not run" not in text.replace("“not run”", "")
    assert "| SAN | NWNavRec |" in text
    assert "### The other baselines" in text
    assert "| Framework | H200 | 13 | 819,200 | 100 to 101 |" in text
    assert len(report.figures) == 6
    linked = re.findall(r'(?:src|srcset)="([^"]+)"', text)
    assert {page.parent / name for name in linked} == set((page.parent / "images").iterdir())
    assert not re.findall(r"^[A-Z_]+$", text, flags=re.MULTILINE)


def test_small_worlds_are_not_taken_for_the_papers() -> None:
    job = Job("framework", "Standard", 0.0, 0)
    warning = "These worlds are not the paper's"
    small = replace(make_result(job), settings=Plan(TINY).settings(job))
    assert warning in compose(Cells([small]), [], [], "xworld report")
    assert warning not in compose(Cells([make_result(job)]), [], [], "xworld report")


def test_the_same_results_make_the_same_files(tmp_path: Path) -> None:
    folder = write(tmp_path / "grid", *standard("framework", 0.9, 0.8))
    for name in ("one", "two"):
        write_report(folder, tmp_path / name / "page.md", "xworld report")
    one, two = ({path.name: path.read_bytes() for path in (tmp_path / name).rglob("*.*")} for name in ("one", "two"))
    assert one == two
    assert len(one) == 5


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
    write_report(write(tmp_path / "grid", *standard("framework", 0.9)), page, "xworld report")
    before = page.read_text()
    (tmp_path / "wrong").mkdir()
    with pytest.raises(ResultError, match=r"wrong holds no result that can be read: .*page\.md is left as it is"):
        write_report(tmp_path / "wrong", page, "xworld report")
    assert page.read_text() == before


def test_figures_that_were_not_measured_break_nothing() -> None:
    jobs = list(Grid(seeds=(0,)).jobs())
    for missing in ("*overall", "overall", "recognition", "twins_single", "nav_obj"):
        results = [make_result(job) for job in jobs]
        for result in results:
            result.evaluation.pop(missing, None)  # type: ignore[attr-defined]
        assert "not run" in compose(Cells(results), [], [], "xworld report")
    bare = Cells([replace(make_result(job), evaluation={}) for job in jobs])
    assert compose(bare, list(draw_all(bare)), [], "xworld report")

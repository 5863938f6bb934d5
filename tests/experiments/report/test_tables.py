"""Tables and conclusions of made-up results: what the seeds leave open is said to be open."""

import pytest

from results import make_result, of_seeds
from xworld.baselines.registry import MODEL_NAMES
from xworld.experiments.grid import Grid, Job
from xworld.experiments.report import tables
from xworld.experiments.report.cells import Cells
from xworld.experiments.report.paper import TABLE_1A
from xworld.teacher.holdout import PAPER_SHARE


def lines(text: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()]


def test_table_1a() -> None:
    cells = Cells([*of_seeds("framework", "Standard", 0.90, 0.92, 0.94, 0.96), *of_seeds("san", "Standard", 0.5)])
    head, _, ours, paper = lines(tables.table_1a(cells))
    assert head == ["", "Planner", "Framework", "SimpleAttention", "NoTransShare", "VIS-LSTM", "Multimodal", "SAN"]
    assert ours == ["ours", "not run", "93.0 ± 4.1", "not run", "not run", "not run", "not run", "50.0 (1 seed)"]
    assert paper == ["the paper", "-", "89.2", "80.0", "6.9", "22.4", "22.3", "10.0"]


def test_table_1b() -> None:
    changes = {"*nav_bw_obj": 0.5}
    results = [make_result(Job("framework", "NC", 0.1, seed), 0.9, 0.8, changes) for seed in (0, 1)]
    table = {line[0]: line[1:] for line in lines(tables.table_1b(Cells(results), "framework"))}
    assert table["Framework"][:4] == ["Standard", "the paper", "NC", "the paper"]
    assert table["`nav_obj`"] == ["not run", "94.6", "90.0 ± 0.0", "94.6", "not run", "94.6", "not run", "94.2"]
    assert table["`*nav_obj`"][:4] == ["-", "-", "80.0 ± 0.0", "93.8"]
    assert table["`*nav_bw_obj`"][2:4] == ["50.0 ± 0.0", "76.3"]
    assert len(table) == 12  # with the head, its rule, and two rows for all types


def test_the_paper_has_no_numbers_for_the_planner() -> None:
    results = [make_result(Job("planner", "NC", 0.1, seed), 0.9, 0.8) for seed in (0, 1)]
    table = {line[0]: line[1:] for line in lines(tables.table_1b(Cells(results), "planner"))}
    assert table["Planner"] == ["Standard", "NC", "NWNav", "NWNavRec"]
    assert table["`nav_obj`"] == ["not run", "90.0 ± 0.0", "not run", "not run"]
    assert table["`*nav_obj`"] == ["-", "80.0 ± 0.0", "not run", "not run"]
    assert tables.conclude_1b(Cells(results), "planner") == (
        "Success on all commands minus success on commands never heard, in points: NC 10.0 ± 0.0."
    )


def test_shares() -> None:
    results = [make_result(Job("planner", "NWNavRec", share, 0), 0.9, 1 - share) for share in (0.1, 0.3, 0.5)]
    table = lines(tables.shares_table(Cells(results), [0.1, 0.3, 0.5, 0.7]))
    assert table[2] == ["10 %", "90.0", "90.0", "100.0", "1"]
    assert table[-1] == ["70 %", "not run", "not run", "not run", "0"]


def conclude(*rates: tuple[str, tuple[float, ...]]) -> str:
    """The conclusion about some models in Standard."""
    return tables.conclude_1a(Cells([result for model, own in rates for result in of_seeds(model, "Standard", *own)]))


@pytest.mark.parametrize(
    ("rates", "sentence"),
    [
        ((0.96, 0.98), "The framework is 7.8 points above the paper's number (within the interval)."),
        ((0.60, 0.61, 0.62), "The framework is 28.2 points below the paper's number (outside the interval)."),
        ((0.892, 0.892), "The framework is 0.0 points above the paper's number (within the interval)."),
        ((0.9,), "The framework is 0.8 points above the paper's number (one seed, no interval)."),
    ],
)
def test_the_framework_against_the_paper(rates: tuple[float, ...], sentence: str) -> None:
    assert conclude(("framework", rates)) == sentence


def test_models_in_the_papers_order() -> None:
    rates = [(model, (TABLE_1A[model] / 100, TABLE_1A[model] / 100)) for model in TABLE_1A]
    assert conclude(*rates).endswith("Where intervals do not overlap, the models are in the paper's order.")


def test_overlapping_intervals_leave_the_order_open() -> None:
    assert conclude(("simple_attention", (0.8, 0.8)), ("vis_lstm", (0.3, 0.2)), ("san", (0.3, 0.1))) == (
        "Intervals overlap, so it is open which is better: SimpleAttention and VIS-LSTM; SimpleAttention and SAN; "
        "VIS-LSTM and SAN."
    )
    assert conclude(("simple_attention", (0.8, 0.8)), ("vis_lstm", (0.21, 0.20)), ("san", (0.20, 0.19))) == (
        "Intervals overlap, so it is open which is better: VIS-LSTM and SAN. "
        "Where intervals do not overlap, the models are in the paper's order."
    )
    assert conclude(("simple_attention", (0.9,)), ("san", (0.1, 0.1))) == ""  # one seed has no interval


def test_another_order_is_a_finding_only_where_intervals_do_not_overlap() -> None:
    """SAN is last but one in the paper."""
    told = conclude(("simple_attention", (0.5, 0.5)), ("vis_lstm", (0.6, 0.6)), ("san", (0.7, 0.7)))
    assert told == (
        "Unlike in the paper, SAN is better than VIS-LSTM and SimpleAttention; VIS-LSTM is better than SimpleAttention."
    )
    told = conclude(("simple_attention", (0.5, 0.5)), ("san", (0.9, 0.5)))
    assert told == "Intervals overlap, so it is open which is better: SAN and SimpleAttention."


def test_many_overlaps_are_counted() -> None:
    told = conclude(*((model, (0.1, 0.9)) for model in MODEL_NAMES))
    assert told.endswith("Planner and Multimodal; Planner and SAN; and 15 more pairs.")


def test_cells_lie_above_the_papers_number_around_it_or_below() -> None:
    jobs = Grid(("framework",), shares=()).jobs()
    told = tables.conclude_1b(Cells([make_result(job, 0.95, 0.95) for job in jobs]), "framework")
    assert told.startswith(
        "Of 28 cells, 28 lie above the paper's number with their whole interval, 0 contain it, 0 lie below. "
    )
    changed = [
        make_result(job, 0.95, 0.95, {"*nav_obj": 0.9, "nav_obj": 0.946} if job.condition == "NC" else {})
        for job in jobs
    ]
    assert tables.conclude_1b(Cells(changed), "framework").startswith(
        "Of 28 cells, 26 lie above the paper's number with their whole interval, 1 contain it, 1 lie below. "
        "Farthest below: `*nav_obj` in NC."
    )


def test_cells_of_one_seed_are_counted_apart() -> None:
    told = tables.conclude_1b(Cells(of_seeds("framework", "NC", 0.99)), "framework")
    assert told == (
        "Of 8 cells, 0 lie above the paper's number with their whole interval, 0 contain it, 0 lie below and 8 have "
        "one seed, so no interval. Success on all commands minus success on commands never heard, in points: "
        "NC 0.0 (one seed)."
    )
    assert tables.conclude_1b(Cells([]), "framework") == ""


def test_of_many_cells_below_the_farthest_are_named() -> None:
    told = tables.conclude_1b(Cells(of_seeds("framework", "NC", 0.5, 0.5)), "framework")
    assert "8 lie below. Farthest below: `nav_obj` in NC" in told
    assert told.count("in NC") == 6  # not the two rows of nav_bw_obj


def test_differences_are_taken_seed_by_seed() -> None:
    """Gains of 40 and 44 points, so a half of 12.7062 x 2, though each model varies by 30; a third seed has no pair."""
    cells = Cells([*of_seeds("framework", "NC", 0.9, 0.6, 0.0), *of_seeds("simple_attention", "NC", 0.5, 0.16)])
    told = tables.conclude_ablation(cells)
    assert told == "Framework minus SimpleAttention on commands never heard, in points: NC 42.0 ± 25.4."


def test_a_difference_that_may_be_chance() -> None:
    results = [
        *of_seeds("framework", "NC", 0.9, 0.6),
        *of_seeds("simple_attention", "NC", 0.6, 0.7),
        *of_seeds("framework", "NWNavRec", 0.85),
        *of_seeds("simple_attention", "NWNavRec", 0.3),
    ]
    assert tables.conclude_ablation(Cells(results)).endswith(
        "NC 10.0 ± 254.1 (may be chance) and NWNavRec 55.0 (one seed)."
    )
    assert tables.conclude_ablation(Cells(of_seeds("framework", "NC", 0.9))) == ""


def test_the_cost_of_commands_never_heard() -> None:
    results = [make_result(Job("framework", "NC", PAPER_SHARE, seed), 0.9, 0.5) for seed in (0, 1)]
    assert tables.conclude_1b(Cells(results), "framework").endswith("in points: NC 40.0 ± 0.0.")


@pytest.mark.parametrize(
    ("first", "last", "change"),
    [
        ((0.9, 0.9), (0.5, 0.5), "-40.0 points from 10 to 50 % (the intervals do not overlap)."),
        ((0.9, 0.5), (0.6, 0.5), "-15.0 points from 10 to 50 % (the intervals overlap)."),
        ((0.8, 0.8), (0.9, 0.9), "+10.0 points from 10 to 50 % (the intervals do not overlap)."),
        ((0.9,), (0.5,), "-40.0 points from 10 to 50 % (one seed, no interval)."),
    ],
)
def test_a_change_with_the_share_of_words(first: tuple[float, ...], last: tuple[float, ...], change: str) -> None:
    results = [
        make_result(Job("planner", "NWNavRec", share, seed), 0.9, rate)
        for share, rates in ((PAPER_SHARE, first), (0.5, last))
        for seed, rate in enumerate(rates)
    ]
    told = tables.conclude_shares(Cells(results), [PAPER_SHARE, 0.3, 0.5])
    assert told == f"On held-out commands, success changes by {change}"
    assert tables.conclude_shares(Cells([]), [PAPER_SHARE]) == ""


def test_a_lead_is_paired_by_seed() -> None:
    """Some seeds are harder than others: what counts is the difference within a seed that both models have."""
    by_model: dict[str, dict[int, float]] = {
        "framework": {0: 0.5, 1: 0.9, 2: 0.7},
        "simple_attention": {3: 0.1, 2: 0.6, 1: 0.8},
    }
    results = [
        make_result(Job(model, "NC", PAPER_SHARE, seed), rate, rate)
        for model, rates in by_model.items()
        for seed, rate in rates.items()
    ]
    assert "NC 10.0 ± 0.0" in tables.conclude_ablation(Cells(results))

"""Sentences of made-up results: what the seeds bear out is said, and what they leave open is said to be open."""

import pytest

from results import make_result, of_seeds
from xworld.baselines.registry import MODEL_NAMES, ModelName
from xworld.experiments.grid import Grid, Job
from xworld.experiments.report import prose
from xworld.experiments.report.cells import Cells
from xworld.experiments.report.paper import TABLE_1A
from xworld.teacher.holdout import PAPER_SHARE

NOT_RUN = "None of these jobs has been run."


def order(*rates: tuple[ModelName, tuple[float, ...]]) -> str:
    """What is said of some models without the framework, as far as their order is concerned."""
    told = prose.say_table_1a(Cells([result for model, own in rates for result in of_seeds(model, "Standard", *own)]))
    return told.split(" Not run: ")[0]


def test_a_difference_to_the_paper_that_the_seeds_bear_out() -> None:
    assert prose.say_table_1a(Cells(of_seeds("framework", "Standard", 0.96, 0.98))).startswith(
        "The framework obeys 97.0 % of the commands, 7.8 points more than the paper's 89.2 %; "
        "its interval of ± 12.7 holds the paper's figure. The worst of 2 seeds has 96.0 %, the best 98.0 %."
    )
    assert prose.say_table_1a(Cells(of_seeds("framework", "Standard", 0.60, 0.61, 0.62))).startswith(
        "The framework obeys 61.0 % of the commands, 28.2 points less than the paper's 89.2 %; "
        "its interval of ± 2.5 leaves out the paper's figure. The worst of 3 seeds has 60.0 %, the best 62.0 %."
    )


def test_the_same_figure_as_the_papers_is_neither_more_nor_less() -> None:
    told = prose.say_table_1a(Cells(of_seeds("framework", "Standard", 0.892, 0.892)))
    assert "89.2 % of the commands, as much as the paper's 89.2 %; its interval of ± 0.0 holds" in told


def test_one_seed_has_no_interval_and_that_is_said() -> None:
    assert prose.say_table_1a(Cells(of_seeds("framework", "Standard", 0.9))) == (
        "The framework obeys 90.0 % of the commands, 0.8 points more than the paper's 89.2 %; that is one seed, and "
        "its interval is not known. Not run: SimpleAttention, NoTransShare, VIS-LSTM, Multimodal and SAN."
    )
    assert order(("simple_attention", (0.9,)), ("san", (0.1, 0.1))) == (
        "By their means, from best to worst, they are SimpleAttention and SAN. "
        "Of one seed alone, so that their places may be chance: SimpleAttention."
    )


def test_an_order_that_no_interval_disputes() -> None:
    rates = [(model, (TABLE_1A[model] / 100, TABLE_1A[model] / 100)) for model in MODEL_NAMES]
    assert order(*rates).endswith(
        "By their means, from best to worst, they are Framework, SimpleAttention, VIS-LSTM, Multimodal, SAN and "
        "NoTransShare. Where intervals do not overlap, the order is that of the paper."
    )


def test_a_tie_is_no_order() -> None:
    """The means are in the paper's order, but intervals overlap: of all pairs, then of one."""
    assert order(("simple_attention", (0.8, 0.8)), ("vis_lstm", (0.3, 0.2)), ("san", (0.3, 0.1))) == (
        "By their means, from best to worst, they are SimpleAttention, VIS-LSTM and SAN. "
        "Intervals overlap, so that it is open which is better: SimpleAttention and VIS-LSTM; SimpleAttention and SAN; "
        "VIS-LSTM and SAN."
    )
    told = order(("simple_attention", (0.8, 0.8)), ("vis_lstm", (0.21, 0.20)), ("san", (0.20, 0.19)))
    assert "open which is better: VIS-LSTM and SAN. Where intervals do not overlap, the order is that of the" in told


def test_an_order_against_the_papers_is_a_finding_only_where_intervals_are_apart() -> None:
    """SAN is last but one in the paper."""
    assert order(("simple_attention", (0.5, 0.5)), ("san", (0.7, 0.7))) == (
        "By their means, from best to worst, they are SAN and SimpleAttention. "
        "Other than in the paper, SAN (70.0 %, the paper 10.0 %) is before SimpleAttention."
    )
    told = order(("simple_attention", (0.5, 0.5)), ("vis_lstm", (0.6, 0.6)), ("san", (0.7, 0.7)))
    assert told.endswith(
        "Other than in the paper, SAN (70.0 %, the paper 10.0 %) is before VIS-LSTM and SimpleAttention; "
        "VIS-LSTM (60.0 %, the paper 22.4 %) is before SimpleAttention."
    )
    told = order(("simple_attention", (0.5, 0.5)), ("san", (0.9, 0.5)))
    assert "Other than in the paper" not in told
    assert told.endswith("open which is better: SAN and SimpleAttention.")


def test_many_ties_are_counted() -> None:
    told = order(*((model, (0.1, 0.9)) for model in MODEL_NAMES))
    assert "The intervals of 15 of 15 pairs overlap: which of the two is better is open." in told
    assert "the order is that of the paper" not in told


def test_cells_lie_above_the_papers_figure_around_it_or_below() -> None:
    jobs = Grid(("framework",), shares=()).jobs()
    assert prose.say_table_1b(Cells([make_result(job, 0.95, 0.95) for job in jobs]), "framework") == (
        "Framework: 28 of the paper's 28 cells have been run. Beside the paper's figures, 28 lie above with the "
        "whole interval."
    )
    changed = {  # of *nav_obj in NC the paper has 93.8, of the other 93.1
        job: {"*nav_obj": 0.9, "*nav_col_obj": 0.91 + 0.01 * job.seed} if job.condition == "NC" else {} for job in jobs
    }
    told = prose.say_table_1b(Cells([make_result(job, 0.95, 0.95, changed[job]) for job in jobs]), "framework")
    assert told.endswith(
        "Beside the paper's figures, 26 lie above with the whole interval, 1 has the figure within its interval and "
        "1 lies below with the whole interval. Below: `*nav_obj` in NC (90.0 ± 0.0, the paper 93.8)."
    )


def test_cells_of_one_seed_are_counted_apart() -> None:
    told = prose.say_table_1b(Cells(of_seeds("framework", "NC", 0.99)), "framework")
    assert told.endswith(
        "8 of the paper's 28 cells have been run. Beside the paper's figures, 8 have one seed and no interval."
    )
    assert prose.say_table_1b(Cells([]), "framework") == NOT_RUN


def test_of_many_cells_below_the_farthest_are_named() -> None:
    told = prose.say_table_1b(Cells(of_seeds("framework", "NC", 0.5, 0.5)), "framework")
    assert "8 lie below with the whole interval. Farthest below: `nav_obj` in NC (50.0 ± 0.0" in told
    assert told.count("the paper 9") == 6  # not the two rows of nav_bw_obj


def test_a_lead_is_taken_seed_by_seed() -> None:
    """Leads of 40 and 44 points, so a half of 12.7062 x 2, though each model varies by 30; a third seed has no pair."""
    cells = Cells([*of_seeds("framework", "NC", 0.9, 0.6, 0.0), *of_seeds("simple_attention", "NC", 0.5, 0.16)])
    assert prose.say_lead(cells) == (
        "On commands that training never contained, the framework has in NC 42.0 points more than SimpleAttention "
        "(± 25.4, seed by seed)."
    )


def test_a_lead_that_may_be_none() -> None:
    results = [
        *of_seeds("framework", "NC", 0.9, 0.6),
        *of_seeds("simple_attention", "NC", 0.6, 0.7),
        *of_seeds("framework", "NWNavRec", 0.85),
        *of_seeds("simple_attention", "NWNavRec", 0.3),
    ]
    assert prose.say_lead(Cells(results)) == (
        "On commands that training never contained, the framework has in NC 10.0 points more than SimpleAttention "
        "(± 254.1, seed by seed, which may be chance) and in NWNavRec 55.0 points more than SimpleAttention (one seed)."
    )
    assert prose.say_lead(Cells(of_seeds("framework", "NC", 0.9))) == ""


@pytest.mark.parametrize(
    ("first", "last", "ending"),
    [
        ((0.9, 0.9), (0.5, 0.5), "From 10 to 50 % that is a loss of 40.0 points."),
        ((0.9, 0.5), (0.6, 0.5), "From 10 to 50 % that is a loss of 15.0 points, but the intervals overlap."),
        ((0.9, 0.9), (0.9, 0.9), "From 10 to 50 % that is no change."),
        ((0.8, 0.8), (0.9, 0.9), "From 10 to 50 % that is a gain of 10.0 points."),
        ((0.9,), (0.5,), "that is a loss of 40.0 points, of which one seed cannot tell whether it is chance."),
    ],
)
def test_a_change_with_the_share_of_words(first: tuple[float, ...], last: tuple[float, ...], ending: str) -> None:
    results = [
        make_result(Job("framework", "NWNavRec", share, seed), 0.9, rate)
        for share, rates in ((PAPER_SHARE, first), (0.5, last))
        for seed, rate in enumerate(rates)
    ]
    told = prose.say_shares(Cells(results), [PAPER_SHARE, 0.3, 0.5])
    assert told.endswith(ending)
    assert told.count("(at ") == 2  # what was not run is not told
    assert prose.say_shares(Cells([]), [PAPER_SHARE]) == NOT_RUN


def test_rates_come_with_their_intervals() -> None:
    cells = Cells([*of_seeds("framework", "Standard", 0.8, 0.9), *of_seeds("framework", "NC", 0.8, 0.9)])
    assert (
        prose.say_twins(cells)
        == "Pairs told apart in Standard: Framework 85.0 ± 63.5 % (single sessions: 85.0 ± 63.5 %). Between two things "
        "(`nav_bw_obj`), where maps mostly have one place that could be meant: Framework 85.0 ± 63.5 % "
        "(single sessions: 85.0 ± 63.5 %)."
    )
    assert prose.say_recognition(cells).endswith("in Standard: Framework 100.0 ± 0.0 %.")
    assert prose.say_zero_shot(cells, "framework") == (
        "Framework obeys, of commands that it never heard, 85.0 ± 63.5 % in NC (all commands: 85.0 ± 63.5 %)."
    )

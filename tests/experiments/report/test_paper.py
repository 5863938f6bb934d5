"""The paper's numbers: all there, and as printed."""

import pytest

from xworld.experiments.report.paper import ROWS, TABLE_1A, TABLE_1B


def test_the_overall_figure_is_about_the_mean_of_its_parts() -> None:
    for model, cells in TABLE_1B.items():
        parts = [cells[row, "Standard"] for row in ROWS[:4]]
        assert TABLE_1A[model] == pytest.approx(sum(parts) / 4, abs=1.1)


def test_every_cell_is_there() -> None:
    for cells in TABLE_1B.values():
        assert len(cells) == 28
        assert ("*nav_obj", "Standard") not in cells
    assert TABLE_1B["framework"]["nav_bw_obj", "NC"] == 75.3
    assert TABLE_1B["simple_attention"]["*nav_nr_obj", "NWNavRec"] == 25.7
    # Added up from the source of the paper.
    assert sum(TABLE_1B["framework"].values()) == pytest.approx(2479.1, abs=0.05)
    assert sum(TABLE_1B["simple_attention"].values()) == pytest.approx(1995.1, abs=0.05)

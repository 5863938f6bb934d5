"""The grid: the paper's table, seed by seed."""

import pytest

from xworld.baselines.registry import MODEL_NAMES
from xworld.experiments.grid import Grid
from xworld.experiments.report.paper import TABLE_1A, TABLE_1B
from xworld.teacher.holdout import CONDITIONS
from xworld.world.checks import SettingsError


def test_the_default_grid_is_table_1_the_planner_and_three_more_shares() -> None:
    jobs = Grid().jobs()
    cells = {(job.model, job.condition, job.share) for job in jobs}
    table = {(model, condition) for model, condition, share in cells if share in (0.0, 0.1)}
    paper = {(model, "Standard") for model in TABLE_1A} | {
        (model, condition) for model, rows in TABLE_1B.items() for _, condition in rows
    }
    assert table == paper | {("planner", condition) for condition in CONDITIONS}
    assert cells - {cell for cell in cells if cell[2] in (0.0, 0.1)} == {
        ("planner", "NWNavRec", share) for share in (0.3, 0.5, 0.7)
    }
    assert len(jobs) == len({job.name for job in jobs}) == 4 * len(cells) == 76


def test_every_cell_comes_once_before_any_comes_twice() -> None:
    jobs = Grid().jobs()
    assert [job.seed for job in jobs] == sorted(job.seed for job in jobs)


def test_all_cells() -> None:
    jobs = Grid(shares=(), seeds=(7,), all_cells=True).jobs()
    assert {(job.model, job.condition) for job in jobs} == {(m, c) for m in MODEL_NAMES for c in CONDITIONS}


def test_what_is_named_twice_is_done_once() -> None:
    grid = Grid(("planner", "planner"), ("NWNavRec",), shares=(0.1, 0.3, 0.3), seeds=(1, 1))
    assert [job.name for job in grid.jobs()] == ["planner-NWNavRec-0.1-1", "planner-NWNavRec-0.3-1"]


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(SettingsError, match=r"--shares 1\.5: expected shares between 0 and 1"):
        Grid(shares=(1.5,)).jobs()
    with pytest.raises(SettingsError, match="--seeds -1"):
        Grid(seeds=(-1,)).jobs()
    with pytest.raises(SettingsError, match="at least one model"):
        Grid(models=()).jobs()
    with pytest.raises(
        SettingsError, match="no job: san would be trained in Standard only; to train in NC, give --all-cells"
    ):
        Grid(models=("san",), conditions=("NC",)).jobs()

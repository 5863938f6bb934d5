"""Means and intervals, against values computed by hand."""

import pytest

from xworld.experiments.report.cells import Estimate, student_95


def test_an_interval_by_hand() -> None:
    """Of 90, 92, 94, 96: mean 93, squares 9 + 1 + 1 + 9 = 20, deviation sqrt(20 / 3), t of 3 is 3.1824."""
    estimate = Estimate.of([90.0, 92.0, 94.0, 96.0])
    assert estimate.mean == 93.0
    assert estimate.half == pytest.approx(3.1824 * 2.581989 / 2, abs=1e-4)  # 4.1085
    assert str(estimate) == "93.0 ± 4.1"
    assert [estimate.low, estimate.high] == pytest.approx([88.8915, 97.1085], abs=1e-3)


def test_two_seeds_leave_much_open() -> None:
    """Of 1 and 3: deviation sqrt(2), so that the half is 12.7062 * sqrt(2) / sqrt(2)."""
    assert Estimate.of([1.0, 3.0]).half == pytest.approx(12.7062)


def test_one_seed_has_no_interval() -> None:
    estimate = Estimate.of([50.0])
    assert (estimate.half, estimate.low, estimate.high, str(estimate)) == (None, 50.0, 50.0, "50.0")


def test_quantiles_of_printed_tables() -> None:
    printed = {1: 12.7062, 2: 4.3027, 3: 3.1824, 5: 2.5706, 9: 2.2622, 20: 2.0860}
    assert {freedom: student_95(freedom) for freedom in printed} == printed
    quantiles = [student_95(freedom) for freedom in range(1, 21)]
    assert quantiles == sorted(set(quantiles), reverse=True)
    assert student_95(21) == student_95(10**6) == 2.0860


def test_intervals_that_touch_are_not_apart() -> None:
    one, touching, apart = Estimate(50.0, 2.0, ()), Estimate(54.0, 2.0, ()), Estimate(54.1, 2.0, ())
    assert not one.is_apart_from(touching)
    assert not touching.is_apart_from(one)
    assert one.is_apart_from(apart)
    assert apart.is_apart_from(one)
    assert not one.is_apart_from(Estimate(90.0, None, ()))

"""Rates and their intervals."""

import math

import pytest

from xworld.evaluation.rate import Rate


def test_intervals_stay_between_0_and_1() -> None:
    assert Rate(0, 10).low == pytest.approx(0.0, abs=1e-9)
    assert Rate(10, 10).high == pytest.approx(1.0)
    assert all(Rate(0, n).low >= 0 and Rate(n, n).high <= 1 for n in range(1, 2000))


def test_rates_add_up() -> None:
    assert (Rate(1, 2) + Rate(2, 3)) == Rate(3, 5)


def test_without_trials_there_is_no_rate() -> None:
    assert math.isnan(Rate(0, 0).value)
    assert math.isnan(Rate(0, 0).low)

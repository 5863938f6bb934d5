"""Numbers and names of Python and NumPy pass and become Python's; all else is refused in one line."""

import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from wild import Broken
from xworld.world.checks import MAX_SEED, SettingsError, check_choice, check_flag, check_number, check_whole, show


@pytest.mark.parametrize("value", [3, np.int8(3), np.uint64(3), np.array(3)])
def test_whole_numbers_become_pythons(value: Any) -> None:
    assert type(check_whole("n", value, 3, 3)) is int


def test_other_whole_numbers_are_refused() -> None:
    for value in (2, 4, True, 3.0, np.float64(3), "3", None, [3], np.array([3]), 10**5000, Broken()):
        with pytest.raises(SettingsError, match=r"^n=.{1,80}: expected a whole number from 3 to 3$"):
            check_whole("n", value, 3, 3)


@pytest.mark.parametrize("value", [1, 0.5, np.float16(0.5), np.int64(1), np.longdouble(0.5), Fraction(1, 2)])
def test_numbers_become_pythons(value: Any) -> None:
    assert type(check_number("x", value, 0, 1)) is float
    assert check_number("x", value, 0) == value


@pytest.mark.parametrize("value", [True, np.True_, "0.5", 1j, np.array(0.5), float("nan"), 10**400, None, Broken()])
def test_other_numbers_are_refused(value: Any) -> None:
    with pytest.raises(SettingsError, match=r"^x=.{1,80}: expected a number from 0 to 1$"):
        check_number("x", value, 0, 1)


def test_without_a_bound_a_number_is_still_finite() -> None:
    with pytest.raises(SettingsError, match="x=inf: expected a number, 0 or more"):
        check_number("x", float("inf"), 0)


def test_flags_and_names() -> None:
    assert check_flag("f", np.True_) is True
    assert check_choice("c", np.str_("a"), ("a", "b")) == "a"
    with pytest.raises(SettingsError, match="f=1: expected True or False"):
        check_flag("f", 1)
    with pytest.raises(SettingsError, match="c='d': expected 'a', 'b' or 'c'"):
        check_choice("c", "d", ("a", "b", "c"))
    with pytest.raises(SettingsError, match=r"c=array\(\['a'\], dtype='<U1'\): expected 'a'"):
        check_choice("c", np.array(["a"]), ("a",))


def test_large_bounds_are_powers_of_two() -> None:
    with pytest.raises(SettingsError, match=r"from 0 to 2\*\*64 - 1$"):
        check_whole("seed", -1, 0, MAX_SEED)


def test_any_value_is_shown_in_one_short_line() -> None:
    assert show(np.zeros((2, 2))) == "array([[0., 0.], [0., 0.]])"
    assert show(Broken()) == "<Broken>"
    assert show("x" * 100) == "'" + "x" * 76 + "..."


def test_errors_can_be_pickled() -> None:
    error = pickle.loads(pickle.dumps(SettingsError("x=1: expected 2")))
    assert str(error) == "x=1: expected 2"

"""A kernel that does not compile names its file, its line, and what the compiler said."""

import re
from collections.abc import Callable
from inspect import getsourcelines
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import config

from xworld.world.checks import SettingsError
from xworld.world.kernel import entry, kernel, undecorated
from xworld.world.kernel_error import compiling

WORLDS = np.zeros(1, [("objects", np.int64)])


@kernel
def lacks_a_field(world: Any) -> Any:
    return world.colour


@kernel
def lacks_an_argument(world: Any) -> Any:
    return lacks_a_field()  # type: ignore[call-arg]


@kernel
def calls_python(world: Any) -> Any:
    return undecorated(world)


@kernel
def opens_a_file(world: Any) -> Any:
    with open("world") as file:
        return file


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="nothing is compiled")
@pytest.mark.parametrize(
    ("wrong", "line", "reason"),
    [
        (lacks_a_field, 2, "no field 'colour'"),
        (lacks_an_argument, 2, "Cannot bind .* missing a required argument: 'world'"),
        (calls_python, 2, "Untyped global name 'undecorated'"),
        (opens_a_file, 0, r"The 'with \(context manager\) as \(variable\):' construct is not supported"),
    ],
)
def test_the_error_is_one_line(wrong: Callable[..., Any], line: int, reason: str) -> None:
    @entry
    def run(worlds: Any) -> Any:
        return wrong(worlds[0])

    with pytest.raises(SettingsError) as error, compiling():
        run(WORLDS)
    place = f"{Path(__file__).name}, line {getsourcelines(undecorated(wrong))[1] + line}"
    assert re.search(f"{place}: this kernel does not compile: {reason}", str(error.value))
    assert "\n" not in str(error.value)


def test_other_errors_are_left_as_they_are() -> None:
    with pytest.raises(ZeroDivisionError), compiling():
        int(1 / 0)
    with pytest.raises(SettingsError, match=r"^no action 7$"), compiling():
        raise SettingsError("no action 7")


def test_what_has_no_file_is_compiled_and_not_cached() -> None:
    names: dict[str, Any] = {"kernel": kernel}
    exec("@kernel\ndef triple(number):\n    return 3 * number", names)
    triple = names["triple"]

    @entry
    def run(number: int) -> Any:
        return triple(number)

    assert run(2) == 6

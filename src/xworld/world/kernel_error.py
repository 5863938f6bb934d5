"""Kernels that do not compile: of the pages that Numba reports, the line of the code that is at fault, and why."""

import re
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numba
from numba.core.bytecode import FunctionIdentity
from numba.core.ir import Loc

from xworld.world.checks import SettingsError
from xworld.world.kernel import python_functions

_PLACE = re.compile(r'File "([^"]+)", line (\d+)|\bat (\S+) \((\d+)\)')
_CALLEE = re.compile(r"<function \w+ at 0x([0-9a-f]+)>")
_NOT_YOURS = Path(__file__).parents[1], Path(numba.__file__).parent
_GENERATED = "<string>"
_LONGEST = 100
"""Characters of either end of what Numba said; between them it lists types."""


@contextmanager
def compiling() -> Iterator[None]:
    """Within, a kernel of yours that does not compile is an error in one line; any other error is left as it is."""
    try:
        yield
    except Exception as error:
        place = next((place for place in _places(error) if _is_yours(place[0])), None)
        if isinstance(error, SettingsError) or place is None:
            raise
        raise SettingsError(f"{place[0]}, line {place[1]}: this kernel does not compile: {_reason(error)}") from error


def _places(error: Exception) -> Iterator[tuple[str, int]]:
    """The files and lines that the error speaks of, those that Numba was at, and the kernels that it names.

    Of each kind, the innermost is first.
    """
    for match in _PLACE.finditer(str(error)):
        yield match[1] or match[3], int(match[2] or match[4])
    for frame, _ in reversed(list(traceback.walk_tb(error.__traceback__))):
        for value in frame.f_locals.values():
            if isinstance(value, Loc):
                yield value.filename, value.line
            elif isinstance(value, FunctionIdentity):
                yield value.filename, value.firstlineno
    kernels = {id(function): function.__code__ for function in python_functions()}
    for match in _CALLEE.finditer(str(error)):
        if code := kernels.get(int(match[1], 16)):
            yield code.co_filename, code.co_firstlineno


def _is_yours(file: str) -> bool:
    return file != _GENERATED and not any(Path(file).resolve().is_relative_to(folder) for folder in _NOT_YOURS)


def _reason(error: Exception) -> str:
    """The first line that says what is wrong; before it, Numba names its own steps."""
    lines = [line.strip() for line in str(error).splitlines()]
    said = next((line for line in lines if line and not line.startswith("Failed in ")), "")
    said = f"no field {said}" if isinstance(error, KeyError) else said
    return said if len(said) <= 2 * _LONGEST else f"{said[:_LONGEST]} ... {said[-_LONGEST:]}"

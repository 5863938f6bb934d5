"""What the agent computes on a CPU in loops instead of tensor operations, compiled by Numba."""

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile a function over arrays; its machine code is cached on disk. Other threads run on meanwhile."""
    fast: Function = njit(cache=True, nogil=True)(function)
    return fast

"""How the fast code is compiled: one decorator, so that every kernel is cached on disk and releases the GIL."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, cast

from numba import njit

Function = TypeVar("Function", bound=Callable[..., Any])

Record: TypeAlias = Any
"""One element of a structured array, as kernels see it: its fields are attributes."""


def _digest_of_sources() -> str:
    """A name for the present state of all kernels. Numba's cache notices a change in a kernel's own file only, not in
    those of the kernels that it calls; with this in its name, a kernel is compiled anew after any change.
    """
    package = Path(__file__).parents[1]
    sources = [path for folder in ("world", "teacher") for path in sorted((package / folder).rglob("*.py"))]
    return hashlib.sha1(b"".join(path.read_bytes() for path in sources)).hexdigest()[:12]


_VERSION = _digest_of_sources()


def kernel(function: Function) -> Function:
    """Compile a function over arrays and records, for other kernels to call.

    Kernels allocate nothing, so they are compiled without reference counting: counting every table at every call
    took two thirds of the time, and threads fought over the counters. They have no door to Python either, which
    saves a third of the time to compile.
    """
    return _compile(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def entry(function: Function) -> Function:
    """Compile a kernel that Python calls; its machine code, and that of all it calls, is kept for the next process."""
    return _compile(function)


def _compile(function: Function, **options: bool) -> Function:
    function.__qualname__ += f"_{_VERSION}"
    return cast(Function, njit(cache=True, nogil=True, _nrt=False, **options)(function))

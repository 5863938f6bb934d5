"""Compiled code: the decorators that make a kernel, a notice while kernels compile, and the threads that run them."""

import hashlib
import logging
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import wraps
from inspect import getfile
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np
from numba import config, njit

Function = TypeVar("Function", bound=Callable[..., Any])
Result = TypeVar("Result")

Record: TypeAlias = Any
"""One element of a structured array, as kernels see it: its fields are attributes."""

_SLICES_PER_THREAD = 4
"""More slices than threads, so that nobody waits for a thread that is slow to wake up: it takes fewer slices."""

_WITHOUT_WRAPPERS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}

_log = logging.getLogger("xworld")
_compiled = threading.Event()


def _digest_of_sources() -> str:
    """A hash of all kernels. Numba's cache notices a change in a kernel's own file only, and not in the kernels that it
    calls; with this hash in its name, a kernel is compiled again after any change.
    """
    package = Path(__file__).parents[1]
    sources = [path for folder in ("world", "teacher") for path in sorted((package / folder).rglob("*.py"))]
    return hashlib.sha1(b"".join(path.read_bytes() for path in sources)).hexdigest()[:12]


_version = _digest_of_sources()
_cached: list[Any] = []
"""All kernels that are cached on disk."""


def kernel(function: Function) -> Function:
    """Compile a function over arrays and records that only other kernels call.

    Kernels allocate nothing, so they are compiled without reference counting: counting took two thirds of the time, and
    threads competed for the counters. Without wrappers for Python they compile in two thirds of the time. What is typed
    in by hand has no file, and is not cached.
    """
    return _compile(function, cache=Path(getfile(function)).is_file(), **_WITHOUT_WRAPPERS)


def generated_kernel(function: Function) -> Function:
    """Compile a kernel that is made at run time. It has no place in the cache, but those that call it do."""
    return _compile(function, cache=False, **_WITHOUT_WRAPPERS)


def entry(function: Function) -> Function:
    """Compile a kernel that Python calls; its machine code is cached on disk with that of all kernels it calls.

    With `NUMBA_DISABLE_JIT=1` in the environment all kernels stay Python, for debuggers and mutation tests.
    """
    return _interpret(function) if config.DISABLE_JIT else _compile(function, cache=True)


def add_source(source: bytes) -> None:
    """Tell the cache of one more source of kernels, which others call from now on."""
    global _version
    _version = hashlib.sha1(_version.encode() + source).hexdigest()[:12]
    for compiled in _cached:
        _name_by_version(compiled.py_func)
        compiled.enable_caching()


def python_functions() -> list[Any]:
    """The Python functions of all kernels that have a file."""
    return [compiled.py_func for compiled in _cached]


def is_kernel(function: Any) -> bool:
    """Whether a function is a kernel, as far as one can tell."""
    return callable(function) and (config.DISABLE_JIT or hasattr(function, "py_func"))


def undecorated(function: Any) -> Callable[..., Any]:
    """The Python function of a kernel."""
    python: Callable[..., Any] = getattr(function, "py_func", function)
    return python


def have_run() -> bool:
    """Whether kernels have been compiled and run, so that they call the same others for good."""
    return _compiled.is_set()


def _compile(function: Function, cache: bool, **options: bool) -> Function:
    _name_by_version(function)
    compiled = njit(cache=cache, nogil=True, _nrt=False, **options)(function)
    if cache and not config.DISABLE_JIT:
        _cached.append(compiled)
    return cast(Function, compiled)


def _name_by_version(function: Callable[..., Any]) -> None:
    function.__qualname__ = f"{function.__name__}_{_version}"


def _interpret(function: Function) -> Function:
    """A kernel in Python, which sees records as Numba does, and integers that wrap round."""

    def with_records(value: Any) -> Any:
        if isinstance(value, np.ndarray):
            return value.view((_InterpretedRecord, value.dtype)) if value.dtype.names else value
        return type(value)(*map(with_records, value)) if hasattr(value, "_fields") else value

    @wraps(function)
    def interpreted(*arguments: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*map(with_records, arguments))

    return cast(Function, interpreted)


class _InterpretedRecord(np.record):  # type: ignore[misc]
    """A record whose fields come before NumPy's own attributes: a field may be called `size`."""

    def __getattribute__(self, name: str) -> Any:
        fields = super().__getattribute__("dtype").fields
        return self[name] if name in fields else super().__getattribute__(name)


@contextmanager
def announce_compilation() -> Iterator[None]:
    """Log a line if the first call of kernels takes longer than a second: they have to be compiled, not just loaded."""
    if _compiled.is_set():
        yield
        return
    notice = threading.Timer(1.0, _log.warning, ["compiling for this machine; this happens once"])
    notice.daemon = True
    notice.start()
    try:
        yield
    finally:
        notice.cancel()
    _compiled.set()


def available_cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def default_threads() -> int:
    """As many threads as cores, or as OMP_NUM_THREADS says: processes side by side share the cores."""
    wanted = os.environ.get("OMP_NUM_THREADS", "")
    return max(1, int(wanted)) if wanted.isdecimal() else available_cores()


class ThreadPool:
    """Threads for kernels, which release the GIL; started when first needed. A copy starts threads of its own."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._executor: ThreadPoolExecutor | None = None
        self._process = 0  # that started the threads: a forked process inherits the object without them

    def map_slices(self, function: Callable[[slice], Result], count: int, smallest: int) -> list[Result]:
        """Call a function on slices of range(count), each of at least `smallest` items unless there is only one.

        >>> sum(ThreadPool(2).map_slices(lambda part: part.stop - part.start, 10, smallest=3))
        10
        """
        parts = max(1, min(self.threads * _SLICES_PER_THREAD, count // smallest))
        if self.threads == 1 or parts == 1:
            return [function(slice(0, count))]
        edges = [count * part // parts for part in range(parts + 1)]
        slices = iter([slice(low, high) for low, high in pairwise(edges)])

        def work() -> list[Result]:
            return [function(part) for part in slices]  # only one thread takes each slice

        others = [self._start().submit(work) for _ in range(min(self.threads, parts) - 1)]
        results = work()  # this thread works too
        for other in others:
            if not other.cancel():
                results += other.result()
        return results

    def _start(self) -> ThreadPoolExecutor:
        if self._executor is None or self._process != os.getpid():
            self._executor = ThreadPoolExecutor(self.threads - 1, thread_name_prefix="xworld")
            self._process = os.getpid()
        return self._executor

    def __getstate__(self) -> dict[str, Any]:
        return {"threads": self.threads, "_executor": None, "_process": 0}

"""Threads that share out the worlds among them. Kernels release the GIL, so they run at the same time."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, TypeVar

Result = TypeVar("Result")

_SHARES_A_THREAD = 4
"""Work is cut finer than there are threads: one that is slow to wake up does less, and nobody waits for it."""


class Pool:
    """A number of threads, started when first needed. A pool that is copied or sent elsewhere starts its own."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._executor: ThreadPoolExecutor | None = None
        self._process = 0  # in which the threads were started: a forked process inherits the object without them

    def share_out(self, function: Callable[[slice], Result], count: int, least: int) -> list[Result]:
        """Call a function on shares of 0 .. count - 1, none of them smaller than `least` unless there is only one.

        >>> sum(Pool(2).share_out(lambda share: share.stop - share.start, 10, least=3))
        10
        """
        parts = max(1, min(self.threads * _SHARES_A_THREAD, count // least))
        if self.threads == 1 or parts == 1:
            return [function(slice(0, count))]
        edges = [count * part // parts for part in range(parts + 1)]
        shares = iter([slice(low, high) for low, high in pairwise(edges)])

        def work() -> list[Result]:
            return [function(share) for share in shares]  # each share is taken by one thread only

        helpers = [self._threads().submit(work) for _ in range(self.threads - 1)]
        results = work()  # this thread works too
        for helper in helpers:
            if not helper.cancel():
                results += helper.result()
        return results

    def _threads(self) -> ThreadPoolExecutor:
        if self._executor is None or self._process != os.getpid():
            self._executor = ThreadPoolExecutor(self.threads - 1, thread_name_prefix="xworld")
            self._process = os.getpid()
        return self._executor

    def __getstate__(self) -> dict[str, Any]:
        return {"threads": self.threads, "_executor": None, "_process": 0}

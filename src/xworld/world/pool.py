"""Threads that share out the worlds among them. Kernels release the GIL, so they run at the same time."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, TypeVar

Result = TypeVar("Result")


class Pool:
    """A number of threads, started when first needed. A pool that is copied or sent elsewhere starts its own."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._executor: ThreadPoolExecutor | None = None

    def share_out(self, function: Callable[[slice], Result], count: int, least: int) -> list[Result]:
        """Call a function on a share of 0 .. count - 1 for each thread, but on no fewer than `least` at a time.

        >>> Pool(2).share_out(lambda share: share.stop - share.start, 10, least=3)
        [5, 5]
        """
        parts = max(1, min(self.threads, count // least))
        edges = [count * part // parts for part in range(parts + 1)]
        *others, own = [slice(low, high) for low, high in pairwise(edges)]
        if others and self._executor is None:
            self._executor = ThreadPoolExecutor(self.threads - 1, thread_name_prefix="xworld")
        waiting = [self._executor.submit(function, share) for share in others] if self._executor else []
        last = function(own)  # this thread works too
        return [*(future.result() for future in waiting), last]

    def __getstate__(self) -> dict[str, Any]:
        return {"threads": self.threads, "_executor": None}

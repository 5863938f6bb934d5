"""Saying so when the kernels are compiled, which takes a while the first time on a machine."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_PATIENCE = 1.0
"""Seconds without a result after which a word is due. Cached kernels load in less."""

_log = logging.getLogger("xworld")
_warm = threading.Event()


@contextmanager
def announce_compilation() -> Iterator[None]:
    """Log a line if the work inside has not come back within a second, the first time that it runs.

    >>> with announce_compilation():
    ...     pass
    """
    if _warm.is_set():
        yield
        return
    notice = threading.Timer(_PATIENCE, _log.warning, ["compiling the world for this machine, once: some seconds"])
    notice.daemon = True
    notice.start()
    try:
        yield
    finally:
        notice.cancel()
    _warm.set()

"""The process of one job: `python -m xworld.experiments.worker <folder> <device>`.

It stops, with a checkpoint, on ctrl-C, on a kind kill, and when the process that started it is gone.
"""

import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path

from xworld.experiments.launcher import Ending
from xworld.training.run import stopping_on_signals


def work(path: Path, device: str, told_to_stop: Callable[[], bool]) -> Ending:
    """Do a job; an error is told in the log and not raised, for it concerns this job alone."""
    from xworld.experiments.job import Busy, perform

    try:
        return Ending.DONE if perform(path, device, told_to_stop) else Ending.STOPPED
    except Busy:
        return Ending.BUSY
    except Exception as error:
        traceback.print_exc()
        if isinstance(error, ValueError | OSError):  # mostly something that a user can mend: then in plain words
            print(f"xworld: {error}", file=sys.stderr, flush=True)
    return Ending.FAILED


def _stop_when_orphaned() -> None:
    """Wait for the end of the standard input: the other end is held by whoever started this process."""
    while os.read(0, 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def main() -> int:
    """Do the job that the arguments name."""
    folder, device = sys.argv[1:]
    with stopping_on_signals() as told_to_stop:
        threading.Thread(target=_stop_when_orphaned, daemon=True).start()
        return work(Path(folder), device, told_to_stop).value


if __name__ == "__main__":
    sys.exit(main())

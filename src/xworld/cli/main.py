"""The `xworld` program: runs one command, and says in one line what went wrong."""

import ctypes
import os
import sys

_SPIN_COUNT = "10000"
"""How often an idle thread looks for work before it sleeps. By default PyTorch's threads spin thirty times as long,
which slows down every other program on the machine, and PyTorch itself if it has more threads than cores."""
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
"""Parameters of glibc's `mallopt`."""
_MOST_KEPT, _LARGEST_KEPT = 2**31 - 1, 2**30
"""Bytes of freed memory that the program keeps in all, and of one block."""


def main(arguments: list[str] | None = None) -> int:
    """Run one command. An error that a user can fix is one line, not a traceback."""
    os.environ.setdefault("GOMP_SPINCOUNT", _SPIN_COUNT)
    _keep_freed_memory()
    try:
        try:
            from xworld.cli.extend import load_extensions  # takes a second, in which ctrl-C should work as later

            others = load_extensions(sys.argv[1:] if arguments is None else arguments)
            from xworld.cli.commands import run  # only now, because the options list all types of sentence

            return run(others)
        finally:
            sys.stdout.flush()  # here a failure can be handled; at interpreter shutdown it cannot
    except BrokenPipeError:  # the reader, such as `head`, has stopped reading
        # Python writes the rest of the output when it shuts down, and would complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (ValueError, OSError) as error:
        print(f"xworld: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def _keep_freed_memory() -> None:
    """Keep the memory of tensors for the next ones. By default glibc returns large blocks to the system at once, and
    getting them again, page by page, takes a fifth of the time of a test.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt is not None:  # it is glibc's
        mallopt(_TRIM_THRESHOLD, _MOST_KEPT)
        mallopt(_MMAP_THRESHOLD, _LARGEST_KEPT)


if __name__ == "__main__":
    sys.exit(main())

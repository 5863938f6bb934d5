"""The `xworld` program: runs one command, and says in one line what went wrong."""

import os
import sys

_SPIN_COUNT = "10000"
"""How often an idle thread looks for work before it sleeps. By default PyTorch's threads spin thirty times as long,
which slows down every other program on the machine, and PyTorch itself if it has more threads than cores."""


def main(arguments: list[str] | None = None) -> int:
    """Run one command. An error that a user can fix is one line, not a traceback."""
    os.environ.setdefault("GOMP_SPINCOUNT", _SPIN_COUNT)
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


if __name__ == "__main__":
    sys.exit(main())

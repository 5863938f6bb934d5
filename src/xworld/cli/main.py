"""The command line: `xworld <command>`, one file for each command."""

import os
import sys
from typing import Annotated, TypeAlias

import tyro
from tyro.conf import CascadeSubcommandArgs, OmitArgPrefixes, OmitSubcommandPrefixes, subcommand

from xworld.cli.bench import Bench
from xworld.cli.demo import Demo
from xworld.cli.evaluate import Evaluate
from xworld.cli.figures import Figures
from xworld.cli.play import Play
from xworld.cli.report import Report
from xworld.cli.reproduce import Reproduce
from xworld.cli.sentences import Sentences
from xworld.cli.teach import Teach
from xworld.cli.train import Train

Command: TypeAlias = (
    Annotated[Sentences, subcommand("sentences")]
    | Annotated[Play, subcommand("play")]
    | Annotated[OmitArgPrefixes[OmitSubcommandPrefixes[CascadeSubcommandArgs[Train]]], subcommand("train")]
    | Annotated[Evaluate, subcommand("evaluate")]
    | Annotated[OmitArgPrefixes[OmitSubcommandPrefixes[CascadeSubcommandArgs[Reproduce]]], subcommand("reproduce")]
    | Annotated[Report, subcommand("report")]
    | Annotated[Figures, subcommand("figures")]
    | Annotated[Demo, subcommand("demo")]
    | Annotated[Teach, subcommand("teach")]
    | Annotated[Bench, subcommand("bench")]
)

_SPINS = "10000"
"""How often a thread that has nothing to do looks for work before it sleeps. PyTorch's threads would go on thirty times
as long, at the cost of every other program on the machine, and of each other where there are more than cores."""


def main(arguments: list[str] | None = None) -> int:
    """Run one command; an error that a user can mend is one line, not a traceback."""
    os.environ.setdefault("GOMP_SPINCOUNT", _SPINS)
    try:
        try:
            return _run(arguments)
        finally:
            sys.stdout.flush()  # here, where a failure can be dealt with, and not when Python shuts down
    except BrokenPipeError:  # the reader, such as `head`, has had enough
        _discard_output()
        return 0
    except (ValueError, OSError) as error:
        print(f"xworld: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def _run(arguments: list[str] | None) -> int:
    command = tyro.cli(
        Command,
        prog="xworld",
        description="An agent learns language by seeing, being told and being asked.",
        args=arguments,
    )
    return command.run()


def _discard_output() -> None:
    """Send what is still to be written nowhere: Python tries to write it when it shuts down, and would complain."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


if __name__ == "__main__":
    sys.exit(main())

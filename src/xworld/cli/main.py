"""The command line: `xworld <command>`, one file for each command."""

import sys
from typing import Annotated, TypeAlias

import tyro
from tyro.conf import subcommand

from xworld.cli.bench import Bench
from xworld.cli.play import Play
from xworld.cli.sentences import Sentences

Command: TypeAlias = (
    Annotated[Sentences, subcommand("sentences")]
    | Annotated[Play, subcommand("play")]
    | Annotated[Bench, subcommand("bench")]
)


def main(arguments: list[str] | None = None) -> int:
    """Run one command; an error that a user can mend is one line, not a traceback."""
    command = tyro.cli(
        Command,
        prog="xworld",
        description="An agent learns language by seeing, being told and being asked.",
        args=arguments,
    )
    try:
        return command.run()
    except (ValueError, OSError) as error:
        print(f"xworld: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())

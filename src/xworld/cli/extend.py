"""`--extend`, an option of every command: files that add a type of command or question to the teacher's language."""

from argparse import ArgumentParser

from xworld.teacher.extension import load_extension

EXTEND_HELP = "With any command, --extend FILE adds a command or a question of your own; see docs/extending.md."


def load_extensions(arguments: list[str]) -> list[str]:
    """Load the files that the arguments name; returns the other arguments."""
    files, others = split_arguments(arguments)
    for file in files:
        load_extension(file)
    return others


def split_arguments(arguments: list[str]) -> tuple[list[str], list[str]]:
    """The files that the arguments name, and the other arguments.

    >>> split_arguments(["train", "--extend", "far_command.py", "tiny"])
    (['far_command.py'], ['train', 'tiny'])
    """
    parser = ArgumentParser(prog="xworld", add_help=False, allow_abbrev=False)
    parser.add_argument("--extend", action="append", default=[], metavar="FILE")
    known, others = parser.parse_known_args(arguments)
    return known.extend, others

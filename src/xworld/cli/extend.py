"""`--extend`, an option of every command: files that add a type of command or question, or a model."""

from argparse import ArgumentParser

from xworld.baselines.registry import registered_models
from xworld.teacher.commands import COMMANDS
from xworld.teacher.extension import load_extension, loaded_extensions
from xworld.teacher.questions import QUESTIONS
from xworld.world.checks import SettingsError

EXTEND_HELP = "With any command, --extend FILE adds a command, a question or a model of yours; see docs/extending.md."


def load_extensions(arguments: list[str]) -> list[str]:
    """Load the files that the arguments name; returns the other arguments."""
    files, others = split_arguments(arguments)
    for file in files:
        loaded, known = loaded_extensions(), _known()
        load_extension(file)
        if loaded_extensions() != loaded and _known() == known:
            raise SettingsError(f"{file}: it adds nothing; expected SUBTASK and propose, or register_model(...)")
    return others


def _known() -> tuple[str, ...]:
    return *COMMANDS.names, *QUESTIONS.names, *registered_models()


def split_arguments(arguments: list[str]) -> tuple[list[str], list[str]]:
    """The files that the arguments name, and the other arguments.

    >>> split_arguments(["train", "--extend", "far_command.py", "tiny"])
    (['far_command.py'], ['train', 'tiny'])
    """
    parser = ArgumentParser(prog="xworld", add_help=False, allow_abbrev=False)
    parser.add_argument("--extend", action="append", default=[], metavar="FILE")
    known, others = parser.parse_known_args(arguments)
    return known.extend, others

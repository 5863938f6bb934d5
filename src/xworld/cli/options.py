"""What the options of several commands share: their types, how an agent is named, and checks."""

from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from xworld.teacher.settings import COMMAND_NAMES, QUESTION_NAMES

if TYPE_CHECKING:
    CommandType: TypeAlias = str
    QuestionType: TypeAlias = str
else:  # the parser lists the types that there are, and refuses others
    CommandType, QuestionType = Literal[tuple(COMMAND_NAMES)], Literal[tuple(QUESTION_NAMES)]


def full_path(folder: Path | None) -> str | None:
    """A folder as settings record it, so that other processes and later starts find it."""
    return None if folder is None else str(folder.resolve())


def check_new_file(option: str, file: Path | None) -> None:
    """Refuse to overwrite a file."""
    if file is not None and file.exists():
        raise ValueError(f"{option} {file}: this file exists already; name another or move it away")


def check_new_folder(option: str, folder: Path) -> None:
    """Refuse to write between other files."""
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{option} {folder}: this is a file; name a folder")
    if folder.exists() and any(folder.iterdir()):
        raise ValueError(f"{option} {folder}: this folder is not empty; name another or move it away")

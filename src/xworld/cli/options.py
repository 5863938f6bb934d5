"""What the options of several commands share: their types, how an agent is named, and checks."""

from pathlib import Path
from typing import Literal, TypeAlias

CommandType: TypeAlias = Literal["nav_obj", "nav_col_obj", "nav_nr_obj", "nav_bw_obj"]
QuestionType: TypeAlias = Literal[
    "rec_col2obj", "rec_obj2col", "rec_loc2obj", "rec_obj2loc", "rec_loc2col", "rec_col2loc",
    "rec_loc_obj2obj", "rec_loc_obj2col", "rec_col_obj2loc", "rec_bw_obj2obj", "rec_bw_obj2loc", "rec_bw_obj2col",
]  # fmt: skip


def full_path(folder: Path | None) -> str | None:
    """A folder as settings record it, so that other processes and later starts find it."""
    return None if folder is None else str(folder.resolve())


def check_new_file(option: str, file: Path | None) -> None:
    """Refuse to overwrite a file."""
    if file is not None and file.exists():
        raise ValueError(f"{option} {file}: this file exists already; name another or move it away")

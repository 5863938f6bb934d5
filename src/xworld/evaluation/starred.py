"""The starred rows of the paper: which of them are about commands that training never contained."""

from collections.abc import Mapping
from typing import TypeVar

from xworld.teacher.commands import NAV_OBJ
from xworld.teacher.holdout import Condition
from xworld.teacher.settings import COMMAND_NAMES

Row = TypeVar("Row")


def never_heard(starred: Mapping[str, Row], condition: Condition) -> dict[str, Row]:
    """Of the starred rows, by type of command, those whose commands training never contained: what `*overall` is of.

    These are all but `nav_obj` under NC. One noun is no combination: what that row holds out is the object meant, and
    not the command; see `zero_shot.have_held_out_commands`.

    >>> never_heard({"nav_obj": 1, "nav_col_obj": 2}, "NC"), never_heard({"nav_obj": 1}, "NWNav")
    ({'nav_col_obj': 2}, {'nav_obj': 1})
    """
    heard = COMMAND_NAMES[NAV_OBJ] if condition == "NC" else None
    return {name: row for name, row in starred.items() if name != heard}

"""The four types of command, one file each: its condition, its wording and its target."""

import numpy as np

from xworld.teacher.choice import SpeechContext
from xworld.teacher.commands import nav_bw_obj, nav_col_obj, nav_nr_obj, nav_obj
from xworld.world.kernel import Record, kernel

COMMANDS = (nav_obj.SUBTASK, nav_col_obj.SUBTASK, nav_nr_obj.SUBTASK, nav_bw_obj.SUBTASK)

NAV_OBJ, NAV_COL_OBJ, NAV_NR_OBJ, NAV_BW_OBJ = range(4)


@kernel
def propose_command(subtask: int, world: Record, choice: Record, speech: SpeechContext, reach: np.uint64) -> None:
    """Let one type, by its index in `COMMANDS`, make its offers."""
    if subtask == NAV_OBJ:
        nav_obj.propose(world, choice, speech, reach)
    elif subtask == NAV_COL_OBJ:
        nav_col_obj.propose(world, choice, speech, reach)
    elif subtask == NAV_NR_OBJ:
        nav_nr_obj.propose(world, choice, speech, reach)
    else:
        nav_bw_obj.propose(world, choice, speech, reach)

"""The twelve types of question. Each has a file of its own: its condition, its wording, its answer."""

from xworld.teacher.choice import Speech
from xworld.teacher.questions import (
    rec_bw_obj2col,
    rec_bw_obj2loc,
    rec_bw_obj2obj,
    rec_col2loc,
    rec_col2obj,
    rec_col_obj2loc,
    rec_loc2col,
    rec_loc2obj,
    rec_loc_obj2col,
    rec_loc_obj2obj,
    rec_obj2col,
    rec_obj2loc,
)
from xworld.world.kernel import Record, kernel

QUESTIONS = (
    rec_col2obj.SUBTASK,
    rec_obj2col.SUBTASK,
    rec_loc2obj.SUBTASK,
    rec_obj2loc.SUBTASK,
    rec_loc2col.SUBTASK,
    rec_col2loc.SUBTASK,
    rec_loc_obj2obj.SUBTASK,
    rec_loc_obj2col.SUBTASK,
    rec_col_obj2loc.SUBTASK,
    rec_bw_obj2obj.SUBTASK,
    rec_bw_obj2loc.SUBTASK,
    rec_bw_obj2col.SUBTASK,
)


@kernel
def propose_question(subtask: int, world: Record, choice: Record, speech: Speech) -> None:
    """Let one subtask, by its place in `QUESTIONS`, make its offers."""
    if subtask == 0:
        rec_col2obj.propose(world, choice, speech)
    elif subtask == 1:
        rec_obj2col.propose(world, choice, speech)
    elif subtask == 2:
        rec_loc2obj.propose(world, choice, speech)
    elif subtask == 3:
        rec_obj2loc.propose(world, choice, speech)
    elif subtask == 4:
        rec_loc2col.propose(world, choice, speech)
    elif subtask == 5:
        rec_col2loc.propose(world, choice, speech)
    elif subtask == 6:
        rec_loc_obj2obj.propose(world, choice, speech)
    elif subtask == 7:
        rec_loc_obj2col.propose(world, choice, speech)
    elif subtask == 8:
        rec_col_obj2loc.propose(world, choice, speech)
    elif subtask == 9:
        rec_bw_obj2obj.propose(world, choice, speech)
    elif subtask == 10:
        rec_bw_obj2loc.propose(world, choice, speech)
    else:
        rec_bw_obj2col.propose(world, choice, speech)

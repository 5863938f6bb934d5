"""The twelve types of question, one file each: its condition, its wording and its answer."""

from xworld.teacher.choice import SpeechContext
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

_MODULES = (
    rec_col2obj, rec_obj2col, rec_loc2obj, rec_obj2loc, rec_loc2col, rec_col2loc,
    rec_loc_obj2obj, rec_loc_obj2col, rec_col_obj2loc, rec_bw_obj2obj, rec_bw_obj2loc, rec_bw_obj2col,
)  # fmt: skip
QUESTIONS = tuple(module.SUBTASK for module in _MODULES)
(
    REC_COL2OBJ, REC_OBJ2COL, REC_LOC2OBJ, REC_OBJ2LOC, REC_LOC2COL, REC_COL2LOC,
    REC_LOC_OBJ2OBJ, REC_LOC_OBJ2COL, REC_COL_OBJ2LOC, REC_BW_OBJ2OBJ, REC_BW_OBJ2LOC, REC_BW_OBJ2COL,
) = range(12)  # fmt: skip


@kernel
def propose_question(subtask: int, world: Record, choice: Record, speech: SpeechContext) -> None:
    """Let one type, by its index in `QUESTIONS`, make its offers."""
    if subtask == REC_COL2OBJ:
        rec_col2obj.propose(world, choice, speech)
    elif subtask == REC_OBJ2COL:
        rec_obj2col.propose(world, choice, speech)
    elif subtask == REC_LOC2OBJ:
        rec_loc2obj.propose(world, choice, speech)
    elif subtask == REC_OBJ2LOC:
        rec_obj2loc.propose(world, choice, speech)
    elif subtask == REC_LOC2COL:
        rec_loc2col.propose(world, choice, speech)
    elif subtask == REC_COL2LOC:
        rec_col2loc.propose(world, choice, speech)
    elif subtask == REC_LOC_OBJ2OBJ:
        rec_loc_obj2obj.propose(world, choice, speech)
    elif subtask == REC_LOC_OBJ2COL:
        rec_loc_obj2col.propose(world, choice, speech)
    elif subtask == REC_COL_OBJ2LOC:
        rec_col_obj2loc.propose(world, choice, speech)
    elif subtask == REC_BW_OBJ2OBJ:
        rec_bw_obj2obj.propose(world, choice, speech)
    elif subtask == REC_BW_OBJ2LOC:
        rec_bw_obj2loc.propose(world, choice, speech)
    else:
        rec_bw_obj2col.propose(world, choice, speech)

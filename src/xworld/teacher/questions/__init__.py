"""The twelve built-in types of question, one file each: its condition, its wording and its answer."""

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
from xworld.teacher.registry import Registry
from xworld.teacher.subtask import Question

QUESTIONS: Registry[Question] = Registry(
    rec_col2obj, rec_obj2col, rec_loc2obj, rec_obj2loc, rec_loc2col, rec_col2loc,
    rec_loc_obj2obj, rec_loc_obj2col, rec_col_obj2loc, rec_bw_obj2obj, rec_bw_obj2loc, rec_bw_obj2col,
)  # fmt: skip

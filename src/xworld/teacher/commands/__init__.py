"""The four built-in types of command, one file each: its condition, its wording and its target."""

from xworld.teacher.commands import nav_bw_obj, nav_col_obj, nav_nr_obj, nav_obj
from xworld.teacher.registry import Registry
from xworld.teacher.subtask import Command

COMMANDS: Registry[Command] = Registry(nav_obj, nav_col_obj, nav_nr_obj, nav_bw_obj)

"""The conditions under which the teacher may say something (C1 to C8 of the paper), as predicates on a world.

Objects are given by their index in the world. An object under the agent is hidden: it still counts where a name or
color has to be unique, but the teacher asks nothing about it, because the agent could not see the answer.
"""

from xworld.teacher.subtask import ALIGNED, BESIDE_AGENT, NEIGHBORS
from xworld.world.cells import CellSet, direction_between, holds, inside
from xworld.world.kernel import Record, kernel
from xworld.world.state import FIRST_OBJECT, FLOOR


@kernel
def is_goal(world: Record, row: int, column: int, reach: CellSet) -> bool:
    """Whether the agent can reach a cell and is not there already."""
    here = row == world.agent_row and column == world.agent_column
    return not here and holds(reach, row, column)


@kernel
def has_unique_name(world: Record, index: int) -> bool:
    """[C1] No other object is of this class."""
    for other in range(world.objects):
        if other != index and world.object_class[other] == world.object_class[index]:
            return False
    return True


@kernel
def has_look_alike(world: Record, index: int) -> bool:
    """[C2] The only object of its color and name, while another one shares its name or its color."""
    if not has_named_color(world, index):
        return False
    alike = False
    for other in range(world.objects):
        same_name = world.object_class[other] == world.object_class[index]
        same_color = world.object_color[other] == world.object_color[index]
        if other != index and same_name and same_color:
            return False
        alike |= same_name != same_color
    return alike


@kernel
def has_unique_color(world: Record, index: int) -> bool:
    """[C4] The object's color has a word, and no other object has that color."""
    if not has_named_color(world, index):
        return False
    for other in range(world.objects):
        if other != index and world.object_color[other] == world.object_color[index]:
            return False
    return True


@kernel
def has_named_color(world: Record, index: int) -> bool:
    """Whether there is a word for the object's color."""
    return world.object_color[index] >= 0


@kernel
def direction_from_agent(world: Record, index: int) -> int:
    """[C5, C8] The direction from the agent to an object next to it; -1 if it is not next to it."""
    return direction_between(world.agent_row, world.agent_column, world.object_row[index], world.object_column[index])


@kernel
def is_visible(world: Record, index: int) -> bool:
    """Whether the object is not under the agent."""
    return world.object_row[index] != world.agent_row or world.object_column[index] != world.agent_column


@kernel
def visible_object_at(world: Record, row: int, column: int) -> int:
    """[C6] The visible object in a cell; -1 if there is none."""
    if inside(row, column) and world.grid[row, column] >= FIRST_OBJECT:
        for index in range(world.objects):
            if world.object_row[index] == row and world.object_column[index] == column and is_visible(world, index):
                return index
    return -1


@kernel
def is_empty(world: Record, row: int, column: int) -> bool:
    """Whether a cell is floor without an object and without the agent."""
    here = row == world.agent_row and column == world.agent_column
    return inside(row, column) and world.grid[row, column] == FLOOR and not here


@kernel
def cell_between(world: Record, first: int, second: int, rows_only: bool) -> tuple[int, int]:
    """[C3, C7] The cell between two objects of unique names, two cells apart in a line; (-1, -1) if there is none."""
    row_gap = world.object_row[second] - world.object_row[first]
    column_gap = world.object_column[second] - world.object_column[first]
    in_a_row = row_gap == 0 and abs(column_gap) == 2
    in_a_column = column_gap == 0 and abs(row_gap) == 2
    if not (in_a_row or (in_a_column and not rows_only)):
        return -1, -1
    if not (has_unique_name(world, first) and has_unique_name(world, second)):
        return -1, -1
    return world.object_row[first] + row_gap // 2, world.object_column[first] + column_gap // 2


@kernel
def object_between(world: Record, first: int, second: int, rows_only: bool) -> int:
    """[C7] The object between two others, all three visible; -1 if there is none."""
    row, column = cell_between(world, first, second, rows_only)
    if row < 0 or not (is_visible(world, first) and is_visible(world, second)):
        return -1
    return visible_object_at(world, row, column)


@kernel
def gap_between(world: Record, first: int, second: int, rows_only: bool) -> bool:
    """Whether there is an empty cell between two visible objects."""
    row, column = cell_between(world, first, second, rows_only)
    return is_empty(world, row, column) and is_visible(world, first) and is_visible(world, second)


@kernel
def direction_between_objects(world: Record, index: int, other: int) -> int:
    """[C6] The direction from an object to one next to it; -1 if it is not next to it."""
    row, column = world.object_row[index], world.object_column[index]
    return direction_between(row, column, world.object_row[other], world.object_column[other])


@kernel
def scene_features(world: Record) -> int:
    """The sum of those of `BESIDE_AGENT`, `NEIGHBORS` and `ALIGNED` that the scene has."""
    found = 0
    for index in range(world.objects):
        if direction_from_agent(world, index) >= 0:
            found |= BESIDE_AGENT
        for other in range(index):
            down = abs(world.object_row[index] - world.object_row[other])
            right = abs(world.object_column[index] - world.object_column[other])
            if max(down, right) == 1:
                found |= NEIGHBORS
            elif max(down, right) == 2 and min(down, right) == 0:
                found |= ALIGNED
    return found

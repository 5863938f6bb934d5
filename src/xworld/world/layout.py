"""Making a map: a square of floor, objects in some arrangement, the agent, and walls."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xworld.world.cells import COLUMN_STEP, EMPTY, ROW_STEP, SIDE, CellSet, cell_bit, grow, inside
from xworld.world.kernel import Record, kernel
from xworld.world.rng import integers
from xworld.world.state import AGENT, FIRST_OBJECT, FLOOR, WALL

SCATTERED, CLUSTERED, GAPPED, LINED = range(4)
"""Arrangements: anywhere; each object next to an earlier one; the first two with a gap; the first three in a line."""

UNRELATED, SAME_CLASS, SAME_COLOR = range(3)
"""What the second object is made to share with the first: nothing, its class, or its named color."""

STEPS_PER_ROW = 4
"""The time limit is this many steps times the size of the map."""

_TRIES = 32


class Instances(NamedTuple):
    """The instances of a catalogue, as kernels read them."""

    kinds: NDArray[np.int64]
    """(instances, 2) The class and the color of each instance, sorted by class."""
    first: NDArray[np.int64]
    """(classes + 1,) The first instance of each class."""


class LayoutPlan(NamedTuple):
    """What to put on a map."""

    size: int
    objects: int
    walls: int
    classes: int
    """Objects are of the first `classes` classes of the catalogue."""
    arrangement: int
    kinship: int


@kernel
def lay_out(world: Record, plan: LayoutPlan, instances: Instances) -> bool:
    """Make a new map in place. False if the arrangement did not fit, which leaves the map unusable."""
    world.size = plan.size
    world.time = 0
    world.time_limit = STEPS_PER_ROW * plan.size
    world.reached = False
    top, left = _clear(world, plan.size)
    world.objects = 0
    for index in range(plan.objects):
        row, column = _place_for(world, plan, index, top, left)
        if row < 0:
            return False
        _put_object(world, row, column, _choose_instance(world, plan, instances), instances)
    world.agent_row, world.agent_column = _free_cell(world, top, left)
    world.grid[world.agent_row, world.agent_column] = AGENT  # keeps walls away
    for _ in range(min(plan.walls, plan.size * plan.size - plan.objects - 2)):
        row, column = _free_cell(world, top, left)
        world.grid[row, column] = WALL
    world.grid[world.agent_row, world.agent_column] = FLOOR
    return True


@kernel
def _clear(world: Record, size: int) -> tuple[int, int]:
    """Put a square of floor into a map of walls; an odd margin is one wider on a random side."""
    margin = SIDE - size
    top = margin // 2 + (integers(world, 2) if margin % 2 else 0)
    left = margin // 2 + (integers(world, 2) if margin % 2 else 0)
    world.grid[:] = WALL
    world.grid[top : top + size, left : left + size] = FLOOR
    return top, left


@kernel
def _free_cell(world: Record, top: int, left: int) -> tuple[int, int]:
    """A random floor cell."""
    while True:
        row, column = top + integers(world, world.size), left + integers(world, world.size)
        if world.grid[row, column] == FLOOR:
            return row, column


@kernel
def _put_object(world: Record, row: int, column: int, instance: int, instances: Instances) -> None:
    index = world.objects
    world.object_row[index] = row
    world.object_column[index] = column
    world.object_class[index] = instances.kinds[instance, 0]
    world.object_color[index] = instances.kinds[instance, 1]
    world.grid[row, column] = FIRST_OBJECT + instance
    world.objects += 1


@kernel
def _place_for(world: Record, plan: LayoutPlan, index: int, top: int, left: int) -> tuple[int, int]:
    """The cell of the next object under the plan's arrangement, or (-1, -1)."""
    if index > 0 and plan.arrangement == CLUSTERED:
        return _beside(world, integers(world, index), 8, 1)
    if index == 1 and plan.arrangement in (GAPPED, LINED):
        return _beside(world, 0, 4, 2 if plan.arrangement == GAPPED else 1)
    if index == 2 and plan.arrangement == LINED:
        return _behind(world)
    return _free_cell(world, top, left)


@kernel
def _beside(world: Record, index: int, directions: int, distance: int) -> tuple[int, int]:
    """A floor cell at a distance from an object in one of 4 (straight) or 8 (also diagonal) directions, or (-1, -1)."""
    first = integers(world, directions)
    for turn in range(directions):
        direction = (first + turn) % directions
        row = world.object_row[index] + distance * ROW_STEP[direction]
        column = world.object_column[index] + distance * COLUMN_STEP[direction]
        if _is_floor(world, row, column):
            return row, column
    return -1, -1


@kernel
def _behind(world: Record) -> tuple[int, int]:
    """A floor cell that extends the line of the first two objects at either end, or (-1, -1)."""
    first = integers(world, 2)
    for turn in range(2):
        near, far = (first + turn) % 2, (first + turn + 1) % 2
        row = 2 * world.object_row[near] - world.object_row[far]
        column = 2 * world.object_column[near] - world.object_column[far]
        if _is_floor(world, row, column):
            return row, column
    return -1, -1


@kernel
def _is_floor(world: Record, row: int, column: int) -> bool:
    return inside(row, column) and world.grid[row, column] == FLOOR


@kernel
def _choose_instance(world: Record, plan: LayoutPlan, instances: Instances) -> int:
    """An instance of a random class; for the second object, one with the planned kinship to the first."""
    if world.objects == 1 and plan.kinship == SAME_CLASS:
        return _instance_of(world, world.object_class[0], instances)
    instance = _instance_of(world, integers(world, plan.classes), instances)
    if world.objects < 2 and plan.kinship == SAME_COLOR:
        for _ in range(_TRIES):
            if _suits_same_color(world, instances.kinds[instance, 0], instances.kinds[instance, 1]):
                break
            instance = _instance_of(world, integers(world, plan.classes), instances)
    return instance


@kernel
def _suits_same_color(world: Record, kind: int, color: int) -> bool:
    """Whether a first object has a named color, or a second one has the same color and another class."""
    if world.objects == 0:
        return color >= 0
    return color == world.object_color[0] and kind != world.object_class[0]


@kernel
def _instance_of(world: Record, class_index: int, instances: Instances) -> int:
    first = instances.first[class_index]
    return first + integers(world, instances.first[class_index + 1] - first)


@kernel
def floor_and_open(world: Record) -> tuple[CellSet, CellSet]:
    """The cells without an object, and the cells that the agent may enter: all but walls."""
    floor, open_cells = EMPTY, EMPTY
    for row in range(SIDE):
        for column in range(SIDE):
            tile = world.grid[row, column]
            if tile == FLOOR:
                floor |= cell_bit(row, column)
            if tile != WALL:
                open_cells |= cell_bit(row, column)
    return floor, open_cells


@kernel
def reachable(world: Record) -> CellSet:
    """The cells that the agent can reach in time without crossing an object; the last cell may hold one."""
    floor, open_cells = floor_and_open(world)
    reached = cell_bit(world.agent_row, world.agent_column)
    for _ in range(world.time_limit - 1):
        wider = reached | (grow(reached) & floor)
        if wider == reached:
            break
        reached = wider
    return grow(reached) & open_cells

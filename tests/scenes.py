"""From the arrays of a school to the plain scenes that the referee judges."""

import numpy as np

from referee import Scene, Thing
from xworld.teacher.school import School
from xworld.world.catalogue import COLOURS
from xworld.world.state import FIRST_OBJECT, WALL

SIDE = 7


def scene_of(school: School, index: int) -> Scene:
    """What can be read off the grid and the catalogue, without the world's own list of objects."""
    world, catalogue = school.worlds[index], school.grammar.catalogue
    things = []
    for row, column in np.argwhere(world["grid"] >= FIRST_OBJECT).tolist():
        instance = int(world["grid"][row, column]) - FIRST_OBJECT
        colour = catalogue.instance_colour[instance]
        name = catalogue.classes[catalogue.instance_class[instance]]
        things.append(Thing(row, column, name, COLOURS[colour] if colour >= 0 else "unnamed"))
    walls = frozenset((row, column) for row, column in np.argwhere(world["grid"] == WALL).tolist())
    return Scene(SIDE, walls, tuple(things), (int(world["agent_row"]), int(world["agent_column"])))

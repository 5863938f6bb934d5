"""From the arrays of a simulator to the plain scenes that the referee judges."""

import numpy as np

from referee import Scene, Thing
from xworld.teacher.simulator import Simulator
from xworld.world.catalogue import COLORS
from xworld.world.state import FIRST_OBJECT, WALL

SIDE = 7


def scene_of(simulator: Simulator, index: int) -> Scene:
    """What can be read off the grid and the catalogue, without the world's own list of objects."""
    world, catalogue = simulator.worlds[index], simulator.grammar.catalogue
    things = []
    for row, column in np.argwhere(world["grid"] >= FIRST_OBJECT).tolist():
        instance = int(world["grid"][row, column]) - FIRST_OBJECT
        color = catalogue.instance_color[instance]
        name = catalogue.classes[catalogue.instance_class[instance]]
        things.append(Thing(row, column, name, COLORS[color] if color >= 0 else "unnamed"))
    walls = frozenset((row, column) for row, column in np.argwhere(world["grid"] == WALL).tolist())
    return Scene(SIDE, walls, tuple(things), (int(world["agent_row"]), int(world["agent_column"])))

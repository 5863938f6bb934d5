"""From the arrays of a simulator to the plain scenes that the referee judges."""

from referee import Scene, Thing
from xworld.teacher.simulator import Simulator
from xworld.world.catalogue import COLORS
from xworld.world.state import FIRST_OBJECT, WALL

SIDE = 7


def scene_of(simulator: Simulator, index: int) -> Scene:
    """The scene as the grid and the catalogue show it, without the world's own list of objects."""
    world, catalogue = simulator.worlds[index], simulator.grammar.catalogue
    things, walls = [], []
    for row, tiles in enumerate(world["grid"].tolist()):
        for column, tile in enumerate(tiles):
            if tile == WALL:
                walls.append((row, column))
            elif tile >= FIRST_OBJECT:
                color = catalogue.instance_color[tile - FIRST_OBJECT]
                name = catalogue.classes[catalogue.instance_class[tile - FIRST_OBJECT]]
                things.append(Thing(row, column, name, COLORS[color] if color >= 0 else "unnamed"))
    return Scene(SIDE, frozenset(walls), tuple(things), (int(world["agent_row"]), int(world["agent_column"])))

"""Scenes: a map and a place on it. They travel with every request, so that the server need not remember any."""

from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from xworld.demo.errors import RequestError
from xworld.demo.fields import check_whole, quote
from xworld.teacher.settings import SMALLEST_MAP
from xworld.world.catalogue import Catalogue
from xworld.world.cells import SIDE
from xworld.world.kernel import Record
from xworld.world.layout import STEPS_PER_ROW
from xworld.world.state import AGENT, FIRST_OBJECT, FLOOR, MAX_OBJECTS, WALL, new_worlds

Cell = tuple[int, int]
"""A row and a column of the map."""

NOWHERE: Cell = (-1, -1)
"""The target where there is none."""


@dataclass(frozen=True)
class Scene:
    """A map of floor, walls and objects, and the cell where the agent is."""

    size: int
    grid: NDArray[np.int16]
    """(7, 7) Tile ids; the agent is not drawn in."""
    at: Cell

    @property
    def objects(self) -> list[Cell]:
        """Where the objects are, row by row."""
        return [(row, column) for row, column in np.argwhere(self.grid >= FIRST_OBJECT).tolist()]

    def move(self, at: Cell) -> "Scene":
        """The same map with the agent elsewhere."""
        return replace(self, at=at)

    def to_json(self) -> dict[str, Any]:
        """As requests bring it."""
        return {"size": self.size, "grid": self.grid.tolist(), "at": list(self.at)}

    def to_world(self, catalogue: Catalogue, target: Cell = NOWHERE) -> NDArray[np.void]:
        """(1,) The scene as a world that the teacher's kernels read."""
        world = new_worlds(1)
        world["size"], world["time_limit"] = self.size, STEPS_PER_ROW * self.size
        world["grid"] = self.grid
        (world["agent_row"], world["agent_column"]) = self.at
        (world["target_row"], world["target_column"]) = target
        world["objects"] = len(self.objects)
        for index, (row, column) in enumerate(self.objects):
            instance = int(self.grid[row, column]) - FIRST_OBJECT
            world["object_row"][0, index], world["object_column"][0, index] = row, column
            world["object_class"][0, index] = catalogue.instance_class[instance]
            world["object_color"][0, index] = catalogue.instance_color[instance]
        return world


def scene_of(world: Record) -> Scene:
    """The scene of a world that the teacher laid out."""
    return Scene(int(world["size"]), world["grid"].copy(), (int(world["agent_row"]), int(world["agent_column"])))


def read_scene(value: Any, tiles: int) -> Scene:
    """A scene from JSON, checked; with a catalogue of so many tiles.

    >>> read_scene({"size": 7, "grid": [[1] * 7] * 6, "at": [0, 0]}, 118)
    Traceback (most recent call last):
        ...
    xworld.demo.errors.RequestError: scene.grid is a list of 6; expected 7 rows of 7 tile ids.
    """
    if not isinstance(value, dict):
        raise RequestError(f"scene is {quote(value)}; expected an object with size, grid and at.")
    size = check_whole(value.get("size"), "scene.size", SMALLEST_MAP, SIDE)
    scene = Scene(size, _read_grid(value.get("grid"), tiles), read_cell(value.get("at"), "scene.at"))
    _check_margin(scene)
    if len(scene.objects) > MAX_OBJECTS:
        raise RequestError(f"There are {len(scene.objects)} objects on the map; it holds at most {MAX_OBJECTS}.")
    refuse_wall(scene, scene.at)
    return scene


def read_cell(value: Any, name: str) -> Cell:
    """A cell of the map from JSON: a row and a column."""
    if not isinstance(value, list) or len(value) != 2:
        raise RequestError(f"{name} is {quote(value)}; expected [row, column].")
    row, column = (check_whole(place, name, 0, SIDE - 1) for place in value)
    return row, column


def refuse_wall(scene: Scene, cell: Cell) -> None:
    """Refuse an agent in a wall."""
    if scene.grid[cell] == WALL:
        raise RequestError(f"The agent is in a wall, at row {cell[0]}, column {cell[1]}; put it on the floor.")


def _read_grid(value: Any, tiles: int) -> NDArray[np.int16]:
    if not (isinstance(value, list) and len(value) == SIDE):
        raise RequestError(f"scene.grid is {quote(value)}; expected {SIDE} rows of {SIDE} tile ids.")
    for number, row in enumerate(value):
        if not (isinstance(row, list) and len(row) == SIDE):
            raise RequestError(f"Row {number} of scene.grid is {quote(row)}; expected {SIDE} tile ids.")
        for tile in row:
            check_whole(tile, "A tile of scene.grid", FLOOR, tiles - 1)
            if tile == AGENT:
                raise RequestError(f"Tile {AGENT}, the agent, is no part of the grid; scene.at says where it is.")
    return np.array(value, np.int16)


def _check_margin(scene: Scene) -> None:
    """Refuse a map that is larger than it says: what lies outside its square is wall, as the world lays it."""
    margin = SIDE - scene.size
    corners = range(margin // 2, margin // 2 + margin % 2 + 1)
    for top, left in product(corners, corners):
        outside = np.ones_like(scene.grid, np.bool_)
        outside[top : top + scene.size, left : left + scene.size] = False
        if bool((scene.grid[outside] == WALL).all()):
            return
    raise RequestError(
        f"scene.size is {scene.size}, but more than a square of {scene.size} x {scene.size} in the middle is no wall."
    )

"""Scenes: a map and the agent's cell on it. Every request brings its own, so the server remembers none."""

from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from xworld.demo.errors import RequestError, RequestModel
from xworld.teacher.settings import SMALLEST_MAP
from xworld.world.catalogue import COLORS, Catalogue
from xworld.world.cells import SIDE
from xworld.world.layout import STEPS_PER_ROW
from xworld.world.state import AGENT, FIRST_OBJECT, FLOOR, MAX_OBJECTS, WALL, WORLD

Cell = tuple[int, int]
"""A row and a column of the map."""

NOWHERE: Cell = (-1, -1)
"""The target where there is none."""

_Index = Annotated[int, Field(ge=0, lt=SIDE)]
CellField = tuple[_Index, _Index]
CELL_FORMAT = f"[row, column], both from 0 to {SIDE - 1}"

_Row = Annotated[list[int], Field(min_length=SIDE, max_length=SIDE)]


@dataclass(frozen=True)
class Scene:
    """A map of floor, walls and objects, and the cell where the agent is."""

    size: int
    grid: NDArray[np.int16]
    """(7, 7) Tile ids, without the agent."""
    at: Cell

    @property
    def objects(self) -> list[Cell]:
        """The cells with objects, row by row."""
        return [(row, column) for row, column in np.argwhere(self.grid >= FIRST_OBJECT).tolist()]

    def move(self, at: Cell) -> "Scene":
        """The same map with the agent on another cell, which must not be a wall."""
        if self.grid[at] == WALL:
            raise RequestError(f"The agent is in a wall, at row {at[0]}, column {at[1]}; put it on the floor.")
        return replace(self, at=at)

    def to_json(self) -> dict[str, Any]:
        """The format of requests and answers."""
        return {"size": self.size, "grid": self.grid.tolist(), "at": list(self.at)}

    def to_world(self, catalogue: Catalogue, target: Cell = NOWHERE) -> NDArray[np.void]:
        """(1,) The scene as a world for the teacher's kernels."""
        world = np.zeros(1, WORLD)
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


def name_and_color(catalogue: Catalogue, tile: int) -> tuple[str, str]:
    """The class and the color of an object; no color if it has no word."""
    instance = tile - FIRST_OBJECT
    color = catalogue.instance_color[instance]
    return catalogue.classes[catalogue.instance_class[instance]], COLORS[color] if color >= 0 else ""


class SceneFields(RequestModel):
    """A scene as requests bring it."""

    size: int = Field(ge=SMALLEST_MAP, le=SIDE, description=f"a whole number from {SMALLEST_MAP} to {SIDE}")
    grid: list[_Row] = Field(min_length=SIDE, max_length=SIDE, description=f"{SIDE} rows of {SIDE} tile ids")
    at: CellField = Field(description=CELL_FORMAT)

    def to_scene(self, tiles: int) -> Scene:
        """The scene, checked against a catalogue with this number of tiles."""
        for tile in (tile for row in self.grid for tile in row):
            if tile == AGENT:
                raise RequestError(
                    f"Tile {AGENT}, the agent, does not belong in scene.grid; scene.at says where it is."
                )
            if not FLOOR <= tile < tiles:
                raise RequestError(
                    f"scene.grid holds tile {str(tile)[:20]}; expected tile ids from {FLOOR} to {tiles - 1}."
                )
        scene = Scene(self.size, np.array(self.grid, np.int16), self.at).move(self.at)
        _check_margin(scene)
        if len(scene.objects) > MAX_OBJECTS:
            raise RequestError(f"There are {len(scene.objects)} objects on the map; it holds at most {MAX_OBJECTS}.")
        return scene


def _check_margin(scene: Scene) -> None:
    """Refuse a map that is larger than its size: the world puts smaller maps in the middle, surrounded by walls."""
    size, margin = scene.size, SIDE - scene.size
    starts = range(margin // 2, (margin + 1) // 2 + 1)  # an odd margin allows two
    for used in np.nonzero(scene.grid != WALL):  # rows, then columns
        if not any(start <= used.min() and used.max() < start + size for start in starts):
            raise RequestError(
                f"scene.size is {size}, but a cell outside the {size} x {size} in the middle is no wall."
            )

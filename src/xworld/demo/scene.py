"""The scenes of requests. Every request brings its own, so the server remembers none."""

from typing import Annotated

import numpy as np
from pydantic import Field

from xworld.demo.errors import RequestError, RequestModel
from xworld.world.catalogue import Catalogue
from xworld.world.cells import SIDE, SMALLEST_MAP
from xworld.world.scene import Scene, SceneError
from xworld.world.state import AGENT, FLOOR

_Index = Annotated[int, Field(ge=0, lt=SIDE)]
CellField = tuple[_Index, _Index]
CELL_FORMAT = f"[row, column], both from 0 to {SIDE - 1}"

_Row = Annotated[list[int], Field(min_length=SIDE, max_length=SIDE)]


class SceneFields(RequestModel):
    """A scene as requests bring it."""

    size: int = Field(ge=SMALLEST_MAP, le=SIDE, description=f"a whole number from {SMALLEST_MAP} to {SIDE}")
    grid: list[_Row] = Field(min_length=SIDE, max_length=SIDE, description=f"{SIDE} rows of {SIDE} tile ids")
    at: CellField = Field(description=CELL_FORMAT)

    def to_scene(self, catalogue: Catalogue) -> Scene:
        """The scene, if it can be shown with the tiles of a catalogue."""
        for tile in (tile for row in self.grid for tile in row):
            if tile == AGENT:
                raise RequestError(
                    f"Tile {AGENT}, the agent, does not belong in scene.grid; scene.at says where it is."
                )
            if not FLOOR <= tile < catalogue.tiles:
                raise RequestError(
                    f"scene.grid holds tile {str(tile)[:20]}; expected tile ids from {FLOOR} to {catalogue.tiles - 1}."
                )
        return check_scene(Scene(self.size, np.array(self.grid, np.int16), self.at), catalogue)


def check_scene(scene: Scene, catalogue: Catalogue) -> Scene:
    """A scene, if it can be shown with the tiles of a catalogue."""
    try:
        return scene.check(catalogue)
    except SceneError as error:
        raise RequestError(f"{str(error)[0].upper()}{str(error)[1:]}.") from error

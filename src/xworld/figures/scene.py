"""Scenes and maps, drawn large and sharp."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Colormap, to_rgb
from matplotlib.patches import Circle, Rectangle
from numpy.typing import NDArray

from xworld.agent.thought import Map
from xworld.figures.session import Cell, Moment
from xworld.figures.style import COMMAND, COMMAND_SHADES, INK, LINE, PAPER, QUIET, attention_scale
from xworld.world.catalogue import Catalogue
from xworld.world.cells import SIDE, VIEW
from xworld.world.state import AGENT
from xworld.world.view import CELL_PIXELS

TILE_PIXELS = 96
"""The side of a tile in a picture that people look at; the agent sees 12."""
DENSEST = 0.6
"""What the most attention hides of the map beneath it."""
_CENTER = VIEW // 2
_CELL = 0.5
"""From the middle of a cell to its side."""


def paint_tiles(catalogue: Catalogue, tiles: NDArray[np.int16], pixels: int = TILE_PIXELS) -> NDArray[np.uint8]:
    """(rows x pixels, columns x pixels, 3) The picture of a map of tiles.

    >>> paint_tiles(Catalogue.load(), np.ones((7, 7), np.int16)).shape
    (672, 672, 3)
    """
    return lay_tiles(catalogue.atlas(pixels), tiles)


def lay_tiles(atlas: NDArray[np.uint8], tiles: NDArray[np.int16]) -> NDArray[np.uint8]:
    """The same from an atlas, (tiles, pixels, pixels, 3), for who paints often."""
    (rows, columns), pixels = tiles.shape, atlas.shape[1]
    blocks = atlas[tiles]  # (rows, columns, pixels, pixels, 3)
    return blocks.transpose(0, 2, 1, 3, 4).reshape(rows * pixels, columns * pixels, 3)


def tiles_with_agent(moment: Moment) -> NDArray[np.int16]:
    """(7, 7) The tiles of the map, the agent drawn in."""
    tiles = moment.grid.copy()
    tiles[moment.agent] = AGENT
    return tiles


def draw_pixels(axes: Axes, catalogue: Catalogue, moment: Moment) -> None:
    """What the agent sees, pixel by pixel."""
    _show(axes, paint_tiles(catalogue, moment.view, CELL_PIXELS), VIEW)


def draw_map(axes: Axes, catalogue: Catalogue, tiles: NDArray[np.int16]) -> None:
    """The whole map from above, for people: drawings are smoothed when they are made smaller."""
    _show(axes, paint_tiles(catalogue, tiles), SIDE, interpolation="hanning")


def overlay(axes: Axes, values: Map, color: str = COMMAND) -> None:
    """Attention over the map from above, (7, 7): the more there is, the less shines through."""
    veil = np.empty((*values.shape, 4))
    veil[..., :3] = to_rgb(color)
    veil[..., 3] = veil_of(values)
    _show(axes, veil, SIDE)


def veil_of(values: Map) -> NDArray[np.float64]:
    """How much of what is beneath attention hides.

    >>> veil_of(np.array([0.0, 0.25, 1.0], np.float32)).round(2)
    array([0. , 0.3, 0.6])
    """
    return DENSEST * np.sqrt(np.clip(values, 0.0, 1.0).astype(np.float64))


def draw_view_map(axes: Axes, values: Map, agent: Cell, shades: Colormap = COMMAND_SHADES, **options: Any) -> None:
    """An egocentric map: a color for each cell, the outline of the world, and the agent in the center."""
    options = {"norm": attention_scale(), **options}
    _show(axes, values, VIEW, cmap=shades, **options)
    lines, ends = np.arange(1, VIEW) - _CELL, (-_CELL, VIEW - _CELL)
    axes.hlines(lines, *ends, colors=LINE, linewidths=0.35)
    axes.vlines(lines, *ends, colors=LINE, linewidths=0.35)
    corner = _CENTER - agent[1] - _CELL, _CENTER - agent[0] - _CELL
    axes.add_patch(Rectangle(corner, SIDE, SIDE, fill=False, edgecolor=INK, linewidth=1.1, linestyle=(0, (3, 1.5))))
    axes.add_patch(Circle((_CENTER, _CENTER), 0.26, facecolor=PAPER, edgecolor=INK, linewidth=1.0, zorder=4))


def mark_target(axes: Axes, cell: Cell, agent: Cell | None = None) -> None:
    """A square ring around a cell of the map; with the agent's cell, on an egocentric map."""
    row, column = cell
    if agent is not None:
        row, column = row - agent[0] + _CENTER, column - agent[1] + _CENTER
    for color, width in ((PAPER, 3.4), (INK, 1.6)):
        axes.add_patch(
            Rectangle((column - _CELL, row - _CELL), 1, 1, fill=False, edgecolor=color, linewidth=width, zorder=3)
        )


def _show(axes: Axes, values: NDArray[Any], cells: int, **options: Any) -> None:
    extent = (-_CELL, cells - _CELL, cells - _CELL, -_CELL)
    # Without interpolation, vector files embed the values cell by cell or pixel by pixel, and enlarge them sharply.
    axes.imshow(values, extent=extent, aspect="equal", **{"interpolation": "none", **options})
    for spine in axes.spines.values():
        spine.set_color(QUIET)

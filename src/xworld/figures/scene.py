"""Scenes and attention maps, drawn large and sharp."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Colormap, to_rgb
from matplotlib.patches import Circle, Rectangle
from numpy.typing import NDArray

from xworld.agent.thought import Map
from xworld.figures.session import Cell, Snapshot
from xworld.figures.style import COMMAND, COMMAND_SHADES, INK, LINE, PAPER, QUIET, attention_scale
from xworld.world.catalogue import Catalogue
from xworld.world.cells import SIDE, VIEW
from xworld.world.state import AGENT
from xworld.world.view import CELL_PIXELS

TILE_PIXELS = 96
"""The side of a tile in figures; the agent sees 12."""
DENSEST = 0.6
"""The opacity of full attention over the map."""
_CENTER = VIEW // 2
_HALF = 0.5
"""From the center of a cell to its edge."""


def lay_tiles(atlas: NDArray[np.uint8], tiles: NDArray[np.int16]) -> NDArray[np.uint8]:
    """(rows x pixels, columns x pixels, 3) The picture of a map of tiles, from an atlas (tiles, pixels, pixels, 3).

    >>> lay_tiles(Catalogue.load().atlas(TILE_PIXELS), np.ones((7, 7), np.int16)).shape
    (672, 672, 3)
    """
    (rows, columns), pixels = tiles.shape, atlas.shape[1]
    blocks = atlas[tiles]  # (rows, columns, pixels, pixels, 3)
    return blocks.transpose(0, 2, 1, 3, 4).reshape(rows * pixels, columns * pixels, 3)


def tiles_with_agent(snapshot: Snapshot) -> NDArray[np.int16]:
    """(7, 7) The tiles of the map, including the agent."""
    tiles = snapshot.grid.copy()
    tiles[snapshot.agent] = AGENT
    return tiles


def draw_pixels(axes: Axes, catalogue: Catalogue, snapshot: Snapshot) -> None:
    """What the agent sees, pixel by pixel."""
    _show(axes, lay_tiles(catalogue.atlas(CELL_PIXELS), snapshot.view), VIEW)


def draw_map(axes: Axes, catalogue: Catalogue, tiles: NDArray[np.int16]) -> None:
    """The whole map from above. Icons are smoothed when they are scaled down."""
    _show(axes, lay_tiles(catalogue.atlas(TILE_PIXELS), tiles), SIDE, interpolation="hanning")


def overlay(axes: Axes, values: Map, color: str = COMMAND) -> None:
    """Attention over the map from above, (7, 7): the more attention, the less shines through."""
    veil = np.empty((*values.shape, 4))
    veil[..., :3] = to_rgb(color)
    veil[..., 3] = veil_of(values)
    _show(axes, veil, SIDE)


def veil_of(values: Map) -> NDArray[np.float64]:
    """The opacity of attention over the map.

    >>> veil_of(np.array([0.0, 0.25, 1.0], np.float32)).round(2)
    array([0. , 0.3, 0.6])
    """
    return DENSEST * np.sqrt(np.clip(values, 0.0, 1.0).astype(np.float64))


def draw_view_map(axes: Axes, values: Map, agent: Cell, shades: Colormap = COMMAND_SHADES, **options: Any) -> None:
    """An egocentric map: a color for each cell, the border of the world, and the agent in the center."""
    options = {"norm": attention_scale(), **options}
    _show(axes, values, VIEW, cmap=shades, **options)
    lines, ends = np.arange(1, VIEW) - _HALF, (-_HALF, VIEW - _HALF)
    axes.hlines(lines, *ends, colors=LINE, linewidths=0.35)
    axes.vlines(lines, *ends, colors=LINE, linewidths=0.35)
    corner = _CENTER - agent[1] - _HALF, _CENTER - agent[0] - _HALF
    axes.add_patch(Rectangle(corner, SIDE, SIDE, fill=False, edgecolor=INK, linewidth=1.1, linestyle=(0, (3, 1.5))))
    axes.add_patch(Circle((_CENTER, _CENTER), 0.26, facecolor=PAPER, edgecolor=INK, linewidth=1.0, zorder=4))


def mark_target(axes: Axes, cell: Cell, agent: Cell | None = None) -> None:
    """A square around a cell of the map or, given the agent's cell, of an egocentric map."""
    row, column = cell
    if agent is not None:
        row, column = row - agent[0] + _CENTER, column - agent[1] + _CENTER
    for color, width in ((PAPER, 3.4), (INK, 1.6)):
        axes.add_patch(
            Rectangle((column - _HALF, row - _HALF), 1, 1, fill=False, edgecolor=color, linewidth=width, zorder=3)
        )


def _show(axes: Axes, values: NDArray[Any], cells: int, **options: Any) -> None:
    extent = (-_HALF, cells - _HALF, cells - _HALF, -_HALF)
    # Without interpolation, vector files embed the values cell by cell or pixel by pixel, and scale them sharply.
    axes.imshow(values, extent=extent, aspect="equal", **{"interpolation": "none", **options})
    axes.spines[:].set_color(QUIET)

"""Scenes and attention maps, drawn large and sharp."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Colormap, to_rgba
from matplotlib.patches import Circle, Rectangle
from numpy.typing import NDArray

from xworld.agent.thought import Map
from xworld.figures.session import Cell, Snapshot, crop_to_map
from xworld.figures.style import COMMAND, COMMAND_SHADES, INK, LINE, PAPER, QUIET, attention_scale
from xworld.world.catalogue import Catalogue
from xworld.world.cells import SIDE, VIEW
from xworld.world.state import AGENT
from xworld.world.view import CELL_PIXELS

TILE_PIXELS = 96
"""The side of a tile in figures; the agent sees 12."""
_CENTER = VIEW // 2


def lay_tiles(atlas: NDArray[np.uint8], tiles: NDArray[np.int16]) -> NDArray[np.uint8]:
    """(rows x pixels, columns x pixels, 3) The picture of a map of tiles, from an atlas (tiles, pixels, pixels, 3)."""
    (rows, columns), pixels = tiles.shape, atlas.shape[1]
    blocks = atlas[tiles]  # (rows, columns, pixels, pixels, 3)
    return blocks.transpose(0, 2, 1, 3, 4).reshape(rows * pixels, columns * pixels, 3)


def draw_pixels(axes: Axes, catalogue: Catalogue, snapshot: Snapshot) -> None:
    """What the agent sees, pixel by pixel."""
    _show(axes, lay_tiles(catalogue.atlas(CELL_PIXELS), snapshot.view), VIEW)


def draw_map(axes: Axes, catalogue: Catalogue, grid: NDArray[np.int16], agent: Cell) -> None:
    """The whole map from above, with the agent. Icons are smoothed when they are scaled down."""
    tiles = grid.copy()
    tiles[agent] = AGENT
    _show(axes, lay_tiles(catalogue.atlas(TILE_PIXELS), tiles), SIDE, interpolation="hanning")


def overlay(axes: Axes, attention: Map, agent: Cell, color: str = COMMAND) -> None:
    """Egocentric attention over the map from above: the more attention, the less shines through."""
    veil = np.full((SIDE, SIDE, 4), to_rgba(color))
    veil[..., 3] = veil_of(crop_to_map(attention, agent))
    _show(axes, veil, SIDE)


def veil_of(values: Map) -> NDArray[np.float64]:
    """The opacity of attention over the map; some of the map always shines through."""
    return 0.6 * np.sqrt(np.clip(values, 0.0, 1.0).astype(np.float64))


def draw_view_map(axes: Axes, values: Map, agent: Cell, shades: Colormap = COMMAND_SHADES, **options: Any) -> None:
    """An egocentric map: a color for each cell, the border of the world, and the agent in the center."""
    options = {"norm": attention_scale(), **options}
    _show(axes, values, VIEW, cmap=shades, **options)
    lines, ends = np.arange(1, VIEW) - 0.5, (-0.5, VIEW - 0.5)
    axes.hlines(lines, *ends, colors=LINE, linewidths=0.35)
    axes.vlines(lines, *ends, colors=LINE, linewidths=0.35)
    corner = _CENTER - agent[1] - 0.5, _CENTER - agent[0] - 0.5
    axes.add_patch(Rectangle(corner, SIDE, SIDE, fill=False, edgecolor=INK, linewidth=1.1, linestyle=(0, (3, 1.5))))
    axes.add_patch(Circle((_CENTER, _CENTER), 0.26, facecolor=PAPER, edgecolor=INK, linewidth=1.0, zorder=4))


def mark_target(axes: Axes, cell: Cell, agent: Cell | None = None) -> None:
    """A square around a cell of the map or, given the agent's cell, of an egocentric map."""
    row, column = cell
    if agent is not None:
        row, column = row - agent[0] + _CENTER, column - agent[1] + _CENTER
    for color, width in ((PAPER, 3.4), (INK, 1.6)):
        axes.add_patch(
            Rectangle((column - 0.5, row - 0.5), 1, 1, fill=False, edgecolor=color, linewidth=width, zorder=3)
        )


def _show(axes: Axes, values: NDArray[Any], cells: int, **options: Any) -> None:
    extent = (-0.5, cells - 0.5, cells - 0.5, -0.5)
    # Without interpolation, vector files embed the values cell by cell or pixel by pixel, and scale them sharply.
    axes.imshow(values, extent=extent, aspect="equal", **{"interpolation": "none", **options})
    axes.spines[:].set_color(QUIET)

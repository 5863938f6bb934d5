"""Convolutions over 3 x 3 cells without feature maps.

A convolution is linear: each of the nine cells under the filter contributes a part that depends only on its tile and
its offset. The parts are products of filters and tiles, looked up for each cell and added.
"""

import torch
from torch import Tensor
from torch.nn import functional

from xworld.agent.sizes import CELLS, VIEW

SIDE = 3
OFFSETS = SIDE * SIDE
"""The cells under a filter, row by row."""


def neighbors(tile_ids: Tensor, outside: int) -> Tensor:
    """(scenes, 9, 169) The tiles in and around each cell of (scenes, 169) tile ids; beyond the view is `outside`.

    >>> neighbors(torch.arange(169).unsqueeze(0), outside=-1)[0, :, 13]
    tensor([-1,  0,  1, -1, 13, 14, -1, 26, 27])
    """
    padded = functional.pad(tile_ids.view(-1, VIEW, VIEW), (1, 1, 1, 1), value=outside)
    shifted = [padded[:, row : row + VIEW, column : column + VIEW] for row in range(SIDE) for column in range(SIDE)]
    return torch.stack(shifted, dim=1).flatten(2)


def filter_cells(parts: Tensor, tile_ids: Tensor) -> Tensor:
    """(scenes, 169) The output of a filter; parts are (scenes, 9, tiles), each tile's contribution at each offset."""
    padded = functional.pad(parts, (0, 1))  # one more tile, beyond the view, that contributes nothing
    return padded.gather(2, neighbors(tile_ids, outside=parts.shape[2])).sum(dim=1)


def distinct_neighborhoods(around: Tensor) -> tuple[Tensor, Tensor]:
    """The distinct neighborhoods, (distinct, 9), and the number of each cell's, (scenes, 169).

    Finds distinct rows of three first, then distinct triples of those: the codes stay small and sort quickly.
    """
    cells = around.transpose(1, 2).reshape(-1, SIDE)  # (scenes x 169 x 3 rows, 3)
    rows, row_of_cell = _distinct_triples(cells)
    triples, which = _distinct_triples(row_of_cell.view(-1, SIDE))
    return rows[triples].flatten(1), which.view(-1, CELLS)


def _distinct_triples(triples: Tensor) -> tuple[Tensor, Tensor]:
    base = int(triples.max()) + 1
    first, second, third = triples.unbind(dim=1)
    codes, which = torch.unique((first * base + second) * base + third, return_inverse=True)
    return torch.stack([codes // base**2, codes // base % base, codes % base], dim=1), which

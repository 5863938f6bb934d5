"""The 256 colors of older terminals, and which of them is nearest to a color for the eye.

Nearness of red, green and blue as numbers would show red things orange, and a person has to tell colors here.
Hence CIELAB, in which distances are about those that the eye sees.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

_LEVELS = np.array([0, 95, 135, 175, 215, 255])
"""The levels of each channel in the cube of 6 x 6 x 6 colors."""
_GRAYS = np.arange(8, 248, 10)
_FIRST = 16
"""The cube starts at this number and the grays follow it; the colors before differ from terminal to terminal."""
_LIVELINESS = 1.25
"""Colors are made so much stronger before, for most colors of the cube are stronger than those of drawings."""

_TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
_WHITE = _TO_XYZ.sum(axis=1)


def nearest_numbers(colors: NDArray[np.uint8]) -> NDArray[np.int64]:
    """(...) The number of the nearest of the 256 colors for each of some colors, (..., 3).

    >>> nearest_numbers(np.array([[255, 0, 0], [0, 0, 0], [128, 128, 128]], np.uint8)).tolist()
    [196, 16, 244]
    """
    flat, where = np.unique(colors.reshape(-1, 3), axis=0, return_inverse=True)
    middle = flat.mean(axis=-1, keepdims=True)
    lively = np.clip(middle + _LIVELINESS * (flat - middle), 0, 255)
    distances = ((_lab(lively)[:, None] - _palette_in_lab()) ** 2).sum(axis=-1)
    numbers: NDArray[np.int64] = _FIRST + distances.argmin(axis=-1)
    return numbers[where.reshape(colors.shape[:-1])]


@cache
def _palette_in_lab() -> NDArray[np.float64]:
    """(240, 3) The cube and the grays."""
    cube = np.stack(np.meshgrid(_LEVELS, _LEVELS, _LEVELS, indexing="ij"), axis=-1).reshape(-1, 3)
    return _lab(np.concatenate([cube, np.repeat(_GRAYS[:, None], 3, axis=1)]))


def _lab(colors: NDArray[np.int64] | NDArray[np.float64]) -> NDArray[np.float64]:
    """sRGB, 0 to 255, in CIELAB."""
    shares = colors / 255
    light = np.where(shares > 0.04045, ((shares + 0.055) / 1.055) ** 2.4, shares / 12.92)
    xyz = light @ _TO_XYZ.T / _WHITE
    x, y, z = np.moveaxis(np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116), -1, 0)
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)

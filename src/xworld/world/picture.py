"""Picture files as (96, 96, 4) arrays of red, green, blue and opacity."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

ICON_PIXELS = 96
"""The size of icons: a multiple of the 12 pixels of a cell, so that shrinking averages whole blocks."""

_WHITE = 240
"""Pixels are white from this value of red, green and blue on: JPEG files are never quite white."""
_WHITE_BORDER = 0.75
"""Share of the border that is white if the background is; a thing may touch the border."""
_LEAST_DIFFERENCE = 2.0
"""Of two pictures that can be told apart, with values up to 255."""


class PackError(ValueError):
    """An invalid pack; the message names the file and the line."""


def read_texture(path: Path) -> NDArray[np.uint8]:
    """A picture that fills its cell, such as a wall."""
    return np.array(_open(path).resize((ICON_PIXELS, ICON_PIXELS), Image.Resampling.LANCZOS))


def read_icon(path: Path) -> NDArray[np.uint8]:
    """A picture of a thing, in its own shape; a white background becomes transparent."""
    file = _open(path)
    width, height = (max(1, round(side * ICON_PIXELS / max(file.size))) for side in file.size)
    pixels = np.array(file.resize((width, height), Image.Resampling.LANCZOS))
    if pixels[..., 3].min() == 255:
        pixels[_white_background(pixels)] = 0
    top, left = (ICON_PIXELS - height) // 2, (ICON_PIXELS - width) // 2
    icon = np.zeros((ICON_PIXELS, ICON_PIXELS, 4), np.uint8)
    icon[top : top + height, left : left + width] = pixels
    return icon


def lay_on(background: NDArray[np.uint8], picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(96, 96, 3) A picture, (96, 96, 4), over a background, which shows through transparent parts."""
    behind = Image.fromarray(background).convert("RGBA")
    return np.asarray(Image.alpha_composite(behind, Image.fromarray(picture)).convert("RGB"))


def shrink(pictures: NDArray[np.uint8], pixels: int) -> NDArray[np.uint8]:
    """(pictures, pixels, pixels, 3) Square pictures, averaged to a size that divides theirs."""
    block = pictures.shape[1] // pixels
    blocks = pictures.reshape(len(pictures), pixels, block, pixels, block, 3)
    return np.asarray(np.rint(blocks.mean(axis=(2, 4))), np.uint8)


def find_twins(tiles: NDArray[np.uint8]) -> list[tuple[int, int]]:
    """The pairs of small pictures that differ so little, in the root of their mean square, that they look the same."""
    flat = tiles.reshape(len(tiles), -1).astype(np.float64)
    squares = np.square(flat).sum(axis=1)
    distances = (squares[:, None] + squares - 2 * flat @ flat.T) / flat.shape[1]
    return [(int(one), int(other)) for one, other in np.argwhere(np.triu(distances < _LEAST_DIFFERENCE**2, 1))]


def _open(path: Path) -> Image.Image:
    try:
        with Image.open(path) as file:
            return file.convert("RGBA")
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise PackError(f"{path} is not a picture that can be read: {error}") from error


def _white_background(pixels: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """(height, width) The white pixels that are connected to the border, if that is white."""
    white = np.array((pixels[..., :3] >= _WHITE).all(axis=2))
    border = np.ones_like(white)
    border[1:-1, 1:-1] = False
    found = white & border
    if found.sum() < _WHITE_BORDER * border.sum():
        return np.zeros_like(white)
    while True:
        wider = found.copy()
        wider[1:] |= found[:-1]
        wider[:-1] |= found[1:]
        wider[:, 1:] |= found[:, :-1]
        wider[:, :-1] |= found[:, 1:]
        wider &= white
        if np.array_equal(wider, found):
            return found
        found = wider

"""Pictures of new things: drawn on 12 x 12 pixels, or read from the bytes of an image file."""

import io
import re
import struct
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import ExifTags, Image, UnidentifiedImageError

from xworld.word_learning.word import TeachingError
from xworld.world.catalogue import Catalogue
from xworld.world.pack import ICON_PIXELS
from xworld.world.state import FIRST_OBJECT
from xworld.world.view import CELL_PIXELS

Picture = NDArray[np.uint8]
"""(96, 96, 4) Red, green, blue and opacity."""

MOST_BYTES = 8 * 2**20
"""The largest image file that is read."""
LONGEST_SIDE = 4096
"""The most pixels that an image may be wide or high."""
FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP")

LEAST_DIFFERENCE = 2.0
"""A new thing must differ so much from every tile there is, on average over its 12 x 12 pixels, of 255."""

_COLOR = re.compile(r"#[0-9a-fA-F]{6}(?:[0-9a-fA-F]{2})?")
_CLEAR = "#00000000"
_ENLARGED = ICON_PIXELS // CELL_PIXELS
_FAULTS = (UnidentifiedImageError, OSError, SyntaxError, ValueError, TypeError, EOFError, IndexError, struct.error)
"""What Pillow raises of bytes that are not what they claim to be."""
_TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
"""How a photo is turned upright, by its orientation as EXIF numbers them; 1 is upright."""


def draw_pixels(pixels: Sequence[str]) -> Picture:
    """The picture of 144 colors, row by row from the top left: "#rrggbb", "#rrggbbaa", or "" where the floor shows.

    >>> draw_pixels(["#ff0000"] * 72 + [""] * 72)[0, 0], draw_pixels(["#ff0000"] * 72 + [""] * 72)[95, 95]
    (array([255,   0,   0, 255], dtype=uint8), array([0, 0, 0, 0], dtype=uint8))
    """
    if isinstance(pixels, str) or len(pixels) != CELL_PIXELS**2:
        raise TeachingError(f"a drawing has {CELL_PIXELS} x {CELL_PIXELS} pixels, {CELL_PIXELS**2} colors in all")
    for pixel in pixels:
        if not isinstance(pixel, str) or (pixel and not _COLOR.fullmatch(pixel)):
            raise TeachingError(f"{pixel!r} is no color: expected '#rrggbb', '#rrggbbaa', or '' for none")
    flat = [bytes.fromhex(f"{pixel or _CLEAR}ff"[1:9]) for pixel in pixels]
    small = np.frombuffer(b"".join(flat), np.uint8).reshape(CELL_PIXELS, CELL_PIXELS, 4)
    return small.repeat(_ENLARGED, axis=0).repeat(_ENLARGED, axis=1)


def read_image(data: bytes) -> Picture:
    """The picture in an image file, given as its bytes: PNG, JPEG, GIF, WebP or BMP of a modest size.

    It is turned upright, where a camera noted how it was held, and fitted into a square whole, with nothing beside it.

    >>> read_image(b"no image")
    Traceback (most recent call last):
        ...
    xworld.word_learning.word.TeachingError: this is not an image that can be read: expected PNG, JPEG, GIF, WEBP, BMP
    """
    if len(data) > MOST_BYTES:
        raise TeachingError(f"an image of {len(data):,} bytes is too large; at most {MOST_BYTES:,} are read")
    try:
        with Image.open(io.BytesIO(data), formats=FORMATS) as file:
            if max(file.size) > LONGEST_SIDE:  # before anything is unpacked: a small file can hold a huge picture
                raise TeachingError(
                    f"an image of {file.width} x {file.height} pixels is too large; "
                    f"at most {LONGEST_SIDE} x {LONGEST_SIDE} are read"
                )
            return _fit(_turn_upright(file).convert("RGBA"))
    except TeachingError:  # a ValueError too
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise TeachingError(f"this image is too large; at most {LONGEST_SIDE} x {LONGEST_SIDE} are read") from error
    except _FAULTS as error:
        raise TeachingError(f"this is not an image that can be read: expected {', '.join(FORMATS)}") from error


def write_png(picture: Picture) -> bytes:
    """A picture as the bytes of a PNG file; `read_image` gives back the same."""
    file = io.BytesIO()
    Image.fromarray(picture).save(file, "PNG", optimize=True)
    return file.getvalue()


def refuse_look_alikes(catalogue: Catalogue) -> None:
    """Refuse a catalogue whose last class looks like something else in it: no one could tell them apart."""
    assert catalogue.addition is not None
    atlas, known = catalogue.atlas().astype(np.float64), catalogue.addition.base.tiles
    for new in atlas[known:]:
        differences = np.abs(atlas[:known] - new).mean(axis=(1, 2, 3))
        twin = int(differences.argmin())
        if differences[twin] < LEAST_DIFFERENCE:
            hint = "draw something on it" if twin < FIRST_OBJECT else "no one could tell the two apart"
            raise TeachingError(f"this picture looks like the {catalogue.describe_tile(twin)}; {hint}")


def _turn_upright(image: Image.Image) -> Image.Image:
    """A photo as it was seen. What else a camera wrote down does not matter, nor whether it can be read."""
    try:
        turn = _TURNS.get(image.getexif().get(ExifTags.Base.Orientation, 1))
    except _FAULTS:
        return image
    return image if turn is None else image.transpose(turn)


def _fit(image: Image.Image) -> Picture:
    """An image in the middle of a transparent square of 96 pixels, whole, and as large as that allows."""
    scale = ICON_PIXELS / max(image.size)
    width, height = (max(1, round(side * scale)) for side in image.size)
    way = Image.Resampling.NEAREST if max(image.size) <= CELL_PIXELS else Image.Resampling.LANCZOS
    square = Image.new("RGBA", (ICON_PIXELS, ICON_PIXELS))
    square.paste(image.resize((width, height), way), ((ICON_PIXELS - width) // 2, (ICON_PIXELS - height) // 2))
    return np.asarray(square)

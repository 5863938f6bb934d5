"""The word and the picture of a new object: which words can be taught, and pictures from pixels or image files."""

import io
import re
import struct
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import ExifTags, Image

from xworld.teacher.grammar import Grammar
from xworld.world.catalogue import Catalogue
from xworld.world.picture import ICON_PIXELS
from xworld.world.state import FIRST_OBJECT
from xworld.world.view import CELL_PIXELS

Picture = NDArray[np.uint8]
"""(96, 96, 4) Red, green, blue and opacity."""

MAX_WORD_LENGTH = 20
MAX_BYTES = 8 * 2**20
"""The largest image file that is read."""
MAX_SIDE = 4096
"""The largest width or height of an image, in pixels."""
FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP")
MIN_DIFFERENCE = 2.0
"""The least mean difference from every known tile, over 12 x 12 pixels with values up to 255."""

_COLOR = re.compile(r"#[0-9a-fA-F]{6}(?:[0-9a-fA-F]{2})?")
_IMAGE_ERRORS = (OSError, SyntaxError, ValueError, TypeError, EOFError, IndexError, struct.error)
"""What Pillow raises for bytes that are not the image they claim to be."""
_TURNS = "FLIP_LEFT_RIGHT ROTATE_180 FLIP_TOP_BOTTOM TRANSPOSE ROTATE_270 TRANSVERSE ROTATE_90".split()
"""How to turn a photo upright, by its EXIF orientation from 2 on; 1 is upright."""


class TeachingError(ValueError):
    """Something that cannot be taught; the message says why."""


def check_word(word: str, catalogue: Catalogue) -> str:
    """The word in lower case and without surrounding spaces; a word that cannot be taught is refused.

    >>> check_word(" Zebra", Catalogue.load())
    'zebra'
    >>> check_word("apple", Catalogue.load())
    Traceback (most recent call last):
        ...
    xworld.word_learning.new_object.TeachingError: 'apple' is a word that the agent knows already; choose another one
    """
    if not isinstance(word, str):
        raise TeachingError(f"{word!r} is not a word: expected letters from a to z")
    clean = word.strip().lower()
    if not clean:
        raise TeachingError("a new object needs a name: a word of letters from a to z")
    if len(clean) > MAX_WORD_LENGTH:
        raise TeachingError(f"a word of {len(clean)} letters is too long; use at most {MAX_WORD_LENGTH}")
    if not (clean.isascii() and clean.isalpha()):
        raise TeachingError(f"{clean!r} is not one word of letters from a to z, without spaces, digits or marks")
    if clean in {known.lower() for known in Grammar(catalogue).vocabulary.words}:
        raise TeachingError(f"{clean!r} is a word that the agent knows already; choose another one")
    return clean


def draw_pixels(pixels: Sequence[str]) -> Picture:
    """A picture from 144 colors, row by row from the top left: "#rrggbb", "#rrggbbaa", or "" for a transparent pixel.

    >>> draw_pixels(["#ff0000"] * 72 + [""] * 72)[0, 0], draw_pixels(["#ff0000"] * 72 + [""] * 72)[95, 95]
    (array([255,   0,   0, 255], dtype=uint8), array([0, 0, 0, 0], dtype=uint8))
    """
    if isinstance(pixels, str) or len(pixels) != CELL_PIXELS**2:
        raise TeachingError(f"a drawing has {CELL_PIXELS} x {CELL_PIXELS} pixels, {CELL_PIXELS**2} colors in all")
    for pixel in pixels:
        if not isinstance(pixel, str) or (pixel and not _COLOR.fullmatch(pixel)):
            raise TeachingError(f"{pixel!r} is no color: expected '#rrggbb', '#rrggbbaa', or '' for none")
    flat = [bytes.fromhex(f"{pixel or '#00000000'}ff"[1:9]) for pixel in pixels]
    small = np.frombuffer(b"".join(flat), np.uint8).reshape(CELL_PIXELS, CELL_PIXELS, 4)
    scale = ICON_PIXELS // CELL_PIXELS
    return small.repeat(scale, axis=0).repeat(scale, axis=1)


def read_image(data: bytes) -> Picture:
    """A picture from the bytes of an image file: PNG, JPEG, GIF, WebP or BMP.

    The image is turned upright if its EXIF data say so, and scaled to fit into a transparent square.
    """
    if len(data) > MAX_BYTES:
        raise TeachingError(f"an image of {len(data):,} bytes is too large; at most {MAX_BYTES:,} are read")
    try:
        with Image.open(io.BytesIO(data), formats=FORMATS) as file:
            if max(file.size) > MAX_SIDE:  # checked before decoding: a small file can hold a huge image
                raise TeachingError(
                    f"an image of {file.width} x {file.height} pixels is too large; "
                    f"at most {MAX_SIDE} x {MAX_SIDE} are read"
                )
            return _fit(_turn_upright(file).convert("RGBA"))
    except TeachingError:  # is a ValueError, too
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise TeachingError(f"this image is too large; at most {MAX_SIDE} x {MAX_SIDE} are read") from error
    except _IMAGE_ERRORS as error:
        raise TeachingError(f"this is not an image that can be read: expected {', '.join(FORMATS)}") from error


def write_png(picture: Picture) -> bytes:
    """A picture as the bytes of a PNG file; `read_image` gives the same picture."""
    file = io.BytesIO()
    Image.fromarray(picture).save(file, "PNG", optimize=True)
    return file.getvalue()


def refuse_look_alikes(catalogue: Catalogue) -> None:
    """Refuse a catalogue whose last class looks like another tile: nobody could tell them apart."""
    assert catalogue.addition is not None
    atlas, known = catalogue.atlas().astype(np.float64), catalogue.addition.base.tiles
    for new in atlas[known:]:
        differences = np.abs(atlas[:known] - new).mean(axis=(1, 2, 3))
        nearest = int(differences.argmin())
        if differences[nearest] < MIN_DIFFERENCE:
            hint = "draw something on it" if nearest < FIRST_OBJECT else "nobody could tell the two apart"
            raise TeachingError(f"this picture looks like the {catalogue.describe_tile(nearest)}; {hint}")


def _turn_upright(image: Image.Image) -> Image.Image:
    """A photo as it was seen; EXIF data that cannot be read are ignored."""
    try:
        turn = dict(enumerate(_TURNS, start=2)).get(image.getexif().get(ExifTags.Base.Orientation, 1))
    except _IMAGE_ERRORS:
        return image
    return image if turn is None else image.transpose(Image.Transpose[turn])


def _fit(image: Image.Image) -> Picture:
    """An image scaled to fit into the middle of a transparent square of 96 pixels."""
    scale = ICON_PIXELS / max(image.size)
    width, height = (max(1, round(side * scale)) for side in image.size)
    resampling = Image.Resampling.NEAREST if max(image.size) <= CELL_PIXELS else Image.Resampling.LANCZOS
    square = Image.new("RGBA", (ICON_PIXELS, ICON_PIXELS))
    square.paste(image.resize((width, height), resampling), ((ICON_PIXELS - width) // 2, (ICON_PIXELS - height) // 2))
    return np.asarray(square)

"""Words that can be taught, and pictures from pixels and from files; the rest is refused."""

import io
import struct
import zlib

import numpy as np
import pytest
from PIL import ExifTags, Image

from new_things import ROCKET, STRIPES
from xworld.word_learning.new_object import (
    MAX_BYTES,
    MAX_SIDE,
    TeachingError,
    check_word,
    draw_pixels,
    read_image,
    refuse_look_alikes,
    write_png,
)
from xworld.world.catalogue import Catalogue
from xworld.world.state import FIRST_OBJECT, FLOOR


def as_file(image: Image.Image, kind: str) -> bytes:
    file = io.BytesIO()
    image.save(file, kind)
    return file.getvalue()


def claim_size(width: int, height: int) -> bytes:
    """A PNG of a few bytes that says it is huge."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(b"")), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in chunks
    )


def test_what_is_drawn_is_what_the_agent_sees(catalogue: Catalogue) -> None:
    colors = [f"#{number:06x}" for number in np.random.default_rng(0).integers(2**24, size=144)]
    colors[5] = ""
    atlas = catalogue.with_class("zebra", draw_pixels(colors)).atlas()
    seen = ["#" + bytes(pixel).hex() for pixel in atlas[-1].reshape(144, 3)]
    assert [seen[place] == color for place, color in enumerate(colors)].count(False) == 1
    assert atlas[-1].reshape(144, 3)[5].tolist() == atlas[FLOOR].reshape(144, 3)[5].tolist()


def test_pixels_may_be_half_transparent() -> None:
    assert draw_pixels(["#10203040"] * 144)[50, 50].tolist() == [16, 32, 48, 64]


@pytest.mark.parametrize("pixels", [[], ["#000000"] * 143, ["#000000"] * 145, "#" * 144])
def test_a_drawing_has_144_pixels(pixels: list[str]) -> None:
    with pytest.raises(TeachingError, match="12 x 12 pixels"):
        draw_pixels(pixels)


@pytest.mark.parametrize("pixel", ["red", "#fff", "#gggggg", "#0000000", 7, None, "url(x)"])
def test_only_colors_are_drawn(pixel: str) -> None:
    with pytest.raises(TeachingError, match="no color"):
        draw_pixels(["#000000"] * 143 + [pixel])


def test_png_keeps_every_pixel() -> None:
    for picture in (STRIPES, ROCKET):
        assert np.array_equal(read_image(write_png(picture)), picture)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP", "BMP"])
def test_common_files_are_read(kind: str) -> None:
    picture = read_image(as_file(Image.new("RGB", (300, 200), (200, 30, 40)), kind))
    assert np.abs(picture[48, 48].astype(int) - [200, 30, 40, 255]).max() < 8
    assert picture[2, 48, 3] == 0, "what the square has more than the image is transparent"


def test_small_drawings_keep_their_sharp_pixels() -> None:
    small = np.zeros((12, 12, 4), np.uint8)
    small[..., 3], small[3, 4] = 255, 255
    picture = read_image(as_file(Image.fromarray(small), "PNG"))
    assert np.array_equal(picture[::8, ::8], small)


TURNS = (None, "FLIP_LEFT_RIGHT", "ROTATE_180", "FLIP_TOP_BOTTOM", "TRANSPOSE", "ROTATE_90", "TRANSVERSE", "ROTATE_270")
"""How a camera turned what was seen, by the orientation that it notes; the first is 1."""


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_photos_are_turned_upright(kind: str, orientation: int) -> None:
    seen = Image.new("RGB", (64, 32), (200, 30, 40))
    seen.paste((20, 30, 200), (0, 0, 16, 16))
    turn, notes, file = TURNS[orientation - 1], Image.Exif(), io.BytesIO()
    notes[ExifTags.Base.Orientation] = orientation
    (seen if turn is None else seen.transpose(Image.Transpose[turn])).save(file, kind, exif=notes, quality=95)
    picture = read_image(file.getvalue())
    assert np.abs(picture[30, 6].astype(int) - [20, 30, 200, 255]).max() < 16
    assert np.abs(picture[[66, 66, 30], [6, 90, 90]].astype(int) - [200, 30, 40, 255]).max() < 16


@pytest.mark.parametrize("orientation", [0, 9, 65_535])
def test_what_no_camera_notes_turns_nothing(orientation: int) -> None:
    notes, plain, noted = Image.Exif(), io.BytesIO(), io.BytesIO()
    notes[ExifTags.Base.Orientation] = orientation
    Image.fromarray(ROCKET).save(plain, "PNG")
    Image.fromarray(ROCKET).save(noted, "PNG", exif=notes)
    assert np.array_equal(read_image(noted.getvalue()), read_image(plain.getvalue()))


def test_notes_that_cannot_be_read_are_passed_over() -> None:
    file = io.BytesIO()
    Image.new("RGB", (64, 32), (200, 30, 40)).save(file, "WEBP", exif=b"Exif\0\0no notes at all")
    assert read_image(file.getvalue()).shape == (96, 96, 4)


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"", "not an image"),
        (b"GIF89a", "not an image"),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", "not an image"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "not an image"),
        (write_png(STRIPES)[:90], "not an image"),
        (bytes(MAX_BYTES + 1), "too large"),
        (claim_size(MAX_SIDE + 1, 1), "4097 x 1 pixels is too large"),
        (claim_size(20_000, 20_000), "too large"),
        (claim_size(2**31 - 1, 2**31 - 1), "too large"),
        (claim_size(0, 5), "not an image"),
    ],
)
def test_other_bytes_are_refused_politely(data: bytes, fault: str) -> None:
    with pytest.raises(TeachingError, match=fault):
        read_image(data)


@pytest.mark.parametrize("tile", [FLOOR, FIRST_OBJECT])
def test_a_new_thing_looks_new(tile: int, catalogue: Catalogue) -> None:
    copied = np.concatenate([catalogue.icons[tile], np.full((96, 96, 1), 255, np.uint8)], axis=2)
    with pytest.raises(TeachingError, match=f"looks like the {catalogue.describe_tile(tile)}"):
        refuse_look_alikes(catalogue.with_class("zebra", copied))


def test_nothing_drawn_is_nothing_new(catalogue: Catalogue) -> None:
    with pytest.raises(TeachingError, match="looks like the floor; draw something on it"):
        refuse_look_alikes(catalogue.with_class("zebra", draw_pixels([""] * 144)))
    refuse_look_alikes(catalogue.with_class("zebra", STRIPES))


@pytest.mark.parametrize(
    ("word", "taught"), [("zebra", "zebra"), ("  Zebra\n", "zebra"), ("x", "x"), ("a" * 20, "a" * 20)]
)
def test_words_are_cleaned(word: str, taught: str, catalogue: Catalogue) -> None:
    assert check_word(word, catalogue) == taught


@pytest.mark.parametrize(
    ("word", "fault"),
    [
        ("", "needs a name"),
        ("   ", "needs a name"),
        ("a" * 21, "21 letters is too long"),
        ("two words", "not one word"),
        ("zebra2", "not one word"),
        ("zèbre", "not one word"),
        ("zebra.", "not one word"),
        ("<b>", "not one word"),
        ("apple", "knows already"),
        ("Apple", "knows already"),
        ("north", "knows already"),
        ("between", "knows already"),
        ("red", "knows already"),
        ("the", "knows already"),
        ("nothing", "knows already"),
        ("oov", "knows already"),
        (7, "is not a word"),
        (None, "is not a word"),
    ],
)
def test_other_words_are_refused(word: str, fault: str, catalogue: Catalogue) -> None:
    with pytest.raises(TeachingError, match=fault):
        check_word(word, catalogue)

"""What becomes of picture files: backgrounds, shapes, and pictures that look the same."""

from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from xworld.world.picture import find_twins, read_icon, read_texture


def ring(path: Path, background: tuple[int, int, int], size: tuple[int, int] = (120, 120)) -> Path:
    """A red ring on a background, which is also within it."""
    picture = Image.new("RGB", size, background)
    draw = ImageDraw.Draw(picture)
    draw.ellipse((20, 20, 100, 100), (200, 0, 0))
    draw.ellipse((40, 40, 80, 80), background)
    picture.save(path, quality=95)
    return path


def test_white_around_a_thing_is_transparent_and_white_within_it_is_not(tmp_path: Path) -> None:
    for name in ("ring.jpg", "ring.png"):
        opacity = read_icon(ring(tmp_path / name, (255, 255, 255)))[..., 3]
        assert not opacity[[0, 0, -1, -1], [0, -1, 0, -1]].any()
        assert opacity[48, 48] == opacity[48, 24] == 255
        assert 0.3 < (opacity == 255).mean() < 0.4


def test_other_backgrounds_stay(tmp_path: Path) -> None:
    assert read_icon(ring(tmp_path / "gray.png", (220, 220, 220)))[..., 3].min() == 255


def test_a_white_border_on_one_side_is_part_of_the_picture(tmp_path: Path) -> None:
    picture = Image.new("RGB", (96, 96), (0, 90, 0))
    picture.paste((255, 255, 255), (0, 0, 96, 30))
    picture.save(tmp_path / "sky.png")
    assert read_icon(tmp_path / "sky.png")[..., 3].min() == 255


def test_a_picture_with_transparency_keeps_its_white(tmp_path: Path) -> None:
    picture = Image.new("RGBA", (96, 96), (255, 255, 255, 255))
    picture.putpixel((50, 50), (0, 0, 0, 0))
    picture.save(tmp_path / "paper.png")
    opacity = read_icon(tmp_path / "paper.png")[..., 3]
    assert (opacity == 0).sum() == 1


def test_things_keep_their_shape_and_textures_fill_the_cell(tmp_path: Path) -> None:
    Image.new("RGB", (30, 60), (10, 20, 30)).save(tmp_path / "tall.png")
    icon, texture = read_icon(tmp_path / "tall.png"), read_texture(tmp_path / "tall.png")
    assert (icon[:, 24:72] == (10, 20, 30, 255)).all()
    assert not icon[:, :24].any()
    assert not icon[:, 72:].any()
    assert (texture == (10, 20, 30, 255)).all()
    Image.new("RGB", (500, 1), (10, 20, 30)).save(tmp_path / "line.png")
    assert (read_icon(tmp_path / "line.png")[..., 3] > 0).sum() == 96


def test_twins_differ_by_less_than_two() -> None:
    tiles = np.full((4, 12, 12, 3), 100, np.uint8)
    tiles[1] += 1
    tiles[2] += 2
    tiles[3, :6] = 120
    assert find_twins(tiles) == [(0, 1), (1, 2)]

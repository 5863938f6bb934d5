"""Make an icon pack of made-up things: symmetric figures that differ from each other at 12 pixels, with made-up names.

python tools/make_pack.py my_pack --classes 119
"""

from itertools import islice, product
from pathlib import Path

import numpy as np
import tyro
from numpy.typing import NDArray
from PIL import Image

SIDE, ZOOM = 6, 16
FEWEST_DIFFERENT = 4
"""Cells of its left half in which a figure differs from all others."""
COLORS = {"red": (214, 39, 40), "green": (44, 140, 44), "blue": (31, 90, 200), "yellow": (240, 200, 20)}


def make_pack(folder: Path, /, classes: int = 119, instances: int = 2, seed: int = 0) -> Path:
    """Write so many classes, each with instances of different colors, into a new folder."""
    things = folder / "goal" / "thing"
    things.mkdir(parents=True)
    lines = []
    for place, (name, figure) in enumerate(zip(make_names(classes), make_figures(classes, seed), strict=True)):
        for number, (color, rgb) in enumerate((list(COLORS.items()) * 2)[place % 4 :][:instances], start=1):
            draw(figure, rgb).save(things / f"{name}_{number}.png")
            lines.append(f"goal/thing/{name}_{number}.png {color}\n")
    (folder / "properties.txt").write_text("".join(lines), encoding="utf-8")
    return folder


def make_names(count: int) -> list[str]:
    """Words of two syllables, such as "baba" and "dobu"; none of them is a word of the teacher."""
    syllables = ["".join(letters) for letters in product("bdfgjklmnprstvz", "aiou")]
    return ["".join(pair) for pair in islice(product(syllables, syllables), count)]


def make_figures(count: int, seed: int) -> list[NDArray[np.bool_]]:
    """(6, 6) Which cells of each figure are filled; the right half mirrors the left."""
    generator, halves = np.random.default_rng(seed), list[NDArray[np.bool_]]()
    while len(halves) < count:
        half = generator.random((SIDE, SIDE // 2)) < 0.6
        if all((half != other).sum() >= FEWEST_DIFFERENT for other in halves) and half.sum() >= SIDE:
            halves.append(half)
    return [np.hstack([half, half[:, ::-1]]) for half in halves]


def draw(figure: NDArray[np.bool_], rgb: tuple[int, int, int]) -> Image.Image:
    picture = np.zeros((SIDE, SIDE, 4), np.uint8)
    picture[figure] = (*rgb, 255)
    return Image.fromarray(picture.repeat(ZOOM, axis=0).repeat(ZOOM, axis=1))


if __name__ == "__main__":
    tyro.cli(make_pack, description="Make an icon pack of made-up things.")

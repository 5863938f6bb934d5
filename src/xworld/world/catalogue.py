"""What there is in the world: classes of objects, their instances and colours, and the picture of each tile."""

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray

from xworld.world.layout import Instances
from xworld.world.pack import ICON_PIXELS, Pack, PackError, load_pack, read_picture
from xworld.world.state import AGENT, FIRST_OBJECT, FLOOR, OUTSIDE, WALL
from xworld.world.view import CELL_PIXELS

COLOURS = ("green", "red", "blue", "yellow")
"""The colours that have a word. An instance of any other colour has index -1."""

_MOST_TILES = np.iinfo(np.int16).max


@dataclass(frozen=True)
class Catalogue:
    """Classes in alphabetical order, and their instances in the order of the tile ids.

    >>> catalogue = Catalogue.load()
    >>> len(catalogue.classes), len(catalogue.instance_class), len(catalogue.named_pairs)
    (40, 114, 62)
    >>> catalogue.describe_tile(4)
    'red apple'
    """

    classes: tuple[str, ...]
    instance_class: tuple[int, ...]
    instance_colour: tuple[int, ...]
    pack: Pack = field(compare=False, repr=False)

    @classmethod
    def load(cls, folder: str | Path | None = None) -> "Catalogue":
        """The catalogue of an icon pack; without a folder, the built-in 40 classes."""
        pack = load_pack(folder)
        classes = sorted({icon.name for icon in pack.icons})
        if FIRST_OBJECT + len(pack.icons) > _MOST_TILES:
            raise PackError(f"{len(pack.icons)} icons are too many; a pack holds at most {_MOST_TILES - FIRST_OBJECT}")
        return cls(
            classes=tuple(classes),
            instance_class=tuple(classes.index(icon.name) for icon in pack.icons),
            instance_colour=tuple(_colour_index(icon.colour) for icon in pack.icons),
            pack=pack,
        )

    @property
    def tiles(self) -> int:
        """How many tile ids there are: the outside, floor, wall, agent and every instance."""
        return FIRST_OBJECT + len(self.instance_class)

    @cached_property
    def named_pairs(self) -> tuple[tuple[int, int], ...]:
        """The (colour, class) pairs that some instance has, where the colour has a word."""
        pairs = zip(self.instance_colour, self.instance_class, strict=True)
        return tuple(sorted({(colour, kind) for colour, kind in pairs if colour >= 0}))

    @cached_property
    def instances(self) -> Instances:
        """The catalogue as kernels read it."""
        return Instances(
            kinds=np.array([self.instance_class, self.instance_colour], np.int64).T.copy(),
            first=np.searchsorted(self.instance_class, np.arange(len(self.classes) + 1)).astype(np.int64),
        )

    @cached_property
    def icons(self) -> NDArray[np.uint8]:
        """(tiles, 96, 96, 3) The picture of every tile, large."""
        pictures = np.zeros((self.tiles, ICON_PIXELS, ICON_PIXELS, 3), np.uint8)
        floor = read_picture(self.pack.floor)
        pictures[FLOOR] = floor
        pictures[WALL] = read_picture(self.pack.wall, floor)
        pictures[AGENT] = read_picture(self.pack.agent, floor)
        for index, icon in enumerate(self.pack.icons):
            pictures[FIRST_OBJECT + index] = read_picture(icon.path, floor)
        return pictures

    def atlas(self, pixels: int = CELL_PIXELS) -> NDArray[np.uint8]:
        """(tiles, pixels, pixels, 3) The picture of every tile at a size that divides 96: block averages."""
        if pixels < 1 or ICON_PIXELS % pixels:
            raise ValueError(f"a tile of {pixels} pixels: the size must divide {ICON_PIXELS}, such as 6, 8, 12, 24, 48")
        block = ICON_PIXELS // pixels
        blocks = self.icons.reshape(self.tiles, pixels, block, pixels, block, 3)
        return cast("NDArray[np.uint8]", np.rint(blocks.mean(axis=(2, 4))).astype(np.uint8))

    def describe_tile(self, tile: int) -> str:
        """What a tile shows, in words."""
        if tile < FIRST_OBJECT:
            return {OUTSIDE: "outside", FLOOR: "floor", WALL: "wall", AGENT: "agent"}[tile]
        colour = self.instance_colour[tile - FIRST_OBJECT]
        name = self.classes[self.instance_class[tile - FIRST_OBJECT]]
        return f"{COLOURS[colour]} {name}" if colour >= 0 else name


def _colour_index(colour: str) -> int:
    return COLOURS.index(colour) if colour in COLOURS else -1

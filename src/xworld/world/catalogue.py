"""The objects of the world: classes, their instances and colors, and the picture of each tile."""

import hashlib
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from xworld.world.checks import as_array, check_kind, check_whole, refusal, show
from xworld.world.layout import Instances
from xworld.world.pack import Pack, load_pack
from xworld.world.picture import ICON_PIXELS, PackError, lay_on, shrink
from xworld.world.state import AGENT, FIRST_OBJECT, FLOOR, OUTSIDE, WALL
from xworld.world.view import CELL_PIXELS

COLORS = ("green", "red", "blue", "yellow")
"""The colors that have a word with every pack; a pack may name more. A color without a word has index -1."""
MAX_COLORS = 16
"""The most colors that have words."""
MAX_TILES = int(np.iinfo(np.int16).max)
"""The most tile ids that there can be."""


@dataclass(frozen=True)
class Catalogue:
    """Classes in alphabetical order, and their instances in the order of the tile ids.

    Classes that are added later come last, so that all others keep their numbers.

    >>> catalogue = Catalogue.load()
    >>> len(catalogue.classes), len(catalogue.instance_class), len(catalogue.named_pairs)
    (40, 114, 62)
    >>> catalogue.describe_tile(4)
    'red apple'
    """

    classes: tuple[str, ...]
    instance_class: tuple[int, ...]
    instance_color: tuple[int, ...]
    pack: Pack = field(compare=False, repr=False)
    colors: tuple[str, ...] = COLORS
    """The colors that have a word."""
    addition: "Addition | None" = field(default=None, compare=False, repr=False)
    """The last class, if it does not come from the pack."""

    def __post_init__(self) -> None:
        if self.tiles > MAX_TILES:
            raise PackError(f"{self.tiles} tiles are too many; the maximum is {MAX_TILES}")

    @classmethod
    def load(cls, folder: str | Path | None = None) -> "Catalogue":
        """The catalogue of an icon pack; without a folder, of the built-in pack with 40 classes, which is read once."""
        return _built_in() if folder is None else cls._from_pack(load_pack(folder))

    @classmethod
    def _from_pack(cls, pack: Pack) -> "Catalogue":
        classes, colors = sorted({icon.name for icon in pack.icons}), pack.colors
        words = (*COLORS, *sorted(colors - {*COLORS, *classes}))  # the fruit keeps the word "orange"
        if len(words) > MAX_COLORS:
            raise PackError(f"{len(words)} colors are too many; the maximum is {MAX_COLORS}: let others be na")
        return cls(
            classes=tuple(classes),
            instance_class=tuple(classes.index(icon.name) for icon in pack.icons),
            instance_color=tuple(words.index(icon.color) if icon.color in words else -1 for icon in pack.icons),
            pack=pack,
            colors=words,
        )

    def with_class(self, name: str, pictures: NDArray[np.uint8], color: str = "") -> "Catalogue":
        """This catalogue with one more class at the end, given (96, 96, 4) or (icons, 96, 96, 4) pictures.

        The floor shows through transparent parts. The pictures of the other classes are not copied.

        >>> catalogue = Catalogue.load().with_class("zebra", np.full((96, 96, 4), 255, np.uint8))
        >>> catalogue.classes[-2:], catalogue.describe_tile(catalogue.tiles - 1)
        (('watermelon', 'zebra'), 'zebra')
        """
        given = as_array("pictures", pictures)
        icons = given[None] if given.ndim == 3 else given
        if icons.shape[1:] != (ICON_PIXELS, ICON_PIXELS, 4) or not len(icons) or icons.dtype != np.uint8:
            raise PackError(f"pictures of {icons.dtype}, shape {icons.shape}: expected (icons, 96, 96, 4) bytes, RGBA")
        if check_kind("name", name, str) in self.classes:
            raise PackError(f"there is already a class {name!r}")
        if check_kind("color", color, str) not in ("", *self.colors):
            raise PackError(f"no color {show(color)}; there are {', '.join(self.colors)}, or none: ''")
        return replace(
            self,
            classes=(*self.classes, name),
            instance_class=self.instance_class + (len(self.classes),) * len(icons),
            instance_color=self.instance_color + (self.colors.index(color) if color else -1,) * len(icons),
            addition=Addition(self, icons),
        )

    @property
    def tiles(self) -> int:
        """The number of tile ids: outside, floor, wall, agent and every instance."""
        return FIRST_OBJECT + len(self.instance_class)

    @property
    def added_classes(self) -> tuple[str, ...]:
        """The classes that do not come from the pack."""
        return () if self.addition is None else (*self.addition.base.added_classes, self.classes[-1])

    @cached_property
    def named_pairs(self) -> tuple[tuple[int, int], ...]:
        """The (color, class) pairs of the instances whose color has a word."""
        pairs = zip(self.instance_color, self.instance_class, strict=True)
        return tuple(sorted({(color, kind) for color, kind in pairs if color >= 0}))

    @cached_property
    def instances(self) -> Instances:
        """The instances as kernels read them."""
        return Instances(
            kinds=np.array([self.instance_class, self.instance_color], np.int64).T.copy(),
            first=np.searchsorted(self.instance_class, np.arange(len(self.classes) + 1)).astype(np.int64),
        )

    @cached_property
    def icons(self) -> NDArray[np.uint8]:
        """(tiles, 96, 96, 3) The large picture of every tile."""
        if self.addition is None:
            return self.pack.pictures
        return np.concatenate([self.addition.base.icons, self.addition.on_floor()])

    def atlas(self, pixels: int = CELL_PIXELS) -> NDArray[np.uint8]:
        """(tiles, pixels, pixels, 3) The picture of every tile, averaged to a size that divides 96."""
        pixels = check_whole("pixels", pixels, 1)
        if ICON_PIXELS % pixels:
            raise refusal("pixels", pixels, f"a size that divides {ICON_PIXELS}, such as 6, 8, 12, 24 or 48")
        if self.addition is None:
            return shrink(self.icons, pixels)
        return np.concatenate([self.addition.base.atlas(pixels), shrink(self.addition.on_floor(), pixels)])

    @cached_property
    def fingerprint(self) -> str:
        """A short hash of the pack's own pictures as an agent sees them; classes that were added do not count."""
        return hashlib.sha256(shrink(self.pack.pictures, CELL_PIXELS).tobytes()).hexdigest()[:16]

    def describe_tile(self, tile: int) -> str:
        """A tile in words."""
        tile = check_whole("tile", tile, 0, self.tiles - 1)
        if tile < FIRST_OBJECT:
            return {OUTSIDE: "outside", FLOOR: "floor", WALL: "wall", AGENT: "agent"}[tile]
        instance = tile - FIRST_OBJECT
        color, name = self.instance_color[instance], self.classes[self.instance_class[instance]]
        return f"{self.colors[color]} {name}" if color >= 0 else name


@dataclass(frozen=True, eq=False)
class Addition:
    """One class that was added to a catalogue, with (icons, 96, 96, 4) pictures of its instances."""

    base: Catalogue
    pictures: NDArray[np.uint8]

    def on_floor(self) -> NDArray[np.uint8]:
        """(icons, 96, 96, 3) The pictures with the floor behind them."""
        floor = self.base.pack.pictures[FLOOR]
        return np.stack([lay_on(floor, picture) for picture in self.pictures])


@cache
def _built_in() -> Catalogue:
    return Catalogue._from_pack(load_pack())

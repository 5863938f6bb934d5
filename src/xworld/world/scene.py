"""Scenes: a map and the agent's cell on it; made in code, from a text, or read from a file or a link of the demo."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import numpy as np
from numpy.typing import NDArray

from xworld.world.catalogue import Catalogue
from xworld.world.cells import SIDE, SMALLEST_MAP
from xworld.world.checks import check_kind, show
from xworld.world.layout import STEPS_PER_ROW
from xworld.world.state import AGENT, FIRST_OBJECT, FLOOR, MAX_OBJECTS, WALL, WORLD

Cell = tuple[int, int]
"""A row and a column of the map."""
NOWHERE: Cell = (-1, -1)
"""The target where there is none."""

_FLOOR_SIGNS, _WALL_SIGNS, _AGENT_SIGNS = (".",), ("#", "##"), ("@", "@@")
_BASE = 36
"""Links write tile ids as two digits in this base."""


class SceneError(ValueError):
    """Something that is no scene; the message says why."""


@dataclass(frozen=True, eq=False)
class Scene:
    r"""A map of floor, walls and objects, and the cell where the agent is.

    >>> scene = Scene.from_text("Ap .  Do\n .  #  .\n .  .  @\n Ap red apple   Do dog")
    >>> scene.size, scene.at, len(scene.objects)
    (3, (4, 4), 2)
    >>> same = Scene.make(agent=(2, 2), objects={(0, 0): "red apple", (0, 2): "dog"}, walls=[(1, 1)], size=3)
    >>> print(same.to_text())
    ## ## ## ## ## ## ##
    ## ## ## ## ## ## ##
    ## ## Ap  . Do ## ##
    ## ##  . ##  . ## ##
    ## ##  .  . @@ ## ##
    ## ## ## ## ## ## ##
    ## ## ## ## ## ## ##
    Ap red apple   Do dog   size 3
    """

    size: int
    """Rows and columns, from 3 to 7. Smaller maps are surrounded by walls."""
    grid: NDArray[np.int16]
    """(7, 7) Tile ids, without the agent."""
    at: Cell

    @classmethod
    def make(
        cls,
        agent: Cell,
        objects: Mapping[Cell, str],
        walls: Iterable[Cell] = (),
        size: int = SIDE,
        catalogue: Catalogue | None = None,
    ) -> "Scene":
        """A scene from cells, counted from 0 in the upper left corner, and objects by name, such as "red apple"."""
        catalogue = catalogue or Catalogue.load()
        tiles = {cell: find_tile(name, catalogue) for cell, name in objects.items()} | dict.fromkeys(walls, WALL)
        for cell in (agent, *tiles):
            if not all(isinstance(place, int) and 0 <= place < size for place in cell) or len(cell) != 2:
                raise SceneError(f"cell {show(cell)}: expected a row and a column from 0 to {size - 1}")
        rows = [[tiles.get((row, column), FLOOR) for column in range(size)] for row in range(size)]
        return cls._from_rows(rows, agent, catalogue, str(size))

    @classmethod
    def from_text(
        cls, text: str, legend: Mapping[str, str] | None = None, catalogue: Catalogue | None = None
    ) -> "Scene":
        """A scene from lines of signs with spaces between them, as `to_text` and `render_mode="ansi"` write them.

        `.` is floor, `#` or `##` a wall, `@` or `@@` the agent. All other signs are explained below the map, or by the
        legend. Sentences below that are ignored.
        """
        lines = [line for line in check_kind("text", text, str).splitlines() if line.strip()]
        width = len(lines[0].split()) if lines else 0
        catalogue, rows = catalogue or Catalogue.load(), [line.split() for line in lines[:width]]
        if not SMALLEST_MAP <= width <= SIDE or [len(row) for row in rows] != [width] * width:
            raise SceneError(f"the text is no map: expected as many lines as signs in a line, {SMALLEST_MAP} to {SIDE}")
        below = re.split(r" {2,}|\n", "\n".join(lines[width:]))
        explained = {(sign, name.strip()) for sign, _, name in (entry.strip().partition(" ") for entry in below)}
        if twice := [sign for row in rows for sign in row if sum(sign == other for other, _ in explained) > 1]:
            raise SceneError(f"the sign {twice[0]!r} is explained twice: expected one object for each sign")
        names = dict(explained) | dict(legend or {})
        agents = [(i, j) for i, row in enumerate(rows) for j, sign in enumerate(row) if sign in _AGENT_SIGNS]
        if len(agents) != 1:
            raise SceneError(f"there are {len(agents)} agents on the map: expected one, written @")
        tiles = [[_read_sign(sign, names, catalogue) for sign in row] for row in rows]
        return cls._from_rows(tiles, agents[0], catalogue, names.get("size", str(width)))

    @classmethod
    def from_link(cls, link: str, catalogue: Catalogue | None = None) -> "Scene":
        """The scene of a link that the page of the demo gives."""
        parts = parse_qs(urlsplit(link).fragment)
        try:
            digits = parts["map"][0]
            tiles = [int(digits[place : place + 2], _BASE) for place in range(0, len(digits), 2)]
            row, column = map(int, parts["at"][0].split("."))
            grid = np.array(tiles, np.int16).reshape(SIDE, SIDE)
            size = int(parts["size"][0])
        except (KeyError, ValueError, OverflowError) as error:
            raise SceneError(
                f"{show(link)} is no link of the demo: it lacks a map, a size and the agent's cell"
            ) from error
        return cls(size, grid, (row, column)).check(catalogue or Catalogue.load())

    @classmethod
    def load(cls, path: str | Path, catalogue: Catalogue | None = None) -> "Scene":
        """The scene of a file: JSON as `to_json` gives it, or a text."""
        content = Path(path).read_text()
        try:
            values = json.loads(content)
            scene = cls(values["size"], np.array(values["grid"], np.int16), tuple(values["at"]))
        except (KeyError, TypeError, OverflowError) as error:
            raise SceneError(f"{path} is no scene: expected size, grid and at") from error
        except ValueError:
            return cls.from_text(content, catalogue=catalogue)
        return scene.check(catalogue or Catalogue.load())

    @classmethod
    def of_world(cls, world: Any) -> "Scene":
        """The scene of a world: a record of a simulator's `worlds`."""
        return cls(int(world["size"]), world["grid"].copy(), (int(world["agent_row"]), int(world["agent_column"])))

    @property
    def tiles(self) -> NDArray[np.int16]:
        """(7, 7) Tile ids, including the agent."""
        tiles = self.grid.copy()
        tiles[self.at] = AGENT
        return tiles

    @property
    def objects(self) -> list[Cell]:
        """The cells with objects, row by row."""
        return [(row, column) for row, column in np.argwhere(self.grid >= FIRST_OBJECT).tolist()]

    def check(self, catalogue: Catalogue) -> "Scene":
        """This scene, if it can be shown with the tiles of a catalogue."""
        if not (isinstance(self.size, int) and SMALLEST_MAP <= self.size <= SIDE) or self.grid.shape != (SIDE, SIDE):
            raise SceneError(
                f"size {show(self.size)} and a grid of {self.grid.shape}: expected 3 to {SIDE}, and (7, 7)"
            )
        odd = self.grid[(self.grid < FLOOR) | (self.grid == AGENT) | (self.grid >= catalogue.tiles)]
        if odd.size:
            raise SceneError(
                f"tile {odd[0]} on the map: expected {FLOOR} to {catalogue.tiles - 1}, but not {AGENT}, the agent"
            )
        if len(self.objects) > MAX_OBJECTS:
            raise SceneError(f"there are {len(self.objects)} objects on the map: at most {MAX_OBJECTS} have room")
        if not all(isinstance(place, int) and 0 <= place < SIDE for place in self.at) or len(self.at) != 2:
            raise SceneError(f"the agent is at {show(self.at)}: expected a row and a column from 0 to {SIDE - 1}")
        if self.grid[self.at] == WALL:
            raise SceneError(f"the agent is in a wall, at row {self.at[0]}, column {self.at[1]}; put it on the floor")
        self._check_margin()
        return self

    def to_world(self, catalogue: Catalogue, target: Cell = NOWHERE) -> NDArray[np.void]:
        """(1,) The scene as a world for the teacher's kernels."""
        world = np.zeros(1, WORLD)
        world["size"], world["time_limit"] = self.size, STEPS_PER_ROW * self.size
        world["grid"] = self.grid
        (world["agent_row"], world["agent_column"]) = self.at
        (world["target_row"], world["target_column"]) = target
        world["objects"] = len(self.objects)
        for index, (row, column) in enumerate(self.objects):
            instance = int(self.grid[row, column]) - FIRST_OBJECT
            world["object_row"][0, index], world["object_column"][0, index] = row, column
            world["object_class"][0, index] = catalogue.instance_class[instance]
            world["object_color"][0, index] = catalogue.instance_color[instance]
        return world

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return {"size": self.size, "grid": self.grid.tolist(), "at": list(self.at)}

    def to_text(self, catalogue: Catalogue | None = None) -> str:
        """The map and below it what its signs mean; an object under the agent is not shown."""
        lines, legend = self.lines(catalogue or Catalogue.load())
        size = [f"size {self.size}"] if self.size < SIDE else []
        return "\n".join([*lines, "   ".join([*legend, *size])])

    def lines(self, catalogue: Catalogue) -> tuple[list[str], list[str]]:
        """The rows of the map, `@@` for the agent, `##` for a wall and two letters for an object; and the legend."""
        tiles, signs, legend = self.tiles, {FLOOR: " .", WALL: "##", AGENT: "@@"}, []
        for tile in sorted({int(tile) for tile in tiles.flat if tile >= FIRST_OBJECT}):
            name = catalogue.classes[catalogue.instance_class[tile - FIRST_OBJECT]]
            signs[tile] = _unused_sign(name, set(signs.values()))
            legend.append(f"{signs[tile]} {catalogue.describe_tile(tile)}")
        return [" ".join(signs[int(tile)] for tile in row) for row in tiles], legend

    @classmethod
    def _from_rows(cls, rows: list[list[int]], agent: Cell, catalogue: Catalogue, size: str) -> "Scene":
        """A scene from rows of tiles, which are put into the middle."""
        grid, start = np.full((SIDE, SIDE), WALL, np.int16), (SIDE - len(rows)) // 2
        grid[start : start + len(rows), start : start + len(rows)] = rows
        if not (size.isdecimal() and SMALLEST_MAP <= int(size) <= SIDE):
            raise SceneError(f"size {size}: expected a whole number from {SMALLEST_MAP} to {SIDE}")
        return cls(int(size), grid, (agent[0] + start, agent[1] + start)).check(catalogue)

    def _check_margin(self) -> None:
        """Refuse a map that is larger than its size: smaller maps are in the middle, surrounded by walls."""
        margin = SIDE - self.size
        starts = range(margin // 2, (margin + 1) // 2 + 1)  # an odd margin allows two
        for used in np.nonzero(self.grid != WALL):  # rows, then columns
            if not any(start <= used.min() and used.max() < start + self.size for start in starts):
                raise SceneError(
                    f"the size is {self.size}, but a cell outside the {self.size} x {self.size} in the middle is floor"
                )


def name_and_color(tile: int, catalogue: Catalogue) -> tuple[str, str]:
    """The class and the color of an object; no color if it has no word."""
    instance = tile - FIRST_OBJECT
    color = catalogue.instance_color[instance]
    return catalogue.classes[catalogue.instance_class[instance]], catalogue.colors[color] if color >= 0 else ""


def find_tile(name: str, catalogue: Catalogue) -> int:
    """The first tile of an object named by class, or by color and class.

    >>> find_tile("green apple", Catalogue.load()), find_tile("apple", Catalogue.load())
    (5, 4)
    """
    described = [catalogue.describe_tile(tile) for tile in range(FIRST_OBJECT, catalogue.tiles)]
    for names in (described, [words.split()[-1] for words in described]):
        if name in names:
            return FIRST_OBJECT + names.index(name)
    raise SceneError(
        f"no object {show(name)}: expected a class, such as {catalogue.classes[0]}, with or without its color"
    )


def _read_sign(sign: str, names: Mapping[str, str], catalogue: Catalogue) -> int:
    if sign in (*_FLOOR_SIGNS, *_AGENT_SIGNS):
        return FLOOR
    if sign in _WALL_SIGNS:
        return WALL
    if sign not in names:
        raise SceneError(
            f"the sign {show(sign)} is not explained: expected a line such as '{sign} red apple' below the map"
        )
    return find_tile(names[sign], catalogue)


def _unused_sign(name: str, used: set[str]) -> str:
    """The first letter of a name with another of its letters, or with a digit, such that no other object has it."""
    signs = (name[0].upper() + end for end in name[1:] + "0123456789")
    return next(sign for sign in signs if sign not in used)

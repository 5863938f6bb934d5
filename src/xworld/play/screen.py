"""The whole screen as lines of text: the map, and beside or below it a panel with everything said and typed."""

import textwrap
from itertools import chain, zip_longest
from typing import NamedTuple

from rich.text import Text

from xworld.envs.rendering import scene_of
from xworld.play.color import ColorDepth, half_blocks
from xworld.play.game import Game, Outcome
from xworld.play.player import PLAIN, QUIET, Player
from xworld.world.catalogue import Catalogue
from xworld.world.cells import SIDE
from xworld.world.state import FIRST_OBJECT

CELL_SIZES = (12, 8, 6, 4)
"""Pixels of a map cell, the largest first. A pixel is one character wide and half a character high."""
LEGEND_SIZES = (12, 8)
MIN_BESIDE, MIN_BELOW = (34, 16), (40, 10)
"""The fewest columns and rows that the panel needs beside and below the map."""
GAP = 2
"""Columns between the map and the panel, and between entries of the legend."""

Section = list[tuple[str, str]]
"""A part of the panel: texts with their styles."""

_TARGET_COLOR = (255, 0, 255)
_HARD_SPACE = "\u00a0"
_HELP = """The teacher tells you where to go. North is up. A step costs {step:g}, a wall {wall:g}, a wrong object
{wrong:g}; the target gives {target:g}.

arrows, WASD or hjkl: move

t: the oracle's tip for the next step

n: give up and start a new session

q or Esc: quit

Sometimes the teacher asks a question. Answer in one word: an object, a color, a direction seen from the robot, or
'nothing'. Enter alone skips it."""


class ScreenLayout(NamedTuple):
    """The pixels of a map cell, the size of the panel, and whether it is beside the map or below it."""

    cell: int
    columns: int
    rows: int
    beside: bool


class GameScreen:
    """Draws a player's game for a terminal of any size."""

    def __init__(self, catalogue: Catalogue, depth: ColorDepth) -> None:
        self.depth = depth
        self._catalogue = catalogue
        sizes = () if depth is ColorDepth.NONE else {*CELL_SIZES, *LEGEND_SIZES}
        self._atlases = {pixels: catalogue.atlas(pixels) for pixels in sizes}

    def draw(self, player: Player, columns: int, rows: int) -> list[Text]:
        """The lines to show: at most `rows`, each at most `columns` wide."""
        layout = choose_layout(columns, rows, self.depth)
        if layout is None:
            lines = ("The window is too small.", "80 columns and 24 rows are enough.")
            return [Text(line[:columns]) for line in lines[:rows]]
        picture = self._map(player.game, layout.cell)
        panel = self._panel(player, layout)
        return _side_by_side(picture, panel) if layout.beside else [*picture, Text(), *panel]

    def _map(self, game: Game, cell: int) -> list[Text]:
        """The map. The target is marked only after it was missed."""
        missed = game.ending in (Outcome.TIMED_OUT, Outcome.GIVEN_UP)
        row, column = game.target
        if self.depth is ColorDepth.NONE:
            lines = _map_lines(game)[0]
            if missed:
                lines[row] = f"{lines[row][: 3 * column]}**{lines[row][3 * column + 2 :]}"
            return [Text(line) for line in lines]
        tiles = self._atlases[cell][scene_of(game.simulator).tiles]  # (7, 7, cell, cell, 3)
        if missed:
            square = tiles[row, column]
            square[[0, -1]] = square[:, [0, -1]] = _TARGET_COLOR  # a frame
        return half_blocks(tiles.transpose(0, 2, 1, 3, 4).reshape(SIDE * cell, SIDE * cell, 3), self.depth)

    def _panel(self, player: Player, layout: ScreenLayout) -> list[Text]:
        """The panel with the largest legend that leaves room for the rest; without blank lines if need be."""
        # A key and what it does stay on one line.
        hints = "  ".join(hint.replace(" ", _HARD_SPACE) for hint in player.key_hints())
        sections = [*(_help(player) if player.shows_help else _session(player)), [(hints, QUIET)]]
        wrapped = [_wrap(section, layout.columns) for section in sections]
        legends = self._legends(player.game, layout.columns)
        lines: list[Text] = []
        for legend, gap in [*((legend, 1) for legend in legends), (legends[-1], 0), ([], 0)]:
            lines = _stack([*wrapped[:-1], legend, wrapped[-1]], gap)
            if len(lines) <= layout.rows:
                break
        return lines[: layout.rows]

    def _legends(self, game: Game, columns: int) -> list[list[Text]]:
        """Ways to name the objects, the largest first. Their order does not reveal where the objects are."""
        if self.depth is ColorDepth.NONE:
            return [[Text(entry[:columns]) for entry in ("@@ you", *_map_lines(game)[1])]]
        pictures = [self._picture_legend(game.objects, size, columns) for size in LEGEND_SIZES]
        return [*filter(None, pictures), self._text_legend(game.objects, columns)]

    def _picture_legend(self, tiles: list[int], size: int, columns: int) -> list[Text]:
        """The objects' pictures side by side with the names below; nothing if they do not fit."""
        names = [self._name(tile) for tile in tiles]
        least = max(size, *(len(name) + 1 for name in names))
        width = min(least + GAP, columns // len(tiles))
        if width < least:
            return []
        pictures = [half_blocks(self._atlases[size][tile], self.depth) for tile in tiles]
        for line in chain.from_iterable(pictures):
            line.align("center", width)
        captions = Text("".join(name.center(width) for name in names).rstrip())
        return [*(Text().join(lines) for lines in zip(*pictures, strict=True)), captions]

    def _text_legend(self, tiles: list[int], columns: int) -> list[Text]:
        """The objects' names, each behind the middle of its picture: on one line if they fit, else one per line."""
        thumbnails = [half_blocks(self._atlases[CELL_SIZES[-1]][tile, 1:3, 1:3], self.depth)[0] for tile in tiles]
        entries = [icon.append(f" {self._name(tile)}"[: columns - 2]) for icon, tile in zip(thumbnails, tiles)]
        line = Text(" " * GAP).join(entries)
        return [line] if line.cell_len <= columns else entries

    def _name(self, tile: int) -> str:
        """The class alone: the player has to see the color."""
        return self._catalogue.classes[self._catalogue.instance_class[tile - FIRST_OBJECT]]


def choose_layout(columns: int, rows: int, depth: ColorDepth) -> ScreenLayout | None:
    """The largest map that leaves room for the panel beside or below it; None if the window is too small."""
    letters = depth is ColorDepth.NONE
    for cell in (1,) if letters else CELL_SIZES:
        width, height = (3 * SIDE - 1, SIDE) if letters else (SIDE * cell, SIDE * cell // 2)
        right, below = columns - width - GAP, rows - height - 1
        if right >= MIN_BESIDE[0] and rows >= max(height, MIN_BESIDE[1]):
            return ScreenLayout(cell, right, rows, True)
        if columns >= max(width, MIN_BELOW[0]) and below >= MIN_BELOW[1]:
            return ScreenLayout(cell, columns, below, False)
    return None


def _help(player: Player) -> list[Section]:
    rewards = player.game.simulator.settings.rewards
    text = _HELP.format(step=-rewards.step, wall=-rewards.wall, wrong=-rewards.wrong_object, target=rewards.target)
    return [[(paragraph, PLAIN)] for paragraph in text.split("\n\n")]


def _session(player: Player) -> list[Section]:
    """Score and command; the question with the answer typed so far, and the latest message."""
    game, score = player.game, player.game.score
    number = score.sessions + (game.ending is None)
    session = f"session {number}" if player.max_sessions is None else f"session {number}/{player.max_sessions}"
    status = f"{session}, step {game.steps}/{game.world['time_limit']}, return {game.session_return:+.1f}"
    reached = [f"reached {score.successes}/{score.sessions}"] if score.sessions else []
    answers = [f"answers {score.correct}/{score.asked}"] if score.asked else []
    question = [(game.question, "bold cyan"), (f"> {player.typed}_", PLAIN)] if game.question else []
    return [
        [(status, QUIET), (", ".join(reached + answers), QUIET)],
        [(f"Teacher: {game.command}", "bold")],
        [*question, (player.message, player.message_style)],
    ]


def _wrap(section: Section, columns: int) -> list[Text]:
    lines = [(line, style) for text, style in section for line in textwrap.wrap(text, columns)]
    return [Text.assemble((line.replace(_HARD_SPACE, " "), style)) for line, style in lines]


def _stack(sections: list[list[Text]], gap: int) -> list[Text]:
    """The sections that are not empty, with `gap` blank lines between them."""
    lines: list[Text] = []
    for section in filter(None, sections):
        lines += [*[Text()] * gap, *section] if lines else section
    return lines


def _side_by_side(left: list[Text], right: list[Text]) -> list[Text]:
    margin = Text(" " * left[0].cell_len)
    return [Text.assemble(first or margin, " " * GAP, second or "") for first, second in zip_longest(left, right)]


def _map_lines(game: Game) -> tuple[list[str], list[str]]:
    """The map as text, and its legend."""
    return scene_of(game.simulator).lines(game.simulator.grammar.catalogue)

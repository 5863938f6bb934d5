"""What is drawn: it fits the window, shows what it should, and does not reveal the answer."""

import re
from functools import cache

import numpy as np
import pytest
from rich.console import Console
from rich.text import Text

from xworld.play import keyboard
from xworld.play.color import ColorDepth, color_depth, half_blocks, palette_index
from xworld.play.game import Game
from xworld.play.player import Player
from xworld.play.screen import GameScreen, choose_layout
from xworld.teacher.oracle import expert_actions
from xworld.teacher.settings import TeacherSettings
from xworld.teacher.simulator import Simulator
from xworld.world.catalogue import Catalogue

SIZES = [(80, 24), (120, 40), (200, 60), (79, 24), (64, 16), (60, 40), (42, 60), (40, 25), (30, 10), (10, 1)]


@cache
def screen(depth: ColorDepth) -> GameScreen:
    return GameScreen(Catalogue.load(), depth)


def new_player(seed: int = 3, question_rate: float = 1.0) -> Player:
    return Player(Game(Simulator(1, settings=TeacherSettings(question_rate=question_rate)), seed), max_sessions=20)


def text_of(lines: list[Text]) -> str:
    """What a person reads: no colors, no pixels, one line of all."""
    return " ".join(" ".join(line.plain for line in lines).replace("▀", "").split())


def styles_of(lines: list[Text]) -> str:
    return " ".join(str(span.style) for line in lines for span in line.spans)


@pytest.mark.parametrize("depth", ColorDepth)
@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_everything_fits(depth: ColorDepth, columns: int, rows: int) -> None:
    player = new_player()
    for number in range(2):
        for key in ("n", keyboard.TAB, keyboard.ENTER, keyboard.ENTER, "?", " ", "n", " "):
            player.press(key)
            lines = screen(depth).draw(player, columns, rows)
            assert len(lines) <= rows, (number, key)
            assert max(line.cell_len for line in lines) <= columns, (number, key)


@pytest.mark.parametrize("depth", ColorDepth)
def test_everything_the_teacher_says_is_shown_at_80_by_24(depth: ColorDepth) -> None:
    for seed in range(20):
        player = new_player(seed)
        text = text_of(screen(depth).draw(player, 80, 24))
        assert player.game.question == "" or _sees(text, player.game.question)
        assert _sees(text, player.game.command)
        for tile in player.game.objects:
            assert player.game.simulator.grammar.catalogue.describe_tile(tile).split()[-1] in text


def _sees(text: str, sentence: str) -> bool:
    """Whether the words stand there in order; letters of the map may stand between two lines of a sentence."""
    return re.search(r"\b.*?".join(map(re.escape, sentence.split())), text) is not None


@pytest.mark.parametrize("depth", [ColorDepth.INDEXED, ColorDepth.TRUE])
def test_the_answer_is_not_shown_before_it_is_given(depth: ColorDepth) -> None:
    told = 0
    for seed in range(20):
        player = new_player(seed)
        answer = player.game.simulator.grammar.vocabulary.words[player.game.simulator.sessions[0]["answer"]]
        names = {
            player.game.simulator.grammar.catalogue.describe_tile(tile).split()[-1] for tile in player.game.objects
        }
        said = f"{player.game.command} {player.game.question}".lower()
        if not answer or answer in names or answer in said:
            continue  # objects are named in the legend, all of them, whatever the question
        told += 1
        assert answer not in text_of(screen(depth).draw(player, 80, 24)).lower().split()
        player.press("x")
        assert answer not in text_of(screen(depth).draw(player, 80, 24)).lower().split()
        for key in (keyboard.BACKSPACE, *"nothing", keyboard.ENTER):
            player.press(key)
        assert answer in text_of(screen(depth).draw(player, 80, 24)).lower()
    assert told >= 5


def test_letters_do_not_reveal_the_answer() -> None:
    for seed in range(20):
        player = new_player(seed)
        answer = player.game.simulator.grammar.vocabulary.words[player.game.simulator.sessions[0]["answer"]]
        text = text_of(screen(ColorDepth.NONE).draw(player, 80, 24))
        assert f"({answer})" not in text


def test_letters_are_ascii() -> None:
    player = new_player()
    for key in (*"aple", keyboard.ENTER):
        player.press(key)
    lines = screen(ColorDepth.NONE).draw(player, 80, 24)
    assert all(line.plain.isascii() and line.plain.isprintable() for line in lines)
    assert any("@@" in line.plain for line in lines)


def test_a_right_answer_in_letters() -> None:
    player = new_player()
    answer = player.game.simulator.grammar.vocabulary.words[player.game.simulator.sessions[0]["answer"]]
    for key in (*answer, keyboard.ENTER):
        player.press(key)
    text = text_of(screen(ColorDepth.NONE).draw(player, 80, 24))
    assert f"Yes: {answer}" in text
    assert text.isascii()


def test_the_target_is_marked_only_after_it_was_missed() -> None:
    player = new_player(question_rate=0.0)
    mark = "#ff00ff"
    assert mark not in styles_of(screen(ColorDepth.TRUE).draw(player, 80, 24))
    player.press("n")
    assert mark in styles_of(screen(ColorDepth.TRUE).draw(player, 80, 24))
    assert "**" in text_of(screen(ColorDepth.NONE).draw(player, 80, 24))
    player.press(" ")
    while player.game.ending is None:
        player.game.step(int(expert_actions(player.game.simulator)[0]))
        assert mark not in styles_of(screen(ColorDepth.TRUE).draw(player, 80, 24))


def test_the_map_is_as_large_as_the_window_allows() -> None:
    cells = [layout.cell if layout else 0 for layout in (choose_layout(*size, ColorDepth.TRUE) for size in SIZES)]
    assert cells == [6, 8, 12, 6, 4, 8, 6, 4, 0, 0]
    assert "too small" in screen(ColorDepth.TRUE).draw(new_player(), 30, 10)[0].plain


def test_pixels_become_half_blocks() -> None:
    pixels = np.zeros((4, 3, 3), np.uint8)
    pixels[0, 0] = 255, 0, 0
    lines = half_blocks(pixels, ColorDepth.TRUE)
    assert len(lines) == 2
    red, black = "\x1b[38;2;255;0;0;48;2;0;0;0m▀\x1b[0m", "\x1b[38;2;0;0;0;48;2;0;0;0m▀▀\x1b[0m"
    assert written(lines[0], ColorDepth.TRUE) == red + black
    indexed = half_blocks(pixels, ColorDepth.INDEXED)[0]
    assert written(indexed, ColorDepth.INDEXED).startswith("\x1b[38;5;196;48;5;16m▀")


def written(line: Text, depth: ColorDepth) -> str:
    """What a terminal receives."""
    console = Console(color_system=depth.value, force_terminal=True)
    with console.capture() as capture:
        console.print(line, end="")
    return capture.get()


def test_colors_keep_their_names_in_a_palette_of_256() -> None:
    catalogue = Catalogue.load()
    circles = [icon for icon in catalogue.pack.icons if icon.name == "circle"]
    hues = {}
    for index, icon in enumerate(catalogue.pack.icons):
        if icon in circles:
            middle = catalogue.icons[4 + index][48, 48]
            number = palette_index(tuple(middle.tolist())) - 16
            hues[icon.color] = (number // 36, number // 6 % 6, number % 6)
    red, green, blue, yellow = (hues[name] for name in ("red", "green", "blue", "yellow"))
    assert red[0] > 3 * max(red[1:])
    assert green[1] > max(green[0], green[2])
    assert blue[2] > max(blue[:2])
    assert min(yellow[:2]) > yellow[2]


@pytest.mark.parametrize(
    ("environment", "encoding", "depth"),
    [
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, "utf-8", ColorDepth.TRUE),
        ({"TERM": "xterm", "COLORTERM": "24bit"}, "utf-8", ColorDepth.TRUE),
        ({"TERM": "xterm-256color"}, "utf-8", ColorDepth.INDEXED),
        ({"TERM": "xterm-256color", "NO_COLOR": ""}, "utf-8", ColorDepth.INDEXED),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"}, "utf-8", ColorDepth.NONE),
        ({"TERM": "dumb", "COLORTERM": "truecolor"}, "utf-8", ColorDepth.NONE),
        ({}, "utf-8", ColorDepth.NONE),
        ({"TERM": "xterm-256color"}, "ascii", ColorDepth.NONE),
    ],
)
def test_color_depth_from_the_environment(environment: dict[str, str], encoding: str, depth: ColorDepth) -> None:
    assert color_depth(environment, encoding) is depth

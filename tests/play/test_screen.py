"""What is drawn: it fits, it shows what it should, and it keeps the answer to itself."""

import re
from functools import cache

import numpy as np
import pytest

from xworld.play import keyboard
from xworld.play.color import Depth, depth_of, half_blocks
from xworld.play.game import Game
from xworld.play.palette import nearest_numbers
from xworld.play.player import Player
from xworld.play.screen import Screen, choose_layout, visible_width
from xworld.teacher.oracle import expert_actions
from xworld.teacher.settings import TeacherSettings
from xworld.teacher.simulator import Simulator
from xworld.world.catalogue import Catalogue

SIZES = [(80, 24), (120, 40), (200, 60), (79, 24), (64, 16), (60, 40), (42, 60), (40, 25), (30, 10), (10, 1)]
ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


@cache
def screen(depth: Depth) -> Screen:
    return Screen(Catalogue.load(), depth)


def new_player(seed: int = 3, question_rate: float = 1.0) -> Player:
    return Player(Game(Simulator(1, settings=TeacherSettings(question_rate=question_rate)), seed), sessions=20)


def text_of(lines: list[str]) -> str:
    """What a person reads: no colors, no pixels, one line of all."""
    plain = ESCAPES.sub("", " ".join(lines)).replace("▀", "")
    return " ".join(plain.split())


@pytest.mark.parametrize("depth", Depth)
@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_everything_fits(depth: Depth, columns: int, rows: int) -> None:
    player = new_player()
    for number in range(2):
        for key in ("n", keyboard.TAB, keyboard.ENTER, keyboard.ENTER, "?", " ", "n", " "):
            player.react(key)
            lines = screen(depth).draw(player, columns, rows)
            assert len(lines) <= rows, (number, key)
            assert max(map(visible_width, lines)) <= columns, (number, key)


@pytest.mark.parametrize("depth", Depth)
def test_the_teacher_is_heard_at_the_usual_size(depth: Depth) -> None:
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


@pytest.mark.parametrize("depth", [Depth.INDEXED, Depth.FULL])
def test_the_answer_is_not_shown_before_it_is_given(depth: Depth) -> None:
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
        player.react("x")
        assert answer not in text_of(screen(depth).draw(player, 80, 24)).lower().split()
        for key in (keyboard.BACKSPACE, *"nothing", keyboard.ENTER):
            player.react(key)
        assert answer in text_of(screen(depth).draw(player, 80, 24)).lower()
    assert told >= 5


def test_letters_do_not_tell_where_things_are() -> None:
    for seed in range(20):
        player = new_player(seed)
        answer = player.game.simulator.grammar.vocabulary.words[player.game.simulator.sessions[0]["answer"]]
        text = text_of(screen(Depth.LETTERS).draw(player, 80, 24))
        assert f"({answer})" not in text


def test_letters_are_plain() -> None:
    player = new_player()
    for key in (*"aple", keyboard.ENTER):
        player.react(key)
    lines = screen(Depth.LETTERS).draw(player, 80, 24)
    assert all(line.isascii() and line.isprintable() for line in lines)
    assert any("@@" in line for line in lines)


def test_a_right_answer_in_letters() -> None:
    player = new_player()
    answer = player.game.simulator.grammar.vocabulary.words[player.game.simulator.sessions[0]["answer"]]
    for key in (*answer, keyboard.ENTER):
        player.react(key)
    lines = screen(Depth.LETTERS).draw(player, 80, 24)
    assert f"Yes: {answer}" in " ".join(lines)
    assert all(line.isascii() for line in lines)


def test_the_target_is_marked_only_after_it_was_missed() -> None:
    player = new_player(question_rate=0.0)
    mark = "255;0;255"
    assert mark not in "".join(screen(Depth.FULL).draw(player, 80, 24))
    player.react("n")
    assert mark in "".join(screen(Depth.FULL).draw(player, 80, 24))
    assert "**" in "".join(screen(Depth.LETTERS).draw(player, 80, 24))
    player.react(" ")
    while player.game.ending is None:
        player.game.move(int(expert_actions(player.game.simulator)[0]))
        assert mark not in "".join(screen(Depth.FULL).draw(player, 80, 24))


def test_the_map_is_as_large_as_the_window_allows() -> None:
    cells = [layout.cell if layout else 0 for layout in (choose_layout(*size, Depth.FULL) for size in SIZES)]
    assert cells == [6, 8, 12, 6, 4, 8, 6, 4, 0, 0]
    assert "too small" in screen(Depth.FULL).draw(new_player(), 30, 10)[0]


def test_pixels_become_half_blocks() -> None:
    pixels = np.zeros((4, 3, 3), np.uint8)
    pixels[0, 0] = 255, 0, 0
    lines = half_blocks(pixels, Depth.FULL)
    assert len(lines) == 2
    assert lines[0] == "\x1b[38;2;255;0;0;48;2;0;0;0m▀\x1b[38;2;0;0;0;48;2;0;0;0m▀▀\x1b[0m"
    assert half_blocks(pixels, Depth.INDEXED)[0].startswith("\x1b[38;5;196;48;5;16m▀")


def test_colors_keep_their_names_in_a_palette_of_256() -> None:
    catalogue = Catalogue.load()
    circles = [icon for icon in catalogue.pack.icons if icon.name == "circle"]
    hues = {}
    for index, icon in enumerate(catalogue.pack.icons):
        if icon in circles:
            middle = catalogue.icons[4 + index][48, 48]
            number = int(nearest_numbers(middle[None])[0]) - 16
            hues[icon.color] = (number // 36, number // 6 % 6, number % 6)
    red, green, blue, yellow = (hues[name] for name in ("red", "green", "blue", "yellow"))
    assert red[0] > 3 * max(red[1:])
    assert green[1] > max(green[0], green[2])
    assert blue[2] > max(blue[:2])
    assert min(yellow[:2]) > yellow[2]


@pytest.mark.parametrize(
    ("environment", "encoding", "depth"),
    [
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, "utf-8", Depth.FULL),
        ({"TERM": "xterm", "COLORTERM": "24bit"}, "utf-8", Depth.FULL),
        ({"TERM": "xterm-256color"}, "utf-8", Depth.INDEXED),
        ({"TERM": "xterm-256color", "NO_COLOR": ""}, "utf-8", Depth.INDEXED),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"}, "utf-8", Depth.LETTERS),
        ({"TERM": "dumb", "COLORTERM": "truecolor"}, "utf-8", Depth.LETTERS),
        ({}, "utf-8", Depth.LETTERS),
        ({"TERM": "xterm-256color"}, "ascii", Depth.LETTERS),
    ],
)
def test_terminals_say_what_they_show(environment: dict[str, str], encoding: str, depth: Depth) -> None:
    assert depth_of(environment, encoding) is depth

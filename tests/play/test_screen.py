"""What is drawn: it fits the window, shows what it should, and does not reveal the answer."""

import re
from functools import cache

import pytest
from rich.text import Text

from xworld.play import keyboard
from xworld.play.color import ColorDepth
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
    player = new_player(seed=4)  # with three objects
    for number in range(2):
        for key in (
            "n",
            keyboard.TAB,
            keyboard.ENTER,
            keyboard.CLEAR,
            keyboard.ENTER,
            "?",
            keyboard.REDRAW,
            " ",
            "n",
            " ",
        ):
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

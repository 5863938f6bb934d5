"""What keys do."""

import pytest

from xworld.envs.rendering import scene_of
from xworld.play import keyboard
from xworld.play.game import Game
from xworld.play.player import ARROWS, BAD, GOOD, MOVES, Player
from xworld.teacher.oracle import expert_actions
from xworld.teacher.settings import TeacherSettings
from xworld.teacher.simulator import Simulator
from xworld.world.cells import ACTIONS


def new_player(question_rate: float = 0.0, sessions: int | None = None) -> Player:
    return Player(Game(Simulator(1, settings=TeacherSettings(question_rate=question_rate)), seed=3), sessions)


def press(player: Player, *keys: str) -> None:
    for key in keys:
        player.press(key)


def go_to_target(player: Player) -> None:
    while player.game.ending is None:
        press(player, ARROWS[expert_actions(player.game.simulator)[0]])


def right_answer(player: Player) -> str:
    return player.game.simulator.grammar.vocabulary.words[int(player.game.simulator.sessions[0]["answer"])]


@pytest.mark.parametrize("keys", [ARROWS, "wsad", "WSAD", "kjhl"])
def test_keys_move(keys: tuple[str, ...] | str) -> None:
    for number, key in enumerate(keys):
        assert MOVES[key.lower()] == number
        player, game = new_player(), new_player().game
        press(player, key)
        game.step(number)
        assert (scene_of(player.game.simulator).tiles == scene_of(game.simulator).tiles).all()


def test_the_next_session_starts_after_the_target_is_reached() -> None:
    player = new_player()
    go_to_target(player)
    assert "the fewest possible" in player.message
    assert player.message_style is GOOD
    press(player, " ")
    assert player.game.ending is None
    assert not player.has_quit


def test_the_last_session_ends_the_game() -> None:
    player = new_player(sessions=1)
    go_to_target(player)
    assert not player.has_quit
    assert player.key_hints() == ("any key ends the game",)
    press(player, " ")
    assert player.has_quit


def test_giving_up_tells_how_far_the_target_was() -> None:
    player = new_player()
    press(player, "n")
    assert player.message.startswith("Given up. The target is marked")
    assert player.message_style is BAD


def test_a_tip_names_the_next_action() -> None:
    player = new_player()
    expected = ACTIONS[expert_actions(player.game.simulator)[0]]
    press(player, "t")
    assert player.message == f"The oracle would go {expected}."


@pytest.mark.parametrize("key", ["q", "Q", keyboard.ESCAPE, keyboard.END_OF_INPUT])
def test_keys_that_quit(key: str) -> None:
    player = new_player()
    press(player, key)
    assert player.has_quit


def test_any_key_closes_the_help_and_does_nothing_else() -> None:
    player = new_player()
    press(player, "?", "q")
    assert not player.shows_help
    assert not player.has_quit


def test_an_answer_is_typed_edited_and_submitted() -> None:
    player = new_player(question_rate=1.0)
    answer = right_answer(player)
    press(player, "x", "y", keyboard.CLEAR, *answer, "z", keyboard.BACKSPACE)
    assert player.typed == answer
    press(player, keyboard.ENTER)
    assert player.message == f"Yes: {answer}."
    assert (player.typed, player.game.score.correct) == ("", 1)


def test_a_wrong_answer_shows_the_right_one() -> None:
    player = new_player(question_rate=1.0)
    answer = right_answer(player)
    press(player, *("nothing" if answer != "nothing" else "red"), keyboard.ENTER)
    assert player.message == f"No: {answer}."
    assert player.message_style is BAD


def test_an_unknown_word_suggests_similar_ones() -> None:
    player = new_player(question_rate=1.0)
    press(player, *"nort", keyboard.ENTER)
    assert player.message.startswith("No word 'nort'; did you mean 'north'")
    assert player.typed == "nort"
    assert player.game.question


@pytest.mark.parametrize("keys", [[keyboard.ENTER], [" ", keyboard.ENTER], ["x", keyboard.ESCAPE]])
def test_questions_can_be_skipped(keys: list[str]) -> None:
    player = new_player(question_rate=1.0)
    press(player, *keys)
    assert (player.game.question, player.typed, player.game.score.skipped) == ("", "", 1)
    assert not player.has_quit


def test_no_key_moves_or_quits_while_a_question_is_open() -> None:
    player = new_player(question_rate=1.0)
    press(player, *ARROWS, "q", "n", "?", *"w" * 40)
    assert player.game.steps == 0
    assert not player.has_quit
    assert player.typed.startswith("qn?www")
    assert len(player.typed) < 40


def test_tab_completes() -> None:
    player = new_player(question_rate=1.0)
    press(player, *"nor", keyboard.TAB)
    assert (player.typed, player.message) == ("north", "north northeast northwest")
    press(player, "w", keyboard.TAB)
    assert (player.typed, player.message) == ("northwest", "")


@pytest.mark.parametrize("typed", ["", "xyz"])
def test_tab_explains_what_an_answer_can_be(typed: str) -> None:
    player = new_player(question_rate=1.0)
    press(player, *typed, keyboard.TAB)
    assert player.typed == typed
    assert "an object, a color, a direction" in player.message

"""The rules of the game, played without a terminal."""

import pytest

from xworld.envs.rendering import scene_of
from xworld.play.game import Game, Outcome, Score
from xworld.teacher.oracle import expert_actions
from xworld.teacher.settings import TeacherSettings
from xworld.teacher.simulator import Simulator
from xworld.teacher.vocabulary import WordError
from xworld.world.checks import SettingsError
from xworld.world.state import FIRST_OBJECT, WALL


def new_game(seed: int = 3, question_rate: float = 0.0) -> Game:
    return Game(Simulator(1, settings=TeacherSettings(question_rate=question_rate)), seed)


def true_answer(game: Game) -> str:
    return game.simulator.grammar.vocabulary.words[int(game.simulator.sessions[0]["answer"])]


def go_to_target(game: Game) -> None:
    while game.ending is None:
        game.step(int(expert_actions(game.simulator)[0]))


def test_the_shortest_path_reaches_the_target_and_is_counted() -> None:
    game = new_game()
    for number in range(1, 6):
        least = game.shortest
        go_to_target(game)
        assert game.ending is Outcome.REACHED
        assert game.steps == least
        assert game.session_return == pytest.approx(1 - 0.1 * least)
        assert game.score.sessions == game.score.successes == number
        game.next_session()
    assert game.score.steps == game.score.shortest


def test_a_detour_costs_steps_and_reward() -> None:
    game = new_game()
    while game.step(0) is not Outcome.BLOCKED:  # up, until blocked
        assert game.ending is None
    wasted = game.steps
    least = int(wasted + game.shortest)
    go_to_target(game)
    assert game.ending is Outcome.REACHED
    assert game.shortest < game.score.steps <= 2 * least
    assert game.score.shortest == game.shortest
    assert game.score.total_return == pytest.approx(game.session_return)
    assert game.session_return < 1 - 0.1 * game.score.steps


def test_time_runs_out() -> None:
    game = new_game()
    for _ in range(game.world["time_limit"]):
        away = int(expert_actions(game.simulator)[0]) ^ 1  # up and down, left and right are pairs
        game.step(away)
    assert game.ending is Outcome.TIMED_OUT
    assert (game.score.sessions, game.score.successes, game.score.steps) == (1, 0, 0)


def test_giving_up_counts_as_a_failed_session() -> None:
    game = new_game()
    game.give_up()
    assert game.ending is Outcome.GIVEN_UP
    assert (game.score.sessions, game.score.successes) == (1, 0)
    game.next_session()
    assert game.ending is None
    assert game.steps == 0


def test_step_results() -> None:
    game = new_game()
    seen = set()
    for number in range(400):
        before = scene_of(game.simulator).tiles
        result = game.step(number * 7 % 4)
        if result is Outcome.BLOCKED:
            assert (scene_of(game.simulator).tiles == before).all()
        seen.add(result)
        if game.ending is not None:
            game.next_session()
    assert seen == set(Outcome) - {Outcome.GIVEN_UP}


def test_tips_are_counted() -> None:
    game = new_game()
    assert game.tip() in ("up", "down", "left", "right")
    assert game.score.tips == 1


def test_right_wrong_and_skipped_answers() -> None:
    game = new_game(question_rate=1.0)
    results = []
    for kind in ("right", "wrong", "skipped"):
        while not game.question:
            go_to_target(game)
            game.next_session()
        right = true_answer(game)
        if kind == "skipped":
            game.skip_question()
        else:
            results.append(game.answer(f" {right.upper()} " if kind == "right" else _another(game, right)))
            assert game.expected_answer == right
        assert game.question == ""
        game.give_up()
        game.next_session()
    assert results == [True, False]
    assert (game.score.correct, game.score.wrong, game.score.skipped, game.score.asked) == (1, 1, 1, 3)


def _another(game: Game, word: str) -> str:
    return next(answer for answer in game.answers if answer != word)


def test_words_that_cannot_be_answers_leave_the_question_open() -> None:
    game = new_game(question_rate=1.0)
    question = game.question
    assert question
    with pytest.raises(WordError, match="no word 'aple'; did you mean 'apple'"):
        game.answer("aple")
    with pytest.raises(WordError, match="'please' cannot be an answer"):
        game.answer("please")
    assert game.question == question
    assert game.score.asked == 0


def test_a_step_skips_the_open_question() -> None:
    game = new_game(question_rate=1.0)
    assert game.question
    game.step(0)
    assert game.score.skipped == 1


def test_nothing_is_asked_after_the_end() -> None:
    game = new_game(question_rate=1.0)
    go_to_target(game)
    assert game.question == ""
    assert game.score.skipped == game.steps


def test_every_answer_that_the_teacher_wants_can_be_given() -> None:
    game = new_game(question_rate=1.0)
    for _ in range(100):
        assert not game.question or true_answer(game) in game.answers
        go_to_target(game)
        game.next_session()


def test_questions_come_now_and_then() -> None:
    game = new_game(question_rate=0.25)
    asked = steps = 0
    for _ in range(60):
        while game.ending is None:
            asked += game.question != ""
            game.step(int(expert_actions(game.simulator)[0]))
            steps += 1
        game.next_session()
    assert 0.1 < asked / steps < 0.4


def test_a_seed_gives_the_same_game() -> None:
    first, second = new_game(5, 0.25), new_game(5, 0.25)
    for _ in range(3):
        assert (first.command, first.question, first.shortest) == (second.command, second.question, second.shortest)
        assert (scene_of(first.simulator).tiles == scene_of(second.simulator).tiles).all()
        for game in (first, second):
            go_to_target(game)
            game.next_session()


def test_the_objects_are_those_of_the_map() -> None:
    game = new_game()
    assert WALL < FIRST_OBJECT <= min(game.objects)
    assert set(game.objects) == {int(tile) for tile in scene_of(game.simulator).tiles.flat if tile >= FIRST_OBJECT}


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_bad_seeds_are_refused(seed: int) -> None:
    with pytest.raises(SettingsError, match="seed="):
        new_game(seed)


def test_a_person_plays_in_one_world() -> None:
    with pytest.raises(SettingsError, match="2 worlds"):
        Game(Simulator(2), 0)


def test_summary_without_a_session() -> None:
    assert Score(7).summary() == ["no session finished", "to replay: --seed 7"]


def test_summary_of_some_sessions() -> None:
    score = Score(seed=1, sessions=2, successes=1, steps=10, shortest=8, total_return=-0.6, correct=3, wrong=1)
    assert score.summary() == [
        "target reached in 1 of 2 sessions (50%)",
        "mean return -0.30",
        "path efficiency 80%: 10 steps, 8 on the shortest paths",
        "3 of 4 questions answered correctly (75%)",
        "to replay: --seed 1",
    ]


def test_summary_in_the_singular() -> None:
    lines = Score(7, sessions=1, successes=1, steps=1, shortest=1, total_return=0.9, tips=1, correct=1).summary()
    assert lines[0] == "target reached in 1 of 1 session (100%)"
    assert lines[2] == "path efficiency 100%: 1 step, 1 on the shortest paths"
    assert lines[3:5] == ["1 of 1 question answered correctly (100%)", "1 tip from the oracle"]

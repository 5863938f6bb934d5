"""Everything the teacher says is true and unambiguous: an independent referee re-derives it, scene by scene."""

from collections import Counter

import numpy as np
import pytest

from referee import applicable_commands, applicable_questions, judge_command, judge_question
from scenes import scene_of
from xworld.teacher.oracle import possible_commands, possible_questions
from xworld.teacher.settings import COMMAND_NAMES, QUESTION_NAMES, TeacherSettings
from xworld.teacher.simulator import Simulator

SCENES = 100_000
WORLDS = 1_000
CROWDED = TeacherSettings(objects=(1, 6), walls=(0, 16), classes=(4, 12), nothing_rate=0.5)


def check_command(simulator: Simulator, index: int, rows_only: bool = False) -> str:
    session, world = simulator.sessions[index], simulator.worlds[index]
    tokens = simulator.grammar.vocabulary.decode(session["command"])
    verdict = judge_command(scene_of(simulator, index), tokens, rows_only=rows_only)
    assert verdict.subtask == COMMAND_NAMES[session["command_type"]]
    assert verdict.target == (world["target_row"], world["target_column"])
    return verdict.subtask


def check_question(simulator: Simulator, index: int, rows_only: bool = False) -> str | None:
    session = simulator.sessions[index]
    if session["question_type"] < 0:
        assert not session["question"].any()
        assert session["answer"] == 0
        return None
    tokens = simulator.grammar.vocabulary.decode(session["question"])
    verdict = judge_question(scene_of(simulator, index), tokens, rows_only=rows_only)
    assert verdict.subtask == QUESTION_NAMES[session["question_type"]]
    assert verdict.answer == simulator.grammar.vocabulary.words[session["answer"]]
    return verdict.subtask


def test_the_referee_agrees_on_100_000_scenes() -> None:
    simulator, seen, generator = Simulator(WORLDS), Counter[str | None](), np.random.default_rng(0)
    simulator.reset(seeds=np.arange(WORLDS))
    for scene in range(SCENES // WORLDS):
        if scene % 4 == 3:  # the scenes of a walk, among them those in which the agent stands on an object
            simulator.step(generator.integers(0, 4, WORLDS), autoreset=False)
        else:
            simulator.reset()
            seen.update(check_command(simulator, index) for index in range(WORLDS))
        seen.update(check_question(simulator, index) for index in range(WORLDS))
    assert {*COMMAND_NAMES, *QUESTION_NAMES} <= set(seen)


@pytest.mark.parametrize("rows_only", [False, True])
def test_the_referee_agrees_on_crowded_and_early_scenes(rows_only: bool) -> None:
    settings = TeacherSettings(
        **{
            **CROWDED.__dict__,
            "between_rows_only": rows_only,
        }  # many objects of few classes: hard to be unique
    )
    simulator = Simulator(200, settings=settings)
    simulator.reset(seeds=np.arange(200))
    for step in range(30):
        simulator.set_progress(step / 30)
        simulator.reset()
        for index in range(200):
            check_command(simulator, index, rows_only)
            check_question(simulator, index, rows_only)


@pytest.mark.parametrize("settings", [TeacherSettings(), CROWDED], ids=["paper", "crowded"])
def test_what_could_be_said_is_exactly_what_the_referee_allows(settings: TeacherSettings) -> None:
    simulator, generator = Simulator(150, settings=settings), np.random.default_rng(1)
    simulator.reset(seeds=np.arange(150))
    for _ in range(4):
        for index in range(150):
            scene = scene_of(simulator, index)
            said = {
                (item.subtask, item.location, item.color, item.object, item.second, item.target)
                for item in possible_commands(simulator, index)
            }
            asked = {
                (item.subtask, item.location, item.color, item.object, item.second, item.answer)
                for item in possible_questions(simulator, index)
            }
            assert said == applicable_commands(scene)
            assert asked == applicable_questions(scene)
        simulator.step(generator.integers(0, 4, 150), autoreset=False)

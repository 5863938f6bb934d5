"""Everything the teacher says is true and unambiguous: an independent referee re-derives it, scene by scene."""

from dataclasses import replace

import numpy as np
import pytest

from referee import Scene, applicable_commands, applicable_questions, judge_command, judge_question
from scenes import scene_of
from xworld.teacher.oracle import possible_commands, possible_questions
from xworld.teacher.settings import COMMAND_NAMES, QUESTION_NAMES, TeacherSettings
from xworld.teacher.simulator import Simulator

SCENES = 40_000
WORLDS = 1_000
CROWDED = TeacherSettings(objects=(1, 6), walls=(0, 16), classes=(4, 12), nothing_rate=0.5)
"""Many objects of few classes, so that few names are unique."""


def check_command(simulator: Simulator, index: int, scene: Scene, rows_only: bool) -> str:
    session, world = simulator.sessions[index], simulator.worlds[index]
    tokens = simulator.grammar.vocabulary.decode(session["command"])
    verdict = judge_command(scene, tokens, rows_only=rows_only)
    assert verdict.subtask == COMMAND_NAMES[session["command_type"]]
    assert verdict.target == (world["target_row"], world["target_column"])
    return verdict.subtask


def check_question(simulator: Simulator, index: int, scene: Scene, rows_only: bool) -> str | None:
    session = simulator.sessions[index]
    if session["question_type"] < 0:
        assert not session["question"].any()
        assert session["answer"] == 0
        return None
    tokens = simulator.grammar.vocabulary.decode(session["question"])
    verdict = judge_question(scene, tokens, rows_only=rows_only)
    assert verdict.subtask == QUESTION_NAMES[session["question_type"]]
    assert verdict.answer == simulator.grammar.vocabulary.words[session["answer"]]
    return verdict.subtask


def check(simulator: Simulator, command: bool = True, rows_only: bool = False) -> set[str | None]:
    """Let the referee judge what is said in all worlds; returns the types of sentence."""
    said = set[str | None]()
    for index in range(len(simulator)):
        scene = scene_of(simulator, index)
        said.add(check_question(simulator, index, scene, rows_only))
        if command:
            said.add(check_command(simulator, index, scene, rows_only))
    return said


def test_the_referee_agrees_on_40_000_scenes() -> None:
    simulator, said, generator = Simulator(WORLDS), set[str | None](), np.random.default_rng(0)
    simulator.reset(seeds=np.arange(WORLDS))
    for scene in range(SCENES // WORLDS):
        if scene % 4 == 3:  # scenes on the way, among them those in which the agent stands on an object
            simulator.step(generator.integers(0, 4, WORLDS), autoreset=False)
            said |= check(simulator, command=False)
        else:
            simulator.reset()
            said |= check(simulator)
    assert {*COMMAND_NAMES, *QUESTION_NAMES} <= said


@pytest.mark.parametrize("rows_only", [False, True])
def test_the_referee_agrees_on_crowded_and_early_scenes(rows_only: bool) -> None:
    simulator = Simulator(100, settings=replace(CROWDED, between_rows_only=rows_only))
    simulator.reset(seeds=np.arange(100))
    for step in range(30):
        simulator.set_progress(step / 30)
        simulator.reset()
        check(simulator, rows_only=rows_only)


@pytest.mark.parametrize("settings", [TeacherSettings(), CROWDED], ids=["paper", "crowded"])
def test_what_could_be_said_is_exactly_what_the_referee_allows(settings: TeacherSettings) -> None:
    simulator, generator = Simulator(80, settings=settings), np.random.default_rng(1)
    simulator.reset(seeds=np.arange(80))
    for _ in range(4):
        for index in range(80):
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
        simulator.step(generator.integers(0, 4, 80), autoreset=False)


def test_by_default_the_first_world_is_asked_about() -> None:
    simulator = Simulator(2)
    simulator.reset(seeds=[0, 1])
    assert possible_commands(simulator) == possible_commands(simulator, 0) != possible_commands(simulator, 1)
    assert possible_questions(simulator) == possible_questions(simulator, 0) != possible_questions(simulator, 1)

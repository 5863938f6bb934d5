"""The oracle reaches every target in time, by a shortest way, and knows what is true."""

from collections import deque

import numpy as np
import pytest

from referee import Scene, step
from scenes import scene_of
from xworld.teacher.choice import ABSENT
from xworld.teacher.oracle import (
    Possible,
    every_command,
    expert_actions,
    possible_commands,
    possible_questions,
    shortest_paths,
    true_answer,
    true_target,
)
from xworld.teacher.school import School
from xworld.teacher.settings import COMMAND_NAMES, TeacherSettings
from xworld.world.catalogue import COLOURS
from xworld.world.cells import DIRECTIONS, SIDE

SESSIONS = 2_500


@pytest.mark.parametrize("command", COMMAND_NAMES)
def test_2500_of_2500_test_sessions_end_at_the_target_in_time(command: str) -> None:
    school = School(SESSIONS, settings=TeacherSettings(commands=(command,)))
    school.begin(seeds=np.arange(SESSIONS))
    lengths = shortest_paths(school)
    done = np.zeros(SESSIONS, np.bool_)
    for turn in range(1, 29):
        _, reached, late = school.step(expert_actions(school), autoreset=False)
        assert (reached[~done] == (lengths[~done] == turn)).all()
        done |= reached
    assert done.all()
    assert not late.any()


def breadth_first(scene: Scene, target: tuple[int, int]) -> int:
    """The length of a shortest way that crosses no other object, the slow way."""
    blocked = scene.walls | ({thing.cell for thing in scene.things} - {target})
    distance, queue = {scene.agent: 0}, deque([scene.agent])
    while queue:
        here = queue.popleft()
        for move in ("north", "south", "west", "east"):
            there = step(here, move)
            if scene.holds(there) and there not in blocked and there not in distance:
                distance[there] = distance[here] + 1
                queue.append(there)
    return distance.get(target, -1)


def test_no_way_is_shorter() -> None:
    school = School(1000)
    school.begin(seeds=np.arange(1000))
    for index, length in enumerate(shortest_paths(school)):
        target = int(school.worlds["target_row"][index]), int(school.worlds["target_column"][index])
        assert breadth_first(scene_of(school, index), target) == length


def test_it_finds_back_from_behind_an_object() -> None:
    school = School(2000)
    school.begin(seeds=np.arange(2000))
    for _ in range(10):
        school.step(np.random.default_rng(0).integers(0, 4, 2000), autoreset=False)
    assert (shortest_paths(school)[~school.worlds["reached"]] > 0).all()


def test_it_knows_what_the_teacher_knows() -> None:
    school = School(300)
    school.begin(seeds=np.arange(300))
    vocabulary = school.grammar.vocabulary
    for index in range(300):
        command = school.grammar.read(vocabulary.text(school.commands[index]))
        world = school.worlds[index]
        assert true_target(school, command, index) == (world["target_row"], world["target_column"])
        if school.questions[index].any():
            question = school.grammar.read(vocabulary.text(school.questions[index]))
            assert true_answer(school, question, index) == vocabulary.words[school.lessons["answer"][index]]


def test_there_is_no_world_beyond_the_last() -> None:
    school = School(2)
    school.begin(seeds=[0, 1])
    assert possible_commands(school, -1) == possible_commands(school, 1)
    with pytest.raises(IndexError):
        possible_questions(school, 2)


def test_what_cannot_be_said_has_no_answer() -> None:
    school = School(1)
    school.begin(seeds=[0])
    absent = next(
        name
        for index, name in enumerate(school.grammar.catalogue.classes)
        if index not in school.worlds["object_class"][0]
    )
    assert true_target(school, school.grammar.read(f"Go to the {absent}.")) is None
    assert true_answer(school, school.grammar.read(f"Where is the {absent}?")) is None


def test_all_worlds_at_once_are_listed_as_each_alone() -> None:
    school = School(300, settings=TeacherSettings(objects=(1, 6)))
    school.begin(seeds=np.arange(300))
    offers, there = every_command(school)
    classes = school.grammar.catalogue.classes
    kinds = {"location": DIRECTIONS, "colour": COLOURS, "object": classes, "second": classes}
    for index in range(300):
        given = COMMAND_NAMES[school.lessons["command_type"][index]]
        listed = [
            Possible(
                given,
                **{slot: None if offer[slot] == ABSENT else words[offer[slot]] for slot, words in kinds.items()},
                target=divmod(int(offer["outcome"]), SIDE),
            )
            for offer in offers[index][there[index]]
        ]
        assert listed == [item for item in possible_commands(school, index) if item.subtask == given]

"""The oracle reaches every target in time, by a shortest way, and knows what is true."""

from collections import deque

import numpy as np
import pytest

from referee import Scene, step
from scenes import scene_of
from xworld.teacher.choice import ABSENT
from xworld.teacher.oracle import (
    Possible,
    alternative_commands,
    expert_actions,
    possible_commands,
    possible_questions,
    shortest_paths,
    true_answer,
    true_target,
)
from xworld.teacher.settings import COMMAND_NAMES, TeacherSettings
from xworld.teacher.simulator import Simulator
from xworld.world.catalogue import COLORS
from xworld.world.cells import DIRECTIONS, SIDE

SESSIONS = 2_500


@pytest.mark.parametrize("command", COMMAND_NAMES)
def test_2500_of_2500_test_sessions_end_at_the_target_in_time(command: str) -> None:
    simulator = Simulator(SESSIONS, settings=TeacherSettings(commands=(command,)))
    simulator.reset(seeds=np.arange(SESSIONS))
    lengths = shortest_paths(simulator)
    done = np.zeros(SESSIONS, np.bool_)
    for turn in range(1, 29):
        _, terminated, truncated = simulator.step(expert_actions(simulator), autoreset=False)
        assert (terminated[~done] == (lengths[~done] == turn)).all()
        done |= terminated
    assert done.all()
    assert not truncated.any()


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
    simulator = Simulator(1000)
    simulator.reset(seeds=np.arange(1000))
    for index, length in enumerate(shortest_paths(simulator)):
        target = int(simulator.worlds["target_row"][index]), int(simulator.worlds["target_column"][index])
        assert breadth_first(scene_of(simulator, index), target) == length


def test_it_finds_back_from_behind_an_object() -> None:
    simulator = Simulator(2000)
    simulator.reset(seeds=np.arange(2000))
    for _ in range(10):
        simulator.step(np.random.default_rng(0).integers(0, 4, 2000), autoreset=False)
    assert (shortest_paths(simulator)[~simulator.worlds["reached"]] > 0).all()


def test_it_knows_what_the_teacher_knows() -> None:
    simulator = Simulator(300)
    simulator.reset(seeds=np.arange(300))
    vocabulary = simulator.grammar.vocabulary
    for index in range(300):
        command = simulator.grammar.read(vocabulary.text(simulator.commands[index]))
        world = simulator.worlds[index]
        assert true_target(simulator, command, index) == (world["target_row"], world["target_column"])
        if simulator.questions[index].any():
            question = simulator.grammar.read(vocabulary.text(simulator.questions[index]))
            assert true_answer(simulator, question, index) == vocabulary.words[simulator.sessions["answer"][index]]


def test_there_is_no_world_beyond_the_last() -> None:
    simulator = Simulator(2)
    simulator.reset(seeds=[0, 1])
    assert possible_commands(simulator, -1) == possible_commands(simulator, 1)
    with pytest.raises(IndexError):
        possible_questions(simulator, 2)


def test_what_cannot_be_said_has_no_answer() -> None:
    simulator = Simulator(1)
    simulator.reset(seeds=[0])
    absent = next(
        name
        for index, name in enumerate(simulator.grammar.catalogue.classes)
        if index not in simulator.worlds["object_class"][0]
    )
    assert true_target(simulator, simulator.grammar.read(f"Go to the {absent}.")) is None
    assert true_answer(simulator, simulator.grammar.read(f"Where is the {absent}?")) is None


def test_all_worlds_at_once_are_listed_as_each_alone() -> None:
    simulator = Simulator(300, settings=TeacherSettings(objects=(1, 6)))
    simulator.reset(seeds=np.arange(300))
    offers, exists = alternative_commands(simulator)
    classes = simulator.grammar.catalogue.classes
    kinds = {"location": DIRECTIONS, "color": COLORS, "object": classes, "second": classes}
    for index in range(300):
        given = COMMAND_NAMES[simulator.sessions["command_type"][index]]
        listed = [
            Possible(
                given,
                **{slot: None if offer[slot] == ABSENT else words[offer[slot]] for slot, words in kinds.items()},
                target=divmod(int(offer["target_or_answer"]), SIDE),
            )
            for offer in offers[index][exists[index]]
        ]
        assert listed == [item for item in possible_commands(simulator, index) if item.subtask == given]

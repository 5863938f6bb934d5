"""Same seed, same life: whatever the number of worlds, threads and environments around it."""

import copy
import multiprocessing
import os
import pickle

import numpy as np
import pytest
from numpy.typing import NDArray

from xworld.teacher.holdout import Holdout
from xworld.teacher.settings import TeacherSettings
from xworld.teacher.simulator import Simulator
from xworld.world.checks import SettingsError

STEPS = 120


def live(worlds: int, threads: int, actions: NDArray[np.int64], **kwargs: int) -> list[tuple[bytes, ...]]:
    """What happens to the first world in every step, to the last bit."""
    simulator = Simulator(worlds, threads=threads, **kwargs)  # type: ignore[arg-type]
    simulator.reset(seeds=np.arange(100, 100 + worlds))
    life = []
    for row in actions:
        rewards, terminated, truncated = simulator.step(row[:worlds])
        arrays = (simulator.worlds, simulator.sessions, simulator.tiles, rewards, terminated, truncated)
        life.append(tuple(array[:1].tobytes() for array in arrays))
    return life


@pytest.mark.parametrize("curriculum_sessions", [0, 10])
def test_a_world_is_the_same_among_1_7_and_4096_and_on_1_and_2_threads(curriculum_sessions: int) -> None:
    actions = np.random.default_rng(0).integers(0, 4, size=(STEPS, 4096))
    lives = [
        live(worlds, threads, actions, curriculum_sessions=curriculum_sessions)
        for worlds, threads in ((1, 1), (7, 1), (4096, 1), (4096, 2))
    ]
    assert all(other == lives[0] for other in lives[1:])


def test_every_world_is_the_same_on_one_and_two_threads() -> None:
    one, two = Simulator(1000, threads=1), Simulator(1000, threads=2)
    actions = np.random.default_rng(0).integers(0, 4, size=(STEPS, 1000))
    for simulator in (one, two):
        simulator.reset(seeds=np.arange(1000))
        for row in actions:
            simulator.step(row)
    assert one.worlds.tobytes() == two.worlds.tobytes()
    assert one.sessions.tobytes() == two.sessions.tobytes()


def test_neighboring_seeds_lead_different_lives() -> None:
    simulator = Simulator(512)
    simulator.reset(seeds=np.arange(512))
    assert len({world.tobytes() for world in simulator.worlds["grid"]}) == 512


def test_what_was_handed_out_stays_as_it_is() -> None:
    simulator = Simulator(3)
    simulator.reset(seeds=[1, 2, 3])
    tiles, commands, questions = simulator.tiles, simulator.commands, simulator.questions
    before = tiles.copy(), commands.copy(), questions.copy()
    for _ in range(40):
        simulator.step([0, 1, 2])
    simulator.reset(mask=np.array([True, False, True]))
    assert all(np.array_equal(*pair) for pair in zip(before, (tiles, commands, questions), strict=True))


def test_only_the_chosen_worlds_begin_anew() -> None:
    simulator = Simulator(4)
    simulator.reset(seeds=[1, 2, 3, 4])
    before = simulator.worlds.copy(), simulator.tiles.copy()
    simulator.reset(seeds=[9, 9, 9, 9], mask=np.array([False, True, False, True]))
    for index, kept in enumerate((True, False, True, False)):
        assert (simulator.worlds[index] == before[0][index]) == kept
        assert np.array_equal(simulator.tiles[index], before[1][index]) == kept
    assert simulator.worlds[1]["grid"].tobytes() == simulator.worlds[3]["grid"].tobytes()


@pytest.mark.parametrize("clone", [copy.deepcopy, lambda simulator: pickle.loads(pickle.dumps(simulator))])
def test_a_copy_lives_on_as_the_original_does(clone: object) -> None:
    simulator = Simulator(600, threads=2)
    simulator.reset(seeds=np.arange(600))
    simulator.step(np.zeros(600, np.int64))
    other = clone(simulator)  # type: ignore[operator]
    for each in (simulator, other):
        each.step(np.ones(600, np.int64))
    assert (simulator.worlds == other.worlds).all()
    assert (simulator.tiles == other.tiles).all()


def test_without_autoreset_a_finished_session_stands() -> None:
    simulator = Simulator(1)
    simulator.reset(seeds=[0])
    for _ in range(28):
        _, terminated, truncated = simulator.step([0], autoreset=False)
    assert truncated[0] != terminated[0]
    assert simulator.sessions["count"][0] == 1


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ([4, 0], "no action 4; there are 0 up, 1 down, 2 left, 3 right"),
        ([-1, 0], "no action -1"),
        ([0], r"shape \(1,\): expected one for each of the 2 worlds"),
        ([[0, 1]], r"shape \(1, 2\)"),
        ([0.0, 1.0], "type float64: expected whole numbers"),
        (["up", "down"], "expected whole numbers"),
        (np.array([2**63, 0], np.uint64), "no action"),
    ],
)
def test_wrong_actions_are_refused(actions: list[object], message: str) -> None:
    simulator = Simulator(2)
    simulator.reset(seeds=[0, 1])
    before = simulator.worlds.copy()
    with pytest.raises(ValueError, match=message):
        simulator.step(actions)
    assert (simulator.worlds == before).all()


def test_wrong_numbers_are_refused() -> None:
    with pytest.raises(SettingsError, match="num_envs=0: expected a whole number from 1"):
        Simulator(0)
    with pytest.raises(SettingsError, match="threads=0"):
        Simulator(1, threads=0)
    with pytest.raises(SettingsError, match="curriculum_sessions=-1"):
        Simulator(1, curriculum_sessions=-1)
    with pytest.raises(SettingsError, match=r"curriculum_sessions=10\.5"):
        Simulator(1, curriculum_sessions=10.5)  # type: ignore[arg-type]
    with pytest.raises(SettingsError, match=r"expected TeacherSettings"):
        Simulator(1, settings={"objects": (1, 2)})  # type: ignore[arg-type]
    simulator = Simulator(2)
    with pytest.raises(SettingsError, match="3 seeds: expected one for each of the 2 worlds"):
        simulator.reset(seeds=[1, 2, 3])
    for wrong in ([-1, 2], ["a", "b"], [2**64, 0], [1.7, 2], np.array([-1, 0]), np.array([1.5, 2.0])):
        with pytest.raises(SettingsError, match=r"seed=.*: expected a whole number from 0"):
            simulator.reset(seeds=wrong)
    with pytest.raises(SettingsError, match=r"progress=1\.5"):
        simulator.set_progress(1.5)


def test_worlds_begin_before_they_step_and_first_with_a_seed() -> None:
    simulator = Simulator(3)
    with pytest.raises(SettingsError, match="first session of a world needs a seed"):
        simulator.reset()
    with pytest.raises(SettingsError, match="before the first step"):
        simulator.step([0, 0, 0])
    simulator.reset(seeds=[1, 2, 3], mask=[True, False, False])
    with pytest.raises(SettingsError, match="before the first step"):
        simulator.step([0, 0, 0])


@pytest.mark.parametrize("mask", [[True], [True, False], [1, 0, 1], [False, False, False], np.ones((3, 1), bool)])
def test_wrong_masks_are_refused(mask: object) -> None:
    simulator = Simulator(3)
    simulator.reset(seeds=[1, 2, 3])
    with pytest.raises(SettingsError, match="expected 3 truth values"):
        simulator.reset(mask=mask)  # type: ignore[arg-type]


def test_worlds_of_a_mask_begin_their_next_session_instead_of_a_step() -> None:
    simulator, other = Simulator(2), Simulator(2)
    for each in (simulator, other):
        each.reset(seeds=[1, 2])
    rewards, terminated, truncated = simulator.step([0, 0], reset_mask=[True, False])
    other.reset(mask=[True, False])
    assert simulator.worlds[0] == other.worlds[0]
    assert simulator.sessions["steps"].tolist() == [0, 1]
    assert rewards[0] == 0 > rewards[1]
    assert not (terminated | truncated)[0]
    with pytest.raises(SettingsError, match="expected 2 truth values"):
        simulator.step([0, 0], reset_mask=[True])


def test_scribbling_on_what_was_handed_out_changes_nothing() -> None:
    simulator = Simulator(2)
    simulator.reset(seeds=[1, 2])
    tiles = simulator.tiles.copy()
    simulator.tiles[:] = 99
    simulator.reset(mask=[True, False])
    assert np.array_equal(simulator.tiles[1], tiles[1])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_steps_on() -> None:
    simulator = Simulator(600, threads=2)
    simulator.reset(seeds=range(600))
    simulator.step(np.zeros(600, np.int64))
    process = multiprocessing.get_context("fork").Process(target=simulator.step, args=(np.zeros(600, np.int64),))
    process.start()
    process.join(timeout=20)
    stuck = process.is_alive()
    process.kill()
    assert not stuck
    assert process.exitcode == 0


@pytest.mark.parametrize("command", ["nav_bw_obj", "nav_col_obj"])
def test_a_command_that_needs_two_objects_can_be_trained_from_the_start(command: str) -> None:
    simulator = Simulator(50, settings=TeacherSettings(commands=(command,)), curriculum_sessions=10)
    simulator.reset(seeds=range(50))
    assert (simulator.worlds["objects"] == 2).all()


def test_the_curriculum_begins_with_classes_that_may_be_named() -> None:
    simulator = Simulator(50, holdout=Holdout("NWNav", ("apple", "avocado", "banana")), curriculum_sessions=10)
    simulator.reset(seeds=range(50))
    assert simulator.worlds["object_class"].max() == 6


def test_commands_that_cannot_be_given_are_refused_with_the_reason() -> None:
    with pytest.raises(SettingsError, match="none of them can be given with 1 object"):
        Simulator(1, settings=TeacherSettings(objects=(1, 1), commands=("nav_bw_obj",)))

"""How hard sessions are, along the curriculum and at its end."""

import numpy as np
import pytest
from numpy.typing import NDArray

from xworld.teacher.commands import COMMANDS
from xworld.teacher.settings import TeacherSettings
from xworld.teacher.simulator import Simulator
from xworld.world.cells import SIDE
from xworld.world.checks import SettingsError
from xworld.world.movement import Rewards
from xworld.world.state import WALL

WORLDS = 4000
STEPS = (0.0, 0.1, 0.25, 0.4, 0.5, 0.75, 0.9, 1.0)


def simulator_at(progress: float, **settings: object) -> Simulator:
    simulator = Simulator(WORLDS, settings=TeacherSettings(**settings))  # type: ignore[arg-type]
    simulator.set_progress(progress)
    simulator.reset(seeds=np.arange(WORLDS))
    return simulator


def inner_walls(simulator: Simulator) -> NDArray[np.int64]:
    padding = SIDE**2 - simulator.worlds["size"] ** 2
    return np.array((simulator.worlds["grid"] == WALL).sum(axis=(1, 2)) - padding, np.int64)


@pytest.mark.parametrize("progress", STEPS)
def test_the_five_quantities_follow_the_formula(progress: float) -> None:
    simulator = simulator_at(progress)
    p = min(progress, 1 - 1e-5)
    objects = 1 + int(3 * p)
    assert (simulator.worlds["size"] == 3 + int(5 * p)).all()
    assert (simulator.worlds["time_limit"] == 4 * simulator.worlds["size"]).all()
    assert set(simulator.worlds["objects"].tolist()) == set(range(1, objects + 1))
    assert inner_walls(simulator).min() == 0
    assert inner_walls(simulator).max() == min(int(11 * p), (3 + int(5 * p)) ** 2 - objects - 2)
    assert simulator.worlds["object_class"].max() == 4 + int(37 * p) - 1
    assert (simulator.sessions["max_length"] == 2 + int(11 * p)).all()


@pytest.mark.parametrize("progress", STEPS)
def test_sentences_keep_to_the_length_where_their_type_allows(progress: float) -> None:
    simulator = simulator_at(progress)
    shortest = np.array([min(len(form.split()) for form in command.forms) for command in COMMANDS])
    lengths = (simulator.commands != 0).sum(axis=1)
    allowed = np.maximum(simulator.sessions["max_length"], shortest[simulator.sessions["command_type"]])
    assert (lengths <= allowed).all()
    assert (lengths == allowed).any()


def test_full_difficulty_is_uniform_in_objects_and_walls() -> None:
    simulator = simulator_at(1.0, commands=("nav_obj", "nav_nr_obj"))
    assert (simulator.worlds["size"] == 7).all()
    assert np.allclose(np.bincount(simulator.worlds["objects"])[1:] / WORLDS, 1 / 3, atol=0.03)
    assert np.allclose(np.bincount(inner_walls(simulator)) / WORLDS, 1 / 11, atol=0.02)


def test_each_world_counts_its_own_sessions() -> None:
    simulator = Simulator(2, curriculum_sessions=4)
    simulator.reset(seeds=[0, 1])
    sizes = [simulator.worlds["size"].tolist()]
    for _ in range(5):
        simulator.reset(mask=np.array([True, False]))
        sizes.append(simulator.worlds["size"].tolist())
    assert [first for first, _ in sizes] == [3, 4, 5, 6, 7, 7]
    assert {second for _, second in sizes} == {3}


def test_a_seed_starts_the_count_anew() -> None:
    simulator = Simulator(1, curriculum_sessions=2)
    for expected in (3, 5, 7):
        simulator.reset(seeds=[0] if expected == 3 else None)
        assert simulator.worlds["size"][0] == expected
    simulator.reset(seeds=[0])
    assert simulator.worlds["size"][0] == 3


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("map_size", (2, 7)),
        ("map_size", (7, 3)),
        ("map_size", 7),
        ("map_size", (3.0, 7.0)),
        ("objects", (0, 3)),
        ("objects", (1, 9)),
        ("walls", (-1, 3)),
        ("classes", (0, 4)),
        ("sentence_length", (2, 13)),
        ("question_rate", 1.1),
        ("nothing_rate", -0.1),
        ("clustered", 0.9),
        ("rare_first", -1.0),
        ("rare_first", 1000.0),
        ("question_rate", None),
        ("question_rate", float("nan")),
        ("commands", "nav_obj"),
        ("rewards", Rewards(step=float("nan"))),
        ("rewards", (0, 0, 0, 0)),
        ("commands", ()),
        ("commands", ("nav_home",)),
        ("commands", ("nav_obj", "nav_obj")),
        ("questions", ("rec_who",)),
    ],
)
def test_settings_that_make_no_sense_are_refused_by_name(setting: str, value: object) -> None:
    with pytest.raises(SettingsError, match=setting):
        TeacherSettings(**{setting: value})  # type: ignore[arg-type]

"""What is said how often: commands in balance, relational questions common, and nothing now and then."""

from collections import Counter

import numpy as np
import pytest

from xworld.teacher.commands import COMMANDS
from xworld.teacher.settings import COMMAND_NAMES, QUESTION_NAMES, TeacherSettings
from xworld.teacher.simulator import Simulator

WORLDS = 4096


def questions_of_a_walk(settings: TeacherSettings | None = None, steps: int = 60) -> Counter[str]:
    """The types of the questions asked on random walks; a type with ` nothing` behind it has that answer."""
    simulator, generator, asked = Simulator(WORLDS, settings=settings), np.random.default_rng(0), Counter[str]()
    simulator.reset(seeds=np.arange(WORLDS))
    nothing = simulator.grammar.vocabulary.number("nothing")
    for _ in range(steps):
        simulator.step(generator.integers(0, 4, WORLDS))
        kinds, counts = np.unique(simulator.sessions["question_type"], return_counts=True)
        for kind, count in zip(kinds, counts, strict=True):
            asked[QUESTION_NAMES[kind] if kind >= 0 else ""] += int(count)
        for kind in simulator.sessions["question_type"][simulator.sessions["answer"] == nothing]:
            asked[f"{QUESTION_NAMES[kind]} nothing"] += 1
    return asked


@pytest.fixture(scope="module")
def asked() -> Counter[str]:
    return questions_of_a_walk()


def test_commands_are_balanced() -> None:
    simulator = Simulator(WORLDS)
    simulator.reset(seeds=np.arange(WORLDS))
    shares = np.bincount(simulator.sessions["command_type"], minlength=len(COMMAND_NAMES)) / WORLDS
    assert np.allclose(shares, 0.25, atol=0.03)


@pytest.mark.parametrize(
    ("clustered", "lined", "objects", "share"),
    [(0.0, 0.0, 2, 0.14), (1.0, 0.0, 2, 1.0), (0.4, 0.25, 2, 0.48), (0.0, 1.0, 2, 0.14), (0.0, 1.0, 3, 1.0)],
)
def test_so_many_layouts_have_neighbors(clustered: float, lined: float, objects: int, share: float) -> None:
    """Two of two scattered objects are neighbors in 14 % of the maps by chance."""
    settings = TeacherSettings(
        commands=("nav_obj",), objects=(objects, objects), walls=(0, 0), clustered=clustered, lined=lined
    )
    simulator = Simulator(WORLDS, settings=settings)
    simulator.reset(seeds=range(WORLDS))
    down = np.abs(simulator.worlds["object_row"][:, 0] - simulator.worlds["object_row"][:, 1])
    right = np.abs(simulator.worlds["object_column"][:, 0] - simulator.worlds["object_column"][:, 1])
    assert (np.maximum(down, right) == 1).mean() == pytest.approx(share, abs=0.03)


def test_every_offer_and_every_wording_is_equally_likely() -> None:
    """With an object in the middle of an empty 3 x 3 map, the eight cells around it come equally often."""
    settings = TeacherSettings(commands=("nav_nr_obj",), objects=(1, 1), walls=(0, 0), map_size=(3, 3))
    simulator = Simulator(20_000, settings=settings)
    simulator.reset(seeds=range(20_000))
    center = (simulator.worlds["object_row"][:, 0] == 3) & (simulator.worlds["object_column"][:, 0] == 3)
    target = simulator.worlds["target_row"][center] * 7 + simulator.worlds["target_column"][center]
    cells = np.unique(target, return_counts=True)[1]
    assert len(cells) == 8
    assert cells.min() > 0.75 * cells.mean()
    assert cells.max() < 1.25 * cells.mean()
    lengths = Counter((simulator.commands[center] != 0).sum(axis=1).tolist())
    forms = Counter(len(form.split()) for form in COMMANDS[2].forms)
    for length, count in forms.items():
        assert lengths[length] / center.sum() == pytest.approx(count / forms.total(), abs=0.04)


def test_a_question_is_asked_at_almost_every_step(asked: Counter[str]) -> None:
    assert asked[""] / (60 * WORLDS) < 0.15


def test_every_type_of_question_is_asked(asked: Counter[str]) -> None:
    assert set(QUESTION_NAMES) <= set(asked)


def test_relational_questions_are_common(asked: Counter[str]) -> None:
    total = sum(asked[name] for name in QUESTION_NAMES)
    relational = sum(asked[name] for name in QUESTION_NAMES if "_obj2" in name.removeprefix("rec_obj2"))
    assert relational / total > 0.3


@pytest.mark.parametrize("name", ["rec_loc2obj", "rec_loc_obj2obj", "rec_bw_obj2obj"])
def test_nothing_is_the_answer_to_a_tenth_of_the_questions_that_can_have_it(name: str, asked: Counter[str]) -> None:
    assert 0.08 <= asked[f"{name} nothing"] / asked[name] <= 0.12


def test_no_other_question_is_answered_with_nothing(asked: Counter[str]) -> None:
    assert sum(name.endswith(" nothing") for name in asked) == 3


def test_the_rate_and_the_types_of_questions_can_be_set() -> None:
    half = questions_of_a_walk(TeacherSettings(question_rate=0.5), steps=10)
    assert half[""] / (10 * WORLDS) == pytest.approx(0.55, abs=0.05)
    one = questions_of_a_walk(TeacherSettings(questions=("rec_col2obj",)), steps=10)
    assert set(one) == {"", "rec_col2obj"}
    none = questions_of_a_walk(TeacherSettings(questions=()), steps=10)
    assert set(none) == {""}

"""What is said how often: commands in balance, relational questions common, and nothing now and then."""

from collections import Counter

import numpy as np
import pytest

from xworld.teacher.school import School
from xworld.teacher.settings import COMMAND_NAMES, QUESTION_NAMES, TeacherSettings

WORLDS = 4096


def questions_of_a_walk(settings: TeacherSettings | None = None, steps: int = 60) -> Counter[str]:
    """The types of the questions asked on random walks; a type with ` nothing` behind it has that answer."""
    school, generator, asked = School(WORLDS, settings=settings), np.random.default_rng(0), Counter[str]()
    school.begin(seeds=np.arange(WORLDS))
    nothing = school.grammar.vocabulary.number("nothing")
    for _ in range(steps):
        school.step(generator.integers(0, 4, WORLDS))
        kinds, counts = np.unique(school.lessons["question_type"], return_counts=True)
        for kind, count in zip(kinds, counts, strict=True):
            asked[QUESTION_NAMES[kind] if kind >= 0 else ""] += int(count)
        for kind in school.lessons["question_type"][school.lessons["answer"] == nothing]:
            asked[f"{QUESTION_NAMES[kind]} nothing"] += 1
    return asked


@pytest.fixture(scope="module")
def asked() -> Counter[str]:
    return questions_of_a_walk()


def test_commands_are_balanced() -> None:
    school = School(WORLDS)
    school.begin(seeds=np.arange(WORLDS))
    shares = np.bincount(school.lessons["command_type"], minlength=len(COMMAND_NAMES)) / WORLDS
    assert np.allclose(shares, 0.25, atol=0.03)


def test_a_question_is_asked_at_almost_every_step(asked: Counter[str]) -> None:
    assert asked[""] / (60 * WORLDS) < 0.15


def test_every_type_of_question_is_asked(asked: Counter[str]) -> None:
    assert set(QUESTION_NAMES) <= set(asked)


def test_relational_questions_are_common(asked: Counter[str]) -> None:
    total = sum(asked[name] for name in QUESTION_NAMES)
    relational = sum(asked[name] for name in QUESTION_NAMES if "_obj2" in name.removeprefix("rec_obj2"))
    assert relational / total > 0.3


@pytest.mark.parametrize("name", ["rec_loc2obj", "rec_loc_obj2obj"])
def test_a_tenth_of_the_location_questions_point_at_nothing(name: str, asked: Counter[str]) -> None:
    assert asked[f"{name} nothing"] / asked[name] == pytest.approx(0.1, abs=0.02)


def test_some_gaps_between_objects_are_asked_about(asked: Counter[str]) -> None:
    assert 0.02 < asked["rec_bw_obj2obj nothing"] / asked["rec_bw_obj2obj"] < 0.5


def test_the_rate_and_the_types_of_questions_can_be_set() -> None:
    half = questions_of_a_walk(TeacherSettings(question_rate=0.5), steps=10)
    assert half[""] / (10 * WORLDS) == pytest.approx(0.55, abs=0.05)
    one = questions_of_a_walk(TeacherSettings(questions=("rec_col2obj",)), steps=10)
    assert set(one) == {"", "rec_col2obj"}
    none = questions_of_a_walk(TeacherSettings(questions=()), steps=10)
    assert set(none) == {""}

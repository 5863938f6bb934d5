"""What is kept of sessions: where they led, and that questions make no difference to the way."""

import numpy as np
import pytest

from scripted import Tourist, let_the_oracle_respond
from xworld.evaluation.sessions import NOWHERE, begin_sessions, walk, without_questions
from xworld.teacher.settings import COMMAND_NAMES, TeacherSettings

SEEDS = range(300)


@pytest.mark.parametrize("command", COMMAND_NAMES)
def test_a_seed_gives_the_same_session_with_and_without_questions(command: str) -> None:
    asked = begin_sessions(SEEDS, None, TeacherSettings(commands=(command,)))
    silent = begin_sessions(SEEDS, None, without_questions(TeacherSettings(), command))
    np.testing.assert_array_equal(asked.tiles, silent.tiles)
    np.testing.assert_array_equal(asked.commands, silent.commands)
    assert not silent.questions.any()
    outcomes = walk(Tourist(), asked), walk(Tourist(), silent)
    np.testing.assert_array_equal(outcomes[0].trail, outcomes[1].trail)
    assert outcomes[0].asked.sum() > outcomes[1].asked.sum() == 0


def test_a_trail_leads_to_the_target_and_ends_there(monkeypatch: pytest.MonkeyPatch) -> None:
    let_the_oracle_respond(monkeypatch)
    school = begin_sessions(SEEDS, None, TeacherSettings())
    targets = school.worlds["target_row"] * 7 + school.worlds["target_column"]
    outcome = walk(Tourist(), school)
    np.testing.assert_array_equal(outcome.steps, outcome.shortest)
    for trail, steps, target in zip(outcome.trail, outcome.steps, targets, strict=True):
        assert trail[steps - 1] == target
        assert target not in trail[: steps - 1]
        assert (trail[steps:] == NOWHERE).all()

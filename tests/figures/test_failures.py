"""Pictures of failed sessions."""

import io
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from blind import blind_agent
from xworld.agent.agent import Agent
from xworld.evaluation.failures import FailedSession, FailureReport, find_failures
from xworld.evaluation.sessions import begin_sessions, run_sessions, without_questions
from xworld.evaluation.splits import first_seed
from xworld.figures.failures import draw_failures
from xworld.figures.session import record_session
from xworld.teacher.settings import TeacherSettings
from xworld.world.catalogue import Catalogue

SETTINGS = without_questions(TeacherSettings(), "nav_bw_obj")
SEEDS = range(first_seed("validation"), first_seed("validation") + 40)


@pytest.fixture(scope="module")
def agent() -> Agent:
    return blind_agent()


@pytest.fixture(scope="module")
def failed(agent: Agent) -> FailedSession:
    results = {"nav_bw_obj": run_sessions(agent, begin_sessions(SEEDS, None, SETTINGS))}
    sessions = find_failures(agent, results, SEEDS, None, SETTINGS).sessions
    return next(session for session in sessions if session.cause == "back_and_forth")


def test_a_failed_session_is_the_session_of_its_seed(agent: Agent, failed: FailedSession) -> None:
    recorded = record_session(agent, failed.seed, SETTINGS)
    assert (failed.command, failed.cells, failed.target) == (recorded.command, recorded.cells, recorded.target)
    assert failed.shortest == recorded.shortest
    assert failed.attention is not None
    np.testing.assert_array_equal(failed.grid, recorded.grid)
    np.testing.assert_allclose(failed.attention, recorded.snapshots[-1].command.attention, atol=1e-5)


def test_each_cause_has_a_picture_of_its_first_session_with_attention_if_there_is_any(
    failed: FailedSession, catalogue: Catalogue
) -> None:
    blind = replace(failed, cause="other", attention=None)
    later = replace(failed, cells=failed.cells[:9])
    pictures = draw_failures(FailureReport((failed, later, blind), {}, {}), catalogue)
    assert list(pictures) == ["back_and_forth.png", "other.png"]
    wide, narrow = (Image.open(io.BytesIO(picture)).width for picture in pictures.values())
    assert wide > 1.9 * narrow
    assert pictures == draw_failures(FailureReport((failed, blind), {}, {}), catalogue)

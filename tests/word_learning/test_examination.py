"""What was known stays known, in the very same sessions."""

import numpy as np
import pytest

from new_things import ROCKET
from xworld.evaluation.rate import Rate
from xworld.evaluation.success import EvaluationReport
from xworld.teacher.simulator import Simulator
from xworld.training.pretrained import load_agent
from xworld.word_learning import ForgettingReport, evaluate_forgetting, teach
from xworld.word_learning.questions import teacher_settings_for
from xworld.world.catalogue import Catalogue


def test_what_was_known_stays_known(catalogue: Catalogue) -> None:
    taught = teach(load_agent()[0], catalogue, "rocket", ROCKET)
    rest = evaluate_forgetting(taught, sessions=200)
    assert rest.before.success == rest.after.success
    assert rest.before.overall.trials == 200
    assert rest.largest_drop[1] < 2
    saved = evaluate_forgetting(taught, sessions=40, before=rest.before)
    assert saved.before is rest.before


def test_sessions_before_and_after_are_the_same(catalogue: Catalogue) -> None:
    wider, settings = catalogue.with_class("rocket", ROCKET), teacher_settings_for(catalogue)
    simulators = [Simulator(500, each, settings=settings) for each in (catalogue, wider)]
    for simulator in simulators:
        simulator.reset(range(500))
    assert np.array_equal(simulators[0].tiles, simulators[1].tiles)
    assert np.array_equal(simulators[0].commands, simulators[1].commands)
    assert np.array_equal(simulators[0].questions, simulators[1].questions)


def test_falls_are_in_points_and_of_what_was_tried() -> None:
    before = EvaluationReport({"nav_obj": Rate(9, 10), "nav_nr_obj": Rate(5, 10)}, {"rec_col2obj": Rate(0, 0)}, 1.0)
    after = EvaluationReport({"nav_obj": Rate(8, 10), "nav_nr_obj": Rate(6, 10)}, {"rec_col2obj": Rate(0, 0)}, 1.0)
    comparison = ForgettingReport(before, after)
    assert comparison.falls == pytest.approx({"nav_obj": 10.0, "nav_nr_obj": -10.0})
    assert comparison.largest_drop[0] == "nav_obj"

"""A moving window over the last iterations."""

import math

from hypothesis import given, settings
from hypothesis import strategies as st

from made_up_metrics import STEPS, make_metrics, make_silent_metrics
from xworld.evaluation.rate import Rate
from xworld.training.metrics import MovingWindow

rates = st.integers(0, 50).flatmap(lambda trials: st.builds(Rate, st.integers(0, trials), st.just(trials)))


@settings(max_examples=50)
@given(st.lists(st.tuples(rates, rates, st.floats(-1, 1)), min_size=1, max_size=12), st.integers(1, 6))
def test_only_the_last_iterations_count(history: list[tuple[Rate, Rate, float]], size: int) -> None:
    window = MovingWindow(size)
    for number, (success, answers, reward) in enumerate(history, start=1):
        window.add(make_metrics(number, success={"nav_obj": success}, answer_accuracy=answers, session_return=reward))
    last = history[-size:]
    sessions = sum(success.trials for success, _, _ in last)
    assert window.overall == Rate(sum(success.hits for success, _, _ in last), sessions)
    assert window.answer_accuracy.trials == sum(answers.trials for _, answers, _ in last)
    if sessions:
        assert math.isclose(
            window.session_return, sum(success.trials * reward for success, _, reward in last) / sessions, abs_tol=1e-9
        )
    else:
        assert math.isnan(window.session_return)


def test_evaluation_does_not_count_towards_speed() -> None:
    window = MovingWindow()
    for number in (7, 8, 9):
        window.add(make_metrics(number))  # half a second of training
    assert math.isclose(window.steps_per_second, STEPS / 0.5)


def test_silence_is_not_a_number() -> None:
    window = MovingWindow()
    assert not window.losses
    assert not window.success
    assert math.isnan(window.steps_per_second)
    window.add(make_silent_metrics(1))
    window.add(make_metrics(2, losses={"value": 4.0}))
    window.add(make_silent_metrics(3))
    assert window.session_return == 0.25
    assert window.losses == {"policy": -0.125, "value": 8 / 3, "gradient_norm": 0.5}

"""A window over the last rounds."""

import math

from hypothesis import given, settings
from hypothesis import strategies as st

from rounds import FRAMES, make_round, make_silent_round
from xworld.evaluation.rate import Rate
from xworld.training.recent import Recent

rates = st.integers(0, 50).flatmap(lambda trials: st.builds(Rate, st.integers(0, trials), st.just(trials)))


@settings(max_examples=50)
@given(st.lists(st.tuples(rates, rates, st.floats(-1, 1)), min_size=1, max_size=12), st.integers(1, 6))
def test_only_the_last_rounds_count(history: list[tuple[Rate, Rate, float]], size: int) -> None:
    recent = Recent(size)
    for number, (success, answers, reward) in enumerate(history, start=1):
        recent.add(make_round(number, success={"nav_obj": success}, answers=answers, reward=reward))
    window = history[-size:]
    sessions = sum(success.trials for success, _, _ in window)
    assert recent.overall == Rate(sum(success.hits for success, _, _ in window), sessions)
    assert recent.answers.trials == sum(answers.trials for _, answers, _ in window)
    if sessions:
        assert math.isclose(
            recent.reward, sum(success.trials * reward for success, _, reward in window) / sessions, abs_tol=1e-9
        )
    else:
        assert math.isnan(recent.reward)


def test_evaluating_is_no_part_of_speed() -> None:
    recent = Recent()
    for number in (7, 8, 9):
        recent.add(make_round(number))  # half a second of walking and learning
    assert math.isclose(recent.steps_per_second, FRAMES / 0.5)


def test_silence_is_not_a_number() -> None:
    recent = Recent()
    assert not recent.losses
    assert not recent.success
    assert math.isnan(recent.steps_per_second)
    recent.add(make_silent_round(1))
    recent.add(make_round(2, losses={"value": 4.0}))
    recent.add(make_silent_round(3))
    assert recent.reward == 0.25
    assert recent.losses == {"policy": -0.125, "value": 8 / 3, "gradient_norm": 0.5}

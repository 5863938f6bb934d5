"""Two sides are measured in turn."""

from xworld.bench.timing import Comparison, calls_per_second, compare


def test_both_sides_are_measured_in_each_round() -> None:
    speeds, lines = iter([10.0, 1.0, 3000.0, 2.0, 50.0, 2.0]), list[str]()
    result = compare(lambda: next(speeds), lambda: next(speeds), 3, "tiles", "steps/s", lines.append)
    assert result == Comparison((10.0, 3000.0, 50.0), (1.0, 2.0, 2.0))
    assert lines[1] == "tiles, round 2 of 3: 3,000 beside 2 steps/s"


def test_an_action_is_called_with_its_turn() -> None:
    turns = list[int]()
    assert calls_per_second(turns.append, 0.01) > 0
    assert turns == list(range(len(turns)))

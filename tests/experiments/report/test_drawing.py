"""What the figures draw: averages, and names that do not overlap."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from xworld.experiments.report.figures import _smooth
from xworld.experiments.report.style import label_ends


@pytest.mark.parametrize("length", [50, 500, 5000])
def test_an_average_of_a_straight_line_is_the_line(length: int) -> None:
    line = np.linspace(0.0, 1.0, length)
    smooth = _smooth(line)
    inner = slice(length // 10, -length // 10)
    assert smooth.shape == line.shape
    assert smooth[inner] == pytest.approx(line[inner])


def test_an_average_takes_the_noise_away() -> None:
    noise = np.random.default_rng(0).normal(size=5000)
    assert _smooth(noise).std() < noise.std() / 3


def test_names_at_the_ends_of_lines_keep_their_order_and_their_distance() -> None:
    axes = Figure().subplots()
    label_ends(
        axes, {"third": (12.0, "blue"), "first": (10.0, "red"), "second": (11.0, "green"), "far": (40.0, "red")}, gap=5
    )
    heights = {text.get_text(): text.xy[1] for text in axes.texts}  # type: ignore[attr-defined]
    assert heights == {"first": 10.0, "second": 15.0, "third": 20.0, "far": 40.0}

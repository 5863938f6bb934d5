"""What the figures draw: averages, names that do not overlap, and everything else as it was drawn before."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

from results import make_result
from xworld.experiments.grid import Grid
from xworld.experiments.report.cells import Cells
from xworld.experiments.report.figures import FIGURES, _smooth
from xworld.experiments.report.style import THEMES, label_ends

DRAWN = Path(__file__).parents[2] / "golden" / "figures.json"
"""What `describe` says of each figure. After one was changed on purpose, look at it, and write all of them again with
`python tests/experiments/report/test_drawing.py`, with `tests` on the path."""


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


def describe(figure: Figure) -> list[Any]:
    """The numbers and texts of a figure, in a few words, whatever the version of Matplotlib."""
    parts: list[Any] = [[*map(float, figure.get_size_inches())]]
    for axes in figure.axes:
        parts += [
            ["limits", *map(float, (*axes.get_xlim(), *axes.get_ylim()))],
            ["ticks", *map(float, (*axes.get_xticks(), *axes.get_yticks()))],
        ]
        parts += [["line", float(line.get_linewidth()), *summary(line.get_xydata())] for line in axes.lines]
        parts += [["points", *summary(marks.get_offsets())] for marks in axes.collections]
        parts += [["area", *summary(path.vertices)] for area in axes.collections for path in area.get_paths()]
        parts += [["patch", *summary(patch.get_path().vertices)] for patch in axes.patches]
        parts += [["text", text.get_text(), *map(float, text.get_position())] for text in axes.texts]
        parts.append(["names", axes.get_title(), axes.get_xlabel(), axes.get_ylabel()])
    for legend in (*figure.legends, *(axes.get_legend() for axes in figure.axes)):
        if legend is not None:
            anchor = legend.get_bbox_to_anchor().bounds
            parts.append(["legend", *(text.get_text() for text in legend.texts), *map(float, anchor)])
    return parts


def summary(values: Any) -> list[float]:
    """A few numbers that change if any of the values does."""
    flat = np.asarray(values, np.float64).ravel()
    weights = np.cos(np.arange(len(flat)))
    return [float(len(flat)), float(np.nansum(flat)), float(np.nansum(flat * weights))]


def made_up() -> Cells:
    jobs = Grid(seeds=(0, 1, 2)).jobs()
    return Cells(
        [make_result(job, 0.5 + 0.07 * (number % 7), 0.4 + 0.09 * (number % 5)) for number, job in enumerate(jobs)]
    )


def publish() -> None:
    """Write the golden file with the figures of this version."""
    drawn = {name: describe(figure) for name, draw in FIGURES.items() if (figure := draw(made_up(), THEMES[0]))}
    DRAWN.write_text(json.dumps(drawn) + "\n")


@pytest.mark.parametrize("name", FIGURES)
def test_figures_are_drawn_as_before(name: str) -> None:
    figure = FIGURES[name](made_up(), THEMES[0])
    assert figure is not None
    drawn, expected = describe(figure), json.loads(DRAWN.read_text())[name]
    assert len(drawn) == len(expected)
    for now, before in zip(drawn, expected, strict=True):
        assert [part for part in now if isinstance(part, str)] == [part for part in before if isinstance(part, str)]
        numbers = [[part for part in parts if not isinstance(part, str)] for parts in (now, before)]
        assert numbers[0] == pytest.approx(numbers[1], rel=1e-6, abs=1e-9), now


if __name__ == "__main__":
    publish()

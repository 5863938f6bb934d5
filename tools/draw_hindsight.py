"""Draw the effect of hindsight for docs/results/notes.md, from docs/results and the logs without it in docs/curves.

python tools/draw_hindsight.py
"""

import csv
import sys
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from xworld.experiments.report.cells import Cells
from xworld.experiments.report.paper import TITLES
from xworld.experiments.report.style import THEMES, Theme, styled
from xworld.experiments.result import read_all
from xworld.figures.style import render

DOCS = Path(__file__).parents[1] / "docs"
MODELS: tuple[str, ...] = ("framework", "simple_attention", "no_trans_share")
SHOWN = 0.98
"""Millions of steps: more than the longest log has, to leave room for a label."""
SMOOTH = 4
"""Iterations over which a curve is averaged; an iteration is 8,192 steps."""


def read_log(model: str) -> np.ndarray:
    """(iterations, 2) Steps and reward per session, without hindsight."""
    with (DOCS / "curves" / f"no-hindsight-{model}.csv").open(encoding="utf-8") as file:
        return np.array([(float(row["global_step"]), float(row["session_return"])) for row in csv.DictReader(file)])


def smooth(curve: np.ndarray) -> np.ndarray:
    window = np.ones(SMOOTH) / SMOOTH
    return np.stack([np.convolve(column, window, mode="valid") for column in curve.T], axis=1)


def draw_panel(axes: Axes, model: str, cells: Cells, theme: Theme) -> None:
    for curve in cells.curves(model, "Standard", "session_return"):
        global_step, reward = smooth(np.array(curve)).T
        axes.plot(global_step / 1e6, reward, color=theme.models[model], linewidth=1.2)
    global_step, reward = smooth(read_log(model)).T
    axes.plot(global_step / 1e6, reward, color=theme.ink, linestyle=(0, (2, 1)), linewidth=1.6)
    axes.annotate(
        "without", (global_step[-1] / 1e6, reward[-1]), xytext=(5, 0), textcoords="offset points", va="center"
    )
    axes.set_title(TITLES[model])
    axes.set_xlabel("steps, millions")
    axes.set_xlim(0, SHOWN)


def draw(cells: Cells, theme: Theme) -> bytes:
    with styled(theme):
        figure = Figure(figsize=(9.2, 2.8))
        panels = figure.subplots(1, len(MODELS), sharey=True, gridspec_kw={"wspace": 0.1})
        for axes, model in zip(panels, MODELS, strict=True):
            draw_panel(axes, model, cells, theme)
        panels[0].set_ylabel("reward per session")
        return render(figure, "svg")


def main() -> None:
    results, faults = read_all(DOCS / "results")
    if faults:
        sys.exit("\n".join(faults))
    for theme in THEMES:
        (DOCS / "images" / f"hindsight-{theme.name}.svg").write_bytes(draw(Cells(results), theme))


if __name__ == "__main__":
    main()

"""Draw the curves of `paper2017` for docs/fidelity.md, from the logs in docs/curves.

python tools/draw_paper2017.py
"""

import csv
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from xworld.experiments.report.style import THEMES, Theme, label_ends, styled
from xworld.figures.style import render

DOCS = Path(__file__).parents[1] / "docs"
RUNS = {"1e-5": "10⁻⁵ (printed)", "1e-3": "10⁻³", "1e-2": "10⁻²"}
"""Learning rates: in the names of the logs, and in the figure."""
PANELS = {
    "answer_accuracy": "right answers",
    "success": "success while exploring",
    "loss_recognition": "loss on answers",
}
STEPS_PER_BATCH = 16
SMOOTH = 6
"""Iterations over which a curve is averaged; an iteration is 500 batches."""


def read_log(rate: str) -> dict[str, np.ndarray]:
    with (DOCS / "curves" / f"paper2017-{rate}.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return {name: np.array([float(row[name] or "nan") for row in rows]) for name in ("global_step", *PANELS)}


def draw_panel(axes: Axes, column: str, logs: dict[str, dict[str, np.ndarray]], colors: dict[str, str]) -> None:
    ends = {}
    for rate, log in logs.items():
        smooth = np.convolve(log[column], np.ones(SMOOTH) / SMOOTH, mode="valid")
        axes.plot(log["global_step"][SMOOTH - 1 :] / STEPS_PER_BATCH / 1e3, smooth, color=colors[rate], linewidth=1.6)
        ends[RUNS[rate]] = (float(smooth[-1]), colors[rate])
    axes.set_title(PANELS[column])
    axes.set_xlabel("batches, thousands")
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    if column == list(PANELS)[-1]:
        low, high = axes.get_ylim()
        label_ends(axes, ends, gap=0.09 * (high - low))


def draw(theme: Theme) -> bytes:
    hues = (theme.models["framework"], theme.models["simple_attention"], theme.models["no_trans_share"])
    colors = dict(zip(RUNS, hues, strict=True))
    logs = {rate: read_log(rate) for rate in RUNS}
    with styled(theme):
        figure = Figure(figsize=(10.5, 2.8))
        panels = figure.subplots(1, len(PANELS), gridspec_kw={"wspace": 0.3})
        for axes, column in zip(panels, PANELS, strict=True):
            draw_panel(axes, column, logs, colors)
        return render(figure, "svg")


def main() -> None:
    for theme in THEMES:
        (DOCS / "images" / f"paper2017-{theme.name}.svg").write_bytes(draw(theme))


if __name__ == "__main__":
    main()

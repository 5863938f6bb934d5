"""The figures of the report, each drawn for light and for dark pages."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from xworld.experiments.grid import IN_ALL_CONDITIONS
from xworld.experiments.report.cells import Cells, Curve
from xworld.experiments.report.paper import ROWS, TABLE_1B, title_of
from xworld.experiments.report.style import LINES, MARKS, THEMES, Theme, label_ends, styled
from xworld.figures.style import render
from xworld.teacher.holdout import CONDITIONS
from xworld.teacher.settings import COMMAND_NAMES

_POINTS = 200
"""Points of a curve; more could not be told apart."""
_MONOSPACE = "DejaVu Sans Mono"
_RING: dict[str, Any] = {"markersize": 8.5, "markerfacecolor": "none"}


def draw_all(cells: Cells, page: str) -> dict[str, bytes]:
    """All figures for which there are results, by file name; it begins with the name of the page."""
    files = {}
    for name, draw in FIGURES.items():
        for theme in THEMES:
            with styled(theme):
                if (figure := draw(cells, theme)) is not None:
                    files[f"{page}-{name}-{theme.name}.svg"] = render(figure, "svg")
    return files


def draw_rewards(cells: Cells, theme: Theme) -> Figure | None:
    """The paper's Figure 3: the return of a session during training, mean and range over seeds."""
    bands = {
        model: band for model in cells.models if (band := _band(cells.curves(model, "Standard", "session_return")))
    }
    if not bands:
        return None
    figure = Figure(figsize=(7.6, 4.2))
    axes = figure.subplots()
    last = max(float(steps[-1]) for steps, *_ in bands.values())
    unit, name = (1e6, "millions") if last >= 1e6 else (1e3, "thousands")
    for place, (model, (steps, low, mean, high)) in enumerate(bands.items()):
        color, front = theme.color(model), 10 - place
        axes.fill_between(steps / unit, low, high, color=color, alpha=0.2, linewidth=0, zorder=front)
        axes.plot(steps / unit, mean, color=color, linestyle=LINES.get(model, "-"), linewidth=1.8, zorder=front)
    axes.set(xlim=(0, last / unit), xlabel=f"environment steps, {name}", ylabel="discounted reward per session")
    bottom, top = axes.get_ylim()
    ends = {title_of(model): (float(mean[-1]), theme.color(model)) for model, (_, _, mean, _) in bands.items()}
    label_ends(axes, ends, gap=0.055 * (top - bottom))
    return figure


def draw_conditions(cells: Cells, theme: Theme) -> Figure | None:
    """Table 1b: success by condition and type of command, ours filled and the paper's as rings."""
    if not cells.hold_something_out(IN_ALL_CONDITIONS):
        return None
    figure = Figure(figsize=(9.2, 4.0))
    panels = figure.subplots(1, len(CONDITIONS), sharey=True, gridspec_kw={"wspace": 0.12})
    for axes, condition in zip(panels, CONDITIONS, strict=True):
        for model, shift in zip(IN_ALL_CONDITIONS, (-0.25, 0.0, 0.25), strict=True):
            _draw_condition(axes, cells, model, condition, shift, theme.color(model))
        if condition == "Standard":
            axes.text(50, 0.75 * len(ROWS) - 0.5, "nothing held out", ha="center", va="center", color=theme.quiet)
        axes.axhline(len(ROWS) / 2 - 0.5, color=theme.quiet, linewidth=0.8)
        _scale_percent(axes)
        axes.set_title(condition)
    _label_rows(panels[0], ROWS, family=_MONOSPACE, fontsize=9)
    figure.supxlabel("success, %", fontsize=10, y=-0.02)
    handles = dict(sorted(zip(*reversed(panels[0].get_legend_handles_labels()), strict=True)))
    place: dict[str, Any] = {"loc": "lower center", "bbox_to_anchor": (0.5, 0.95), "ncols": 4}
    figure.legend(handles.values(), handles.keys(), **place, handletextpad=0.2)
    return figure


def _draw_condition(axes: Axes, cells: Cells, model: str, condition: str, shift: float, color: str) -> None:
    places, paper = {row: place + shift for place, row in enumerate(ROWS)}, TABLE_1B.get(model, {})
    mark = MARKS[model]
    ours = {row: estimate for row in ROWS if (estimate := cells.estimate(model, condition, row))}
    axes.errorbar(
        [estimate.mean for estimate in ours.values()],
        [places[row] for row in ours],
        xerr=[estimate.half or 0.0 for estimate in ours.values()],
        fmt=mark, color=color, markersize=4.5, elinewidth=1.4, label=title_of(model), zorder=3,
    )  # fmt: skip
    if paper:
        printed = {places[row]: paper[row, condition] for row in ROWS if (row, condition) in paper}
        label = f"{title_of(model)}, the paper"
        axes.plot([*printed.values()], [*printed], mark, color=color, label=label, **_RING)


def draw_pairs(cells: Cells, theme: Theme) -> Figure | None:
    """Pairs told apart, filled, and success in single sessions of the same pairs, hollow, by type of command."""
    models = [model for model in cells.models if cells.estimate(model, "Standard", "pairs_overall")]
    if not models:
        return None
    figure = Figure(figsize=(9.2, 0.9 + 0.3 * len(models)))
    panels = figure.subplots(1, len(COMMAND_NAMES), sharey=True, gridspec_kw={"wspace": 0.12})
    for axes, command in zip(panels, COMMAND_NAMES, strict=True):
        for place, model in enumerate(models):
            _draw_pairs_of(axes, cells, model, command, place, theme.color(model))
        _scale_percent(axes)
        axes.set_title(command, family=_MONOSPACE, fontsize=9)
    _label_rows(panels[0], [title_of(model) for model in models])
    figure.supxlabel("%", fontsize=10, y=-0.06)
    return figure


def _draw_pairs_of(axes: Axes, cells: Cells, model: str, command: str, place: int, color: str) -> None:
    told, single = (cells.estimate(model, "Standard", f"pairs_{command}{end}") for end in ("", "_single"))
    if told is None or single is None:
        return
    mark = MARKS.get(model, "X")
    axes.plot([told.mean, single.mean], [place, place], color=color, alpha=0.35, linewidth=3, solid_capstyle="butt")
    axes.errorbar(told.mean, place, xerr=told.half or 0.0, fmt=mark, color=color, markersize=5, elinewidth=1.4)
    axes.plot([single.mean], [place], mark, color=color, **_RING)


def _scale_percent(axes: Axes) -> None:
    """From 0 to 100 %, with room for marks at both ends and no horizontal lines."""
    axes.set_xlim(-4, 104)
    axes.set_xticks([0, 50, 100])
    axes.set_xticks([25, 75], minor=True)
    axes.grid(visible=False, axis="y")
    axes.grid(visible=True, axis="x", which="both")
    axes.tick_params(axis="y", length=0)


def _label_rows(axes: Axes, names: Sequence[str], **font: Any) -> None:
    axes.set_yticks(range(len(names)), names, **font)
    axes.set_ylim(len(names) - 0.5, -0.5)


def draw_shares(cells: Cells, theme: Theme) -> Figure | None:
    """Success against the share of words held out: on held-out commands and on all."""
    shares = cells.shares("planner", "NWNavRec")
    if len(shares) < 2:
        return None
    figure = Figure(figsize=(5.6, 3.8))
    axes, ends = figure.subplots(), {}
    for title, name, mark, color in (
        ("held-out commands", "*overall", MARKS["simple_attention"], theme.color("simple_attention")),
        ("all commands", "overall", MARKS["planner"], theme.color("planner")),
    ):
        ends[title] = _draw_share(axes, cells, shares, name, mark, color), color
    axes.set_xticks([100 * share for share in shares])
    axes.set(ylim=(0, 104), xlabel="words held out, % of 40", ylabel="success, %")
    label_ends(axes, ends, gap=7)
    return figure


def _draw_share(axes: Axes, cells: Cells, shares: Sequence[float], name: str, mark: str, color: str) -> float:
    """One line with its intervals and seeds; returns the height at which it ends."""
    found = {100 * share: cells.estimate("planner", "NWNavRec", name, share) for share in shares}
    known = {share: estimate for share, estimate in found.items() if estimate is not None}
    means, halves = [e.mean for e in known.values()], [e.half or 0.0 for e in known.values()]
    axes.errorbar([*known], means, halves, fmt=f"-{mark}", color=color, capsize=3, linewidth=1.8, markersize=5)
    for share, estimate in known.items():
        beside = [share + 1.3] * len(estimate.values)  # each seed, a little to the right of the mean
        axes.plot(beside, estimate.values, ".", color=color, alpha=0.6, markersize=5)
    return means[-1] if means else 0.0


def _band(curves: Sequence[Curve]) -> tuple[NDArray[np.float64], ...] | None:
    """Steps, and the minimum, mean and maximum of the curves where all of them are known."""
    whole = [np.array(curve) for curve in curves if len(curve) > 1]
    if not whole:
        return None
    steps = np.linspace(max(curve[0, 0] for curve in whole), min(curve[-1, 0] for curve in whole), _POINTS)
    values = np.stack([np.interp(steps, curve[:, 0], _smooth(curve[:, 1])) for curve in whole])
    return steps, values.min(axis=0), values.mean(axis=0), values.max(axis=0)


def _smooth(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """A moving average as wide as the distance between two drawn points."""
    reach = len(values) // (2 * _POINTS)
    padded = np.pad(values, reach, mode="edge")
    return np.convolve(padded, np.full(2 * reach + 1, 1 / (2 * reach + 1)), mode="valid")


FIGURES: Mapping[str, Callable[[Cells, Theme], Figure | None]] = {
    "rewards": draw_rewards,
    "conditions": draw_conditions,
    "shares": draw_shares,
    "pairs": draw_pairs,
}
"""By the middle of their file names."""

"""The figures of the report, each drawn for light and for dark pages."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from xworld.baselines.names import MODEL_NAMES, ModelName
from xworld.experiments.grid import IN_ALL_CONDITIONS
from xworld.experiments.report.cells import Cells, Curve
from xworld.experiments.report.paper import ROWS, TABLE_1B, TITLES
from xworld.experiments.report.style import LINES, MARKS, THEMES, Theme, as_svg, label_ends, styled
from xworld.teacher.holdout import CONDITIONS
from xworld.teacher.settings import COMMAND_NAMES

_POINTS = 200
"""Of a curve; more could not be told apart."""

_BESIDE = 1.3
"""How far from a mean its seeds are drawn, in %."""


def draw_all(cells: Cells) -> dict[str, bytes]:
    """All figures for which there are results, by file name."""
    files = {}
    for name, draw in FIGURES.items():
        for theme in THEMES:
            with styled(theme):
                if (figure := draw(cells, theme)) is not None:
                    files[file_name(name, theme)] = as_svg(figure)
    return files


def file_name(name: str, theme: Theme) -> str:
    """What the file of a figure is called."""
    return f"results-{name}-{theme.name}.svg"


def draw_rewards(cells: Cells, theme: Theme) -> Figure | None:
    """The paper's Figure 3: the reward of a session in the course of training, mean and range over seeds."""
    curves = {
        model: drawn for model in MODEL_NAMES if (drawn := _band(cells.curves(model, "Standard", "session_return")))
    }
    if not curves:
        return None
    figure = Figure(figsize=(7.6, 4.2))
    axes = figure.subplots()
    last = max(float(global_step[-1]) for global_step, *_ in curves.values())
    unit, name = (1e6, "millions") if last >= 1e6 else (1e3, "thousands")
    for model, (global_step, low, mean, high) in curves.items():
        color, front = theme.models[model], 10 - MODEL_NAMES.index(model)
        axes.fill_between(global_step / unit, low, high, color=color, alpha=0.2, linewidth=0, zorder=front)
        axes.plot(global_step / unit, mean, color=color, linestyle=LINES[model], linewidth=1.8, zorder=front)
    axes.set_xlim(0, last / unit)
    axes.set_xlabel(f"steps of the agent, {name}")
    axes.set_ylabel("discounted reward of a session")
    bottom, top = axes.get_ylim()
    ends = {TITLES[model]: (float(mean[-1]), theme.models[model]) for model, (_, _, mean, _) in curves.items()}
    label_ends(axes, ends, gap=0.055 * (top - bottom))
    return figure


def draw_conditions(cells: Cells, theme: Theme) -> Figure | None:
    """Table 1b: success by condition and type of command, ours filled and the paper's as rings."""
    if not any(cells.conditions(model) for model in IN_ALL_CONDITIONS):
        return None
    figure = Figure(figsize=(9.2, 4.0))
    all_axes = figure.subplots(1, len(CONDITIONS), sharey=True, gridspec_kw={"wspace": 0.12})
    for axes, condition in zip(all_axes, CONDITIONS, strict=True):
        _draw_condition(axes, cells, condition, theme)
    all_axes[0].set_yticks(range(len(ROWS)), ROWS, family="DejaVu Sans Mono", fontsize=9)
    all_axes[0].set_ylim(len(ROWS) - 0.5, -0.5)
    figure.supxlabel("success, %", fontsize=10, y=-0.02)
    handles = dict(sorted(zip(*reversed(all_axes[0].get_legend_handles_labels()), strict=True)))
    figure.legend(
        handles.values(), handles.keys(), loc="lower center", bbox_to_anchor=(0.5, 0.95), ncols=4, handletextpad=0.2
    )
    return figure


def _draw_condition(axes: Axes, cells: Cells, condition: str, theme: Theme) -> None:
    for model, shift in zip(IN_ALL_CONDITIONS, (-0.15, 0.15), strict=True):
        ours = [(place, cells.estimate(model, condition, row)) for place, row in enumerate(ROWS)]
        known = [(place + shift, estimate) for place, estimate in ours if estimate is not None]
        color, mark = theme.models[model], MARKS[model]
        axes.errorbar(
            [estimate.mean for _, estimate in known],
            [place for place, _ in known],
            xerr=[estimate.half or 0.0 for _, estimate in known],
            fmt=mark, color=color, markersize=4.5, elinewidth=1.4, label=TITLES[model], zorder=3,
        )  # fmt: skip
        printed = [(place + shift, TABLE_1B[model].get((row, condition))) for place, row in enumerate(ROWS)]
        there = [(place, figure) for place, figure in printed if figure is not None]
        axes.plot(
            [figure for _, figure in there],
            [place for place, _ in there],
            mark, color=color, markersize=8.5, markerfacecolor="none", label=f"{TITLES[model]}, the paper",
        )  # fmt: skip
    if condition == "Standard":
        axes.text(50, 0.75 * len(ROWS) - 0.5, "nothing is held out", ha="center", va="center", color=theme.quiet)
    axes.axhline(len(ROWS) / 2 - 0.5, color=theme.quiet, linewidth=0.8)
    _scale_percent(axes)
    axes.set_title(condition)


def draw_twins(cells: Cells, theme: Theme) -> Figure | None:
    """Pairs told apart, filled, and success in the same sessions one by one, hollow, by type of command in Standard."""
    models = [model for model in MODEL_NAMES if cells.estimate(model, "Standard", "pairs_overall")]
    if not models:
        return None
    figure = Figure(figsize=(9.2, 0.9 + 0.3 * len(models)))
    all_axes = figure.subplots(1, len(COMMAND_NAMES), sharey=True, gridspec_kw={"wspace": 0.12})
    for axes, command in zip(all_axes, COMMAND_NAMES, strict=True):
        for place, model in enumerate(models):
            _draw_pairs_of(axes, cells, model, command, place, theme)
        _scale_percent(axes)
        axes.set_title(command, family="DejaVu Sans Mono", fontsize=9)
    all_axes[0].set_yticks(range(len(models)), [TITLES[model] for model in models])
    all_axes[0].set_ylim(len(models) - 0.5, -0.5)
    figure.supxlabel("%", fontsize=10, y=-0.06)
    return figure


def _draw_pairs_of(axes: Axes, cells: Cells, model: ModelName, command: str, place: int, theme: Theme) -> None:
    told, single = (cells.estimate(model, "Standard", f"pairs_{command}{end}") for end in ("", "_single"))
    if told is None or single is None:
        return
    color, mark = theme.models[model], MARKS[model]
    axes.plot([told.mean, single.mean], [place, place], color=color, alpha=0.35, linewidth=3, solid_capstyle="butt")
    axes.errorbar(told.mean, place, xerr=told.half or 0.0, fmt=mark, color=color, markersize=5, elinewidth=1.4)
    axes.plot(single.mean, place, mark, color=color, markersize=8.5, markerfacecolor="none")


def _scale_percent(axes: Axes) -> None:
    """From 0 to 100 %, with room for marks at both ends and no lines across."""
    axes.set_xlim(-4, 104)
    axes.set_xticks([0, 50, 100])
    axes.set_xticks([25, 75], minor=True)
    axes.grid(visible=False, axis="y")
    axes.grid(visible=True, axis="x", which="both")
    axes.tick_params(axis="y", length=0)


def draw_shares(cells: Cells, theme: Theme) -> Figure | None:
    """Success against the share of words held out: on held-out commands and on all."""
    shares = cells.shares("framework", "NWNavRec")
    if len(shares) < 2:
        return None
    figure = Figure(figsize=(5.6, 3.8))
    axes = figure.subplots()
    held_out = _draw_share(axes, cells, shares, "*overall", theme.models["simple_attention"], MARKS["simple_attention"])
    everything = _draw_share(axes, cells, shares, "overall", theme.models["framework"], MARKS["framework"])
    axes.set_xticks([100 * share for share in shares])
    axes.set_ylim(0, 104)
    axes.set_xlabel("words held out, % of 40")
    axes.set_ylabel("success, %")
    label_ends(axes, {"held-out commands": held_out, "all commands": everything}, gap=7)
    return figure


def _draw_share(
    axes: Axes, cells: Cells, shares: Sequence[float], name: str, color: str, mark: str
) -> tuple[float, str]:
    """One line, its intervals and its seeds; returns at which height it ends, and its color."""
    found = [(100 * share, cells.estimate("framework", "NWNavRec", name, share)) for share in shares]
    known = [(share, estimate) for share, estimate in found if estimate is not None]
    across, means = [share for share, _ in known], [estimate.mean for _, estimate in known]
    halves = [estimate.half or 0.0 for _, estimate in known]
    axes.errorbar(across, means, halves, fmt=f"-{mark}", color=color, capsize=3, linewidth=1.8, markersize=5)
    for share, estimate in known:
        beside = [share + _BESIDE] * len(estimate.values)
        axes.plot(beside, estimate.values, ".", color=color, alpha=0.6, markersize=5)
    return (means[-1] if means else 0.0), color


def _band(curves: Sequence[Curve]) -> tuple[NDArray[np.float64], ...] | None:
    """Frames, and the lowest, the mean and the highest of some curves where all of them are known."""
    whole = [np.array(curve) for curve in curves if len(curve) > 1]
    if not whole:
        return None
    global_step = np.linspace(max(curve[0, 0] for curve in whole), min(curve[-1, 0] for curve in whole), _POINTS)
    values = np.stack([np.interp(global_step, curve[:, 0], _smooth(curve[:, 1])) for curve in whole])
    return global_step, values.min(axis=0), values.mean(axis=0), values.max(axis=0)


def _smooth(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each value averaged with its neighbors, as far as a point of the drawn curve stands for them."""
    reach = len(values) // (2 * _POINTS)
    padded = np.pad(values, reach, mode="edge")
    return np.convolve(padded, np.full(2 * reach + 1, 1 / (2 * reach + 1)), mode="valid")


FIGURES: Mapping[str, Callable[[Cells, Theme], Figure | None]] = {
    "rewards": draw_rewards,
    "conditions": draw_conditions,
    "shares": draw_shares,
    "minimal_pairs": draw_twins,
}
"""By the middle of their file names."""

"""The look of figures: colors that color-blind people can tell apart, on light and on dark pages."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes


@dataclass(frozen=True)
class Theme:
    """The colors of a page. Figures have no background of their own."""

    name: str
    ink: str
    quiet: str
    """For what stays in the background: axes, ticks, the paper's numbers."""
    grid: str
    models: Mapping[str, str]

    def color(self, model: str) -> str:
        """The color of a model; models that are not the paper's are drawn in ink."""
        return self.models.get(model, self.ink)


# The colors of Okabe and Ito; blue and sky blue are a little darker or lighter for contrast.
_COMMON: dict[str, str] = {
    "planner": "#7A5CC8", "simple_attention": "#D55E00", "no_trans_share": "#009E73", "vis_lstm": "#CC79A7",
    "san": "#E69F00",
}  # fmt: skip
LIGHT = Theme("light", "#1f2328", "#59636e", "#d8dee4", {**_COMMON, "framework": "#0060A8", "multimodal": "#3FA5E0"})
DARK = Theme("dark", "#e6edf3", "#9198a1", "#2d333b", {**_COMMON, "framework": "#3D96F0", "multimodal": "#8FD0F5"})
THEMES = LIGHT, DARK

LINES: Mapping[str, Any] = {
    "planner": "-", "framework": (0, (2.5, 1.0)), "simple_attention": (0, (6, 1.5)), "no_trans_share": (0, (3.5, 1.5)),
    "vis_lstm": (0, (1.2, 1.2)), "multimodal": (0, (5, 1.5, 1.2, 1.5)), "san": (0, (5, 1.5, 1.2, 1.5, 1.2, 1.5)),
}  # fmt: skip
MARKS: Mapping[str, str] = {
    "planner": "*", "framework": "o", "simple_attention": "s", "no_trans_share": "^", "vis_lstm": "D",
    "multimodal": "v", "san": "P",
}  # fmt: skip


def styled(theme: Theme) -> Any:
    """A context in which figures are drawn for this theme."""
    ink, quiet = theme.ink, theme.quiet
    return rc_context(
        {
            "font.family": "DejaVu Sans",  # comes with Matplotlib, so figures are the same everywhere
            "font.size": 10,
            "text.color": ink, "axes.labelcolor": ink, "xtick.labelcolor": ink, "ytick.labelcolor": ink,
            "axes.edgecolor": quiet, "xtick.color": quiet, "ytick.color": quiet,
            "axes.linewidth": 0.8, "axes.axisbelow": True, "axes.spines.top": False, "axes.spines.right": False,
            "axes.titlesize": 10.5, "axes.titleweight": "bold",
            "axes.grid": True, "grid.color": theme.grid, "grid.linewidth": 0.8,
            "legend.frameon": False, "figure.facecolor": "none", "axes.facecolor": "none",
            "savefig.bbox": "tight", "savefig.pad_inches": 0.05,
            "svg.hashsalt": "xworld",  # the same figure is the same file
        }
    )  # fmt: skip


def label_ends(axes: Axes, labels: Mapping[str, tuple[float, str]], gap: float) -> None:
    """Names to the right of the axes, each at the height of its line's end and in its color, without overlap."""
    heights: list[float] = []
    for text, (height, color) in sorted(labels.items(), key=lambda label: label[1][0]):
        heights.append(max(height, heights[-1] + gap) if heights else height)
        axes.annotate(
            text, (1.0, heights[-1]), xycoords=axes.get_yaxis_transform(), xytext=(8, 0), textcoords="offset points",
            va="center", color=color, fontweight="bold", annotation_clip=False,
        )  # fmt: skip

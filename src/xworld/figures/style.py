"""The look of the figures: one color for commands and one for questions, on a white background.

The background is part of a figure, so it looks the same on light and on dark pages. Color-blind people can tell blue
from orange, and every color bar rises evenly in lightness, so it survives a gray printer.
"""

import io
from collections.abc import Mapping
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, PowerNorm
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch

PAPER, INK, QUIET, LINE = "#ffffff", "#1f2328", "#59636e", "#d8dee4"
COMMAND, QUESTION = "#0B5FA5", "#C2500A"
RIGHT, WRONG = "#00795A", "#B3261E"

COMMAND_SHADES = LinearSegmentedColormap.from_list("command", [PAPER, "#A9CFF0", "#3A8BD0", COMMAND, "#062F54"])
QUESTION_SHADES = LinearSegmentedColormap.from_list("question", [PAPER, "#F6CBA8", "#E58A45", QUESTION, "#5A2203"])

_NO_DATES: Mapping[str, dict[str, None]] = {
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "png": {"Software": None},
}


def attention_scale() -> PowerNorm:
    """From 0 to 1 by the square root, so that little attention is still visible."""
    return PowerNorm(0.5, 0.0, 1.0, clip=True)


def styled() -> Any:
    """A context in which figures are drawn and rendered in this style."""
    return rc_context(
        {
            "font.family": "DejaVu Sans",  # comes with Matplotlib, so figures are the same everywhere
            "font.size": 9, "text.color": INK, "axes.labelcolor": INK, "axes.titlesize": 9,
            "axes.edgecolor": QUIET, "axes.linewidth": 0.8, "xtick.color": QUIET, "ytick.color": QUIET,
            "figure.facecolor": PAPER, "axes.facecolor": PAPER,
            "image.composite_image": False,  # every picture is embedded pixel by pixel
            "svg.hashsalt": "xworld",  # the same figure is the same file
        }
    )  # fmt: skip


def render(figure: Figure, kind: str) -> bytes:
    """A figure as a file; the same figure is the same bytes."""
    file = io.BytesIO()
    figure.savefig(file, format=kind, dpi=150, metadata=_NO_DATES[kind])
    return file.getvalue()


def place(figure: Figure, left: float, top: float, width: float, height: float) -> Axes:
    """Bare axes at a place in inches from the upper left corner."""
    across, down = figure.get_size_inches()
    axes = figure.add_axes((left / across, 1 - (top + height) / down, width / across, height / down))
    axes.set(xticks=[], yticks=[])
    return axes


def write(figure: Figure, left: float, top: float, text: str, **options: Any) -> None:
    """Text at a place in inches from the upper left corner."""
    across, down = figure.get_size_inches()
    figure.text(left / across, 1 - top / down, text, **{"va": "top", **options})


def add_title(figure: Figure, title: str, explanation: str = "", top: float = 0.38) -> None:
    """The title of a figure, and below it how to read the figure."""
    write(figure, 0.2, 0.1, title, fontsize=13, fontweight="bold")
    write(figure, 0.2, top, explanation, fontsize=8, color=QUIET, linespacing=1.4)


def point(figure: Figure, start: tuple[float, float], end: tuple[float, float]) -> None:
    """An arrow between two places in inches from the upper left corner."""
    across, down = figure.get_size_inches()
    ends = [(left / across, 1 - top / down) for left, top in (start, end)]
    figure.add_artist(
        FancyArrowPatch(
            ends[0], ends[1], transform=figure.transFigure, arrowstyle="-|>", mutation_scale=13, color=QUIET,
            linewidth=1.4, shrinkA=0, shrinkB=0,
        )
    )  # fmt: skip


def add_scale(figure: Figure, left: float, top: float, width: float, label: str) -> None:
    """A color bar for attention to a command."""
    axes = place(figure, left, top, width, 0.11)
    axes.pcolormesh([step / 64 for step in range(65)], [0, 1], [[(step + 0.5) / 64 for step in range(64)]],
                    cmap=COMMAND_SHADES, norm=attention_scale(), rasterized=True)  # fmt: skip
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "0.25", "0.5", "0.75", "1"], fontsize=7.5)
    axes.tick_params(length=2, pad=2)
    axes.set_title(label, fontsize=8, color=QUIET, pad=3)

"""Sentences with their words shaded by attention."""

from collections.abc import Sequence
from itertools import accumulate

from matplotlib.axes import Axes
from matplotlib.colors import Colormap
from matplotlib.figure import Figure

from xworld.agent.thought import Map, Thought
from xworld.figures.style import COMMAND_SHADES, INK, PAPER, QUIET, attention_scale, place

_ROOM = 1.6
"""Around a word, in letters."""
_LETTER, _INCHES = 9.0, 0.085
"""The size of letters in points, and how wide one is in inches."""
_DARK = 0.3
"""From this attention on, a word is written in white."""


def letters_of(words: Sequence[str]) -> float:
    """How wide a sentence is, in letters.

    >>> letters_of(["go", "west"])
    9.2
    """
    return round(sum(_widths(words)), 6)


def draw_strip(
    axes: Axes, words: Sequence[str], attention: Map, shades: Colormap = COMMAND_SHADES, size: float = _LETTER
) -> None:
    """The words of a sentence side by side, each in the shade of its attention, with the figure in % beneath."""
    widths = _widths(words)
    edges = [0.0, *accumulate(widths)]
    axes.pcolormesh(edges, [0, 1], attention[None], cmap=shades, norm=attention_scale(), edgecolors=PAPER, linewidth=1)
    for word, share, left, width in zip(words, attention.tolist(), edges, widths, strict=False):
        axes.text(left + width / 2, 0.5, word, ha="center", va="center_baseline", fontsize=size,
                  color=PAPER if share > _DARK else INK)  # fmt: skip
        axes.text(left + width / 2, -0.08, f"{100 * share:.0f}", ha="center", va="top", fontsize=6.5, color=QUIET)
    axes.set_xlim(0, edges[-1])
    axes.set_ylim(0, 1)
    axes.set_xticks([])
    axes.set_yticks([])
    for spine in axes.spines.values():
        spine.set_visible(False)


def place_strip(
    figure: Figure, left: float, top: float, thought: Thought, attention: Map, width: float,
    shades: Colormap = COMMAND_SHADES,
) -> Axes:  # fmt: skip
    """A strip that is at most so wide, in inches from the upper left corner; long sentences are written smaller."""
    full = _INCHES * letters_of(thought.words)
    axes = place(figure, left, top, min(width, full), 0.27)
    draw_strip(axes, thought.words, attention, shades, _LETTER * min(1.0, width / full))
    return axes


def _widths(words: Sequence[str]) -> list[float]:
    return [max(len(word), 1.6) + _ROOM for word in words]

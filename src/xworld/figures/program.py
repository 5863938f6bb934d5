"""The programming process: the words that each of three steps attends to, and the maps it computes (Figure 11)."""

from collections.abc import Sequence
from itertools import accumulate

from matplotlib.axes import Axes
from matplotlib.colors import Colormap
from matplotlib.figure import Figure

from xworld.agent.agent import Agent
from xworld.agent.thought import Map, Thought
from xworld.figures import style
from xworld.figures.scene import draw_map, draw_view_map, mark_target, overlay
from xworld.figures.selection import Criteria, first_session
from xworld.figures.session import Cell, RecordedSession
from xworld.figures.style import add_scale, add_title, attention_scale, place, point, write
from xworld.world.catalogue import Catalogue

EXAMPLES = (
    Criteria("nav_nr_obj", words=(6, 9), walls=2, central=True),
    Criteria("nav_bw_obj", words=(6, 9), walls=2, central=True),
)
_GAP, _SCENE, _HEAD = 0.7, 2.3, 1.25
_EXPLANATION = (
    "Squares mark the true target of the command. Words are shaded by attention, in %; maps are as the agent sees "
    "them:\nthe agent in the center (white dot), the world within the dashed frame."
)

WIDTH = 4.8
"""Of the three steps, in inches."""
ROW = 2.5
"""From one step to the next, in inches."""
_MAP, _MAP_GAP = 1.4, 0.3
_FONT_SIZE, _LETTER_WIDTH = 9.0, 0.085
"""The size of letters in points, and their width in inches."""


def draw_program(agent: Agent, catalogue: Catalogue, seed: int) -> Figure:
    """Two commands, each with its scene and the three steps of its program."""
    figure = Figure(figsize=(2 * WIDTH + _GAP + 0.4, _HEAD + _SCENE + 0.5 + 3 * ROW))
    add_title(figure, "A sentence compiles to three steps, which run on what the agent sees", _EXPLANATION, 0.4)
    add_scale(figure, 2 * WIDTH + _GAP + 0.2 - 1.7, 0.3, 1.7, "attention to words and cells")
    for number, criteria in enumerate(EXAMPLES):
        session = first_session(agent, criteria, seed, catalogue)
        _draw_example(figure, 0.2 + number * (WIDTH + _GAP), session, catalogue)
    return figure


def _draw_example(figure: Figure, left: float, session: RecordedSession, catalogue: Catalogue) -> None:
    first = session.snapshots[0]
    write(figure, left, _HEAD - 0.3, f"“{session.command}”", fontsize=11, style="italic")
    for corner, title in ((left, "the scene"), (left + WIDTH - _SCENE, "the final attention, over the scene")):
        axes = place(figure, corner, _HEAD, _SCENE, _SCENE)
        draw_map(axes, catalogue, first.grid, first.agent)
        axes.set_xlabel(title, fontsize=8, labelpad=3)
        mark_target(axes, session.target)
    overlay(axes, first.command.attention, first.agent)
    draw_steps(figure, left, _HEAD + _SCENE + 0.4, first.command, first.agent, session.target)


def draw_steps(figure: Figure, left: float, top: float, thought: Thought, agent: Cell, target: Cell) -> None:
    """Three rows, each with its words above its three maps; the target is marked on the last map."""
    for step in range(len(thought.gates)):
        _draw_step(figure, left, top + step * ROW, thought, step, agent)
    mark_target(figure.axes[-1], target, agent)


def _draw_step(figure: Figure, left: float, top: float, thought: Thought, step: int, agent: Cell) -> None:
    write(figure, left, top, f"Step {step + 1}", fontweight="bold")
    place_words(figure, left, top + 0.2, thought.words, thought.word_attention[step], WIDTH)
    origin = f"what step {step} kept" if step else "the agent's cell"
    maps = {
        "found: where the\nwords point": thought.found[step],
        f"moved: {origin},\nshifted by “found”": thought.moved[step],
        f"kept: {describe_gate(float(thought.gates[step]))}": thought.kept[step],
    }
    for number, (title, values) in enumerate(maps.items()):
        beside = left + number * (_MAP + _MAP_GAP)
        axes = place(figure, beside, top + 0.98, _MAP, _MAP)
        draw_view_map(axes, values, agent)
        axes.set_title(title, fontsize=7.5, color=style.INK, pad=3)
        if number:
            point(figure, (beside - _MAP_GAP + 0.04, top + 0.98 + _MAP / 2), (beside - 0.04, top + 0.98 + _MAP / 2))


def describe_gate(gate: float) -> str:
    r"""What a gate does, in words.

    >>> describe_gate(0.98)
    'gate 0.98,\ntakes what was moved'
    """
    effect = "takes what was moved" if gate > 0.9 else "stays where it was" if gate < 0.1 else "mixes the two"
    return f"gate {gate:.2f},\n{effect}"


def place_words(
    figure: Figure, left: float, top: float, words: Sequence[str], attention: Map, width: float,
    shades: Colormap = style.COMMAND_SHADES,
) -> None:  # fmt: skip
    """Shaded words at a place in inches, at most this wide; long sentences are written smaller."""
    full = _LETTER_WIDTH * sum(_widths(words))
    axes = place(figure, left, top, min(width, full), 0.27)
    draw_words(axes, words, attention, shades, _FONT_SIZE * min(1.0, width / full))


def draw_words(
    axes: Axes, words: Sequence[str], attention: Map, shades: Colormap = style.COMMAND_SHADES, size: float = _FONT_SIZE
) -> None:
    """The words of a sentence side by side, each shaded by its attention, with the number in % beneath."""
    widths = _widths(words)
    edges = [0.0, *accumulate(widths)]
    axes.pcolormesh(
        edges, [0, 1], attention[None], cmap=shades, norm=attention_scale(), edgecolors=style.PAPER, linewidth=1
    )
    for word, share, left, width in zip(words, attention.tolist(), edges, widths, strict=False):
        axes.text(left + width / 2, 0.5, word, ha="center", va="center_baseline", fontsize=size,
                  color=style.PAPER if share > 0.3 else style.INK)  # fmt: skip
        axes.text(left + width / 2, -0.08, f"{100 * share:.0f}", ha="center", va="top", fontsize=6.5, color=style.QUIET)
    axes.set(xlim=(0, edges[-1]), ylim=(0, 1), xticks=[], yticks=[])
    axes.spines[:].set_visible(False)


def _widths(words: Sequence[str]) -> list[float]:
    """The width of each word with the space around it, in letters."""
    return [max(len(word), 1.6) + 1.6 for word in words]

"""The programmer's three steps: the words attended to, and the maps found, moved and kept."""

from matplotlib.colors import Colormap
from matplotlib.figure import Figure

from xworld.agent.thought import Thought
from xworld.figures.scene import draw_view_map, mark_target
from xworld.figures.session import Cell
from xworld.figures.style import COMMAND_SHADES, INK, place, point, write
from xworld.figures.words import place_strip

WIDTH = 4.8
"""Of the steps, in inches."""
ROW = 2.5
"""From one step to the next."""
_MAP, _GAP = 1.4, 0.3
_ALL, _NOTHING = 0.9, 0.1
"""Gates above and below this are as good as open and shut."""


def draw_steps(figure: Figure, left: float, top: float, thought: Thought, agent: Cell, target: Cell) -> None:
    """Three rows, each a strip of words above its three maps; the target is marked on the last."""
    for step in range(len(thought.gates)):
        _draw_step(figure, left, top + step * ROW, thought, step, agent, COMMAND_SHADES)
    mark_target(figure.axes[-1], target, agent)


def say_gate(gate: float) -> str:
    r"""What a gate does, in words.

    >>> say_gate(0.98)
    'gate 0.98,\ntakes what was moved'
    """
    if gate > _ALL:
        return f"gate {gate:.2f},\ntakes what was moved"
    if gate < _NOTHING:
        return f"gate {gate:.2f},\nstays where it was"
    return f"gate {gate:.2f},\nmixes the two"


def _draw_step(
    figure: Figure, left: float, top: float, thought: Thought, step: int, agent: Cell, shades: Colormap
) -> None:
    write(figure, left, top, f"Step {step + 1}", fontweight="bold")
    place_strip(figure, left, top + 0.2, thought, thought.word_attention[step], WIDTH, shades)
    maps = {
        "found: where the\nwords point": thought.found[step],
        f"moved: {_moved_from(step)},\nshifted by “found”": thought.moved[step],
        f"kept: {say_gate(float(thought.gates[step]))}": thought.kept[step],
    }
    for number, (title, values) in enumerate(maps.items()):
        beside = left + number * (_MAP + _GAP)
        axes = place(figure, beside, top + 0.98, _MAP, _MAP)
        draw_view_map(axes, values, agent, shades)
        axes.set_title(title, fontsize=7.5, color=INK, pad=3)
        if number:
            point(figure, (beside - _GAP + 0.04, top + 0.98 + _MAP / 2), (beside - 0.04, top + 0.98 + _MAP / 2))


def _moved_from(step: int) -> str:
    return f"what step {step} kept" if step else "the agent's place"

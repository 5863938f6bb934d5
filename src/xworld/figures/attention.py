"""Attention maps of commands of all four types, beside their scenes (Figure 10)."""

from collections.abc import Mapping

from matplotlib.figure import Figure

from xworld.agent.agent import Agent
from xworld.figures.scene import draw_map, draw_view_map, mark_target
from xworld.figures.selection import SEED_STRIDE, Criteria, find_seeds
from xworld.figures.session import RecordedSession, record_session
from xworld.figures.style import add_scale, add_title, place, write
from xworld.world.catalogue import Catalogue

TITLES: Mapping[str, str] = {
    "nav_obj": "to an object",
    "nav_col_obj": "to a colored object",
    "nav_nr_obj": "next to an object",
    "nav_bw_obj": "between two objects",
}
"""Where each type of command sends the agent."""

_SIDE, _BESIDE, _APART, _ROW, _HEAD = 1.9, 0.12, 0.5, 2.75, 0.95
_EXAMPLES = 2
_EXPLANATION = (
    "Left of each pair the scene, right the attention map: the agent in the center (white dot),\n"
    "the world within the dashed frame. Squares: the true target of the command."
)


def draw_attention(agent: Agent, catalogue: Catalogue, seed: int) -> Figure:
    """Two commands of each type: the scene, and beside it the attention map that guides the agent."""
    pair = 2 * _SIDE + _BESIDE
    figure = Figure(figsize=(0.4 + _EXAMPLES * pair + _APART, _HEAD + len(TITLES) * _ROW))
    add_title(figure, "Where a command points", _EXPLANATION)
    add_scale(figure, 6.6, 0.3, 1.7, "attention")
    for row, (command, title) in enumerate(TITLES.items()):
        top = _HEAD + row * _ROW
        write(figure, 0.2, top, command, fontweight="bold", family="DejaVu Sans Mono", fontsize=9.5)
        write(figure, 1.25, top, f"go {title}", fontsize=9.5)
        criteria = Criteria(command, walls=3)  # a map with fewer walls looks bare
        for column, found in enumerate(find_seeds(criteria, seed + row * SEED_STRIDE, _EXAMPLES, catalogue=catalogue)):
            session = record_session(agent, found, criteria.settings(), catalogue)
            _draw_example(figure, 0.2 + column * (pair + _APART), top + 0.27, session, catalogue)
    return figure


def _draw_example(figure: Figure, left: float, top: float, session: RecordedSession, catalogue: Catalogue) -> None:
    first = session.snapshots[0]
    write(figure, left, top, f"“{session.command}”", style="italic")
    scene = place(figure, left, top + 0.22, _SIDE, _SIDE)
    draw_map(scene, catalogue, first.grid, first.agent)
    mark_target(scene, session.target)
    seen = place(figure, left + _SIDE + _BESIDE, top + 0.22, _SIDE, _SIDE)
    draw_view_map(seen, first.command.attention, first.agent)
    mark_target(seen, session.target, first.agent)

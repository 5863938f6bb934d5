"""Attention maps of commands of all four types, beside their scenes (Figure 10)."""

from collections.abc import Mapping

from matplotlib.figure import Figure

from xworld.agent.agent import Agent
from xworld.figures.scene import draw_map, draw_view_map, mark_target, tiles_with_agent
from xworld.figures.selection import SEED_STRIDE, Criteria, find_seeds
from xworld.figures.session import RecordedSession, record_session
from xworld.figures.style import COMMAND_SHADES, QUIET, add_scale, place, write
from xworld.teacher.vocabulary import write_out
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
"""Of each type."""
_WALLS = 3
"""A map with fewer walls looks bare."""


def draw_attention(agent: Agent, catalogue: Catalogue, seed: int) -> Figure:
    """Two commands of each type: the scene, and beside it the attention map that guides the agent."""
    pair = 2 * _SIDE + _BESIDE
    figure = Figure(figsize=(0.4 + _EXAMPLES * pair + _APART, _HEAD + len(TITLES) * _ROW))
    write(figure, 0.2, 0.1, "Where a command points", fontsize=13, fontweight="bold")
    write(figure, 0.2, 0.38, _READING, fontsize=8, color=QUIET, linespacing=1.4)
    add_scale(figure, 6.6, 0.3, 1.7, COMMAND_SHADES, "attention")
    for row, (command, title) in enumerate(TITLES.items()):
        top = _HEAD + row * _ROW
        write(figure, 0.2, top, command, fontweight="bold", family="DejaVu Sans Mono", fontsize=9.5)
        write(figure, 1.25, top, f"go {title}", fontsize=9.5)
        for column, session in enumerate(_examples(agent, command, seed + row * SEED_STRIDE)):
            _draw_example(figure, 0.2 + column * (pair + _APART), top + 0.27, session, catalogue)
    return figure


def _examples(agent: Agent, command: str, seed: int) -> list[RecordedSession]:
    criteria = Criteria(command, walls=_WALLS)
    return [record_session(agent, found, criteria.settings()) for found in find_seeds(criteria, seed, _EXAMPLES)]


def _draw_example(figure: Figure, left: float, top: float, session: RecordedSession, catalogue: Catalogue) -> None:
    first = session.snapshots[0]
    write(figure, left, top, f"“{write_out(first.command.words)}”", style="italic")
    scene = place(figure, left, top + 0.22, _SIDE, _SIDE)
    draw_map(scene, catalogue, tiles_with_agent(first))
    mark_target(scene, session.target)
    seen = place(figure, left + _SIDE + _BESIDE, top + 0.22, _SIDE, _SIDE)
    draw_view_map(seen, first.command.attention, first.agent)
    mark_target(seen, session.target, first.agent)


_READING = (
    "Left of each pair the scene, right the attention map: the agent in the center (white dot),\n"
    "the world within the dashed frame. Squares: the true target of the command."
)

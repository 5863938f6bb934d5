"""Where commands of all four types lead, over their scenes (Figure 10)."""

from collections.abc import Mapping

from matplotlib.figure import Figure

from xworld.agent.agent import Agent
from xworld.figures.choosing import SEEDS_APART, Wanted, choose, settings_for
from xworld.figures.scene import draw_map, draw_view_map, mark_target, tiles_with_agent
from xworld.figures.session import Session, live
from xworld.figures.style import COMMAND_SHADES, QUIET, add_scale, place, write
from xworld.teacher.vocabulary import write_out
from xworld.world.catalogue import Catalogue

KINDS: Mapping[str, str] = {
    "nav_obj": "to an object",
    "nav_col_obj": "to a colored object",
    "nav_nr_obj": "next to an object",
    "nav_bw_obj": "between two objects",
}
"""What each type of command asks for."""

_SIDE, _BESIDE, _APART, _ROW, _HEAD = 1.9, 0.12, 0.5, 2.75, 0.95
_EXAMPLES = 2
"""Of each type."""
_WALLS = 3
"""A map with fewer is rather bare."""


def draw_attention(agent: Agent, catalogue: Catalogue, seed: int) -> Figure:
    """Two commands of each type: the scene, and beside it the attention map that the agent walks by."""
    pair = 2 * _SIDE + _BESIDE
    figure = Figure(figsize=(0.4 + _EXAMPLES * pair + _APART, _HEAD + len(KINDS) * _ROW))
    write(figure, 0.2, 0.1, "Where a command leads", fontsize=13, fontweight="bold")
    write(figure, 0.2, 0.38, _READING, fontsize=8, color=QUIET, linespacing=1.4)
    add_scale(figure, 6.6, 0.3, 1.7, COMMAND_SHADES, "attention")
    for row, kind in enumerate(KINDS):
        top = _HEAD + row * _ROW
        write(figure, 0.2, top, kind, fontweight="bold", family="DejaVu Sans Mono", fontsize=9.5)
        write(figure, 1.25, top, f"walk {KINDS[kind]}", fontsize=9.5)
        for column, session in enumerate(_examples(agent, kind, seed + row * SEEDS_APART)):
            _draw_example(figure, 0.2 + column * (pair + _APART), top + 0.27, session, catalogue)
    return figure


def _examples(agent: Agent, kind: str, seed: int) -> list[Session]:
    wanted = Wanted(kind, walls=_WALLS)
    return [live(agent, found, settings_for(wanted)) for found in choose(wanted, seed, _EXAMPLES)]


def _draw_example(figure: Figure, left: float, top: float, session: Session, catalogue: Catalogue) -> None:
    moment = session.moments[0]
    write(figure, left, top, f"“{write_out(moment.command.words)}”", style="italic")
    scene = place(figure, left, top + 0.22, _SIDE, _SIDE)
    draw_map(scene, catalogue, tiles_with_agent(moment))
    mark_target(scene, session.target)
    seen = place(figure, left + _SIDE + _BESIDE, top + 0.22, _SIDE, _SIDE)
    draw_view_map(seen, moment.command.attention, moment.agent)
    mark_target(seen, session.target, moment.agent)


_READING = (
    "Left of each pair the scene, right the agent's attention map: itself in the center (white dot),\n"
    "the world within the dashed frame. Squares: where the command truly leads."
)

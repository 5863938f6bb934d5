"""The programming process: which words each of three steps attends to, and what map comes of it (Figure 11)."""

from matplotlib.figure import Figure

from xworld.agent.agent import Agent
from xworld.figures.choosing import Wanted, first_session
from xworld.figures.scene import draw_map, mark_target, overlay, tiles_with_agent
from xworld.figures.session import Session, on_the_map
from xworld.figures.steps import ROW, WIDTH, draw_steps
from xworld.figures.style import COMMAND_SHADES, QUIET, add_scale, place, write
from xworld.teacher.vocabulary import write_out
from xworld.world.catalogue import Catalogue

EXAMPLES = (
    Wanted("nav_nr_obj", words=(6, 9), walls=2, central=True),
    Wanted("nav_bw_obj", words=(6, 9), walls=2, central=True),
)
_GAP, _SCENE, _HEAD = 0.7, 2.3, 1.25


def draw_program(agent: Agent, catalogue: Catalogue, seed: int) -> Figure:
    """Two commands, each with its scene and the three steps of its program."""
    figure = Figure(figsize=(2 * WIDTH + _GAP + 0.4, _HEAD + _SCENE + 0.5 + 3 * ROW))
    write(figure, 0.2, 0.1, "A sentence is compiled to three steps, and they run on what the agent sees",
          fontsize=13, fontweight="bold")  # fmt: skip
    write(figure, 0.2, 0.4, _READING, fontsize=8, color=QUIET, linespacing=1.4)
    add_scale(figure, 2 * WIDTH + _GAP + 0.2 - 1.7, 0.3, 1.7, COMMAND_SHADES, "attention to words and cells")
    for number, wanted in enumerate(EXAMPLES):
        _draw_example(figure, 0.2 + number * (WIDTH + _GAP), first_session(agent, wanted, seed), catalogue)
    return figure


def _draw_example(figure: Figure, left: float, session: Session, catalogue: Catalogue) -> None:
    moment = session.moments[0]
    write(figure, left, _HEAD - 0.3, f"“{write_out(moment.command.words)}”", fontsize=11, style="italic")
    for place_of, title in ((left, "the scene"), (left + WIDTH - _SCENE, "the outcome, over the scene")):
        axes = place(figure, place_of, _HEAD, _SCENE, _SCENE)
        draw_map(axes, catalogue, tiles_with_agent(moment))
        axes.set_xlabel(title, fontsize=8, labelpad=3)
        mark_target(axes, session.target)
    overlay(axes, on_the_map(moment.command.attention, moment.agent))
    draw_steps(figure, left, _HEAD + _SCENE + 0.4, moment.command, moment.agent, session.target)


_READING = (
    "Squares mark where the command truly leads. Words are shaded by attention, in %; maps are as the agent sees "
    "them:\nitself in the center (white dot), the world within the dashed frame."
)

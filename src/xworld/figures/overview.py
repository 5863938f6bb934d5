"""The framework's overview, with the maps of a real session (Figure 2)."""

from matplotlib import colormaps
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrow

from xworld.agent.agent import Agent
from xworld.agent.thought import Thought
from xworld.figures.answer import draw_question
from xworld.figures.choosing import Wanted, session_with_question
from xworld.figures.scene import draw_map, draw_pixels, draw_view_map, mark_target, overlay, tiles_with_agent
from xworld.figures.session import Moment, Session, on_the_map
from xworld.figures.steps import ROW, WIDTH, draw_steps
from xworld.figures.style import COMMAND, COMMAND_SHADES, INK, QUIET, add_scale, attention_scale, place, point, write
from xworld.teacher.vocabulary import write_out
from xworld.world.catalogue import Catalogue
from xworld.world.cells import ACTION_COLUMN, ACTION_ROW, ACTIONS
from xworld.world.state import AGENT

EXAMPLE = Wanted("nav_nr_obj", words=(6, 9), walls=4, central=True)
_QUESTION_RATE = 0.25
_SIDE, _LEFT, _TOP = 2.3, 0.2, 1.15
_MIDDLE = _LEFT + _SIDE + 0.6
_RIGHT = _MIDDLE + WIDTH + 0.6
_BAND = _TOP + 3 * ROW + 0.1
"""Where the question begins."""
_SECOND = _TOP + _SIDE + 0.95
"""Where the lower picture of the left column begins."""
_OUTCOME = _BAND - 0.85 - _SIDE
"""Where the lower picture of the right column begins: beside the last step."""
_STEP = _OUTCOME - 0.35 - _SIDE - 0.5
"""Where the upper one does."""


def draw_overview(agent: Agent, catalogue: Catalogue, seed: int) -> Figure:
    """From a picture and a sentence to a step, and from a picture and a question to an answer."""
    session = session_with_question(agent, EXAMPLE, seed, _QUESTION_RATE)
    first = session.moments[0]
    figure = Figure(figsize=(_RIGHT + _SIDE + 0.2, _BAND + 2.35))
    write(figure, _LEFT, 0.1, "How the agent obeys and answers: all maps of one moment", fontsize=13, fontweight="bold")
    write(figure, _MIDDLE, 0.48, f"“{write_out(first.command.words)}”", fontsize=12, style="italic", color=COMMAND)
    _draw_perception(figure, first, catalogue)
    _draw_heading(figure, _MIDDLE, "Language: the sentence becomes three steps")
    draw_steps(figure, _MIDDLE, _TOP, first.command, first.agent, session.target)
    _draw_action(figure, session, catalogue)
    asked = next((moment for moment in session.moments if moment.question is not None), None)
    if asked is not None:
        draw_question(figure, _LEFT, _BAND, asked, catalogue)
    return figure


def _draw_heading(figure: Figure, left: float, text: str) -> None:
    write(figure, left, _TOP - 0.32, text, fontweight="bold", fontsize=10)


def _draw_perception(figure: Figure, moment: Moment, catalogue: Catalogue) -> None:
    _draw_heading(figure, _LEFT, "Perception")
    draw_pixels(place(figure, _LEFT, _TOP, _SIDE, _SIDE), catalogue, moment)
    write(
        figure, _LEFT, _TOP + _SIDE + 0.07, "what it sees: 156 x 156 pixels,\nitself always in the center", fontsize=8
    )
    point(figure, (_LEFT + _SIDE / 2, _TOP + _SIDE + 0.42), (_LEFT + _SIDE / 2, _SECOND - 0.06))
    point(figure, (_LEFT + _SIDE + 0.1, _TOP + 1.68), (_MIDDLE - 0.1, _TOP + 1.68))
    in_the_way = place(figure, _LEFT, _SECOND, _SIDE, _SIDE)
    draw_view_map(in_the_way, moment.command.environment, moment.agent, colormaps["cividis"], norm=None)
    bar = place(figure, _LEFT, _SECOND + _SIDE + 0.5, _SIDE, 0.1)
    figure.colorbar(in_the_way.images[0], cax=bar, orientation="horizontal")
    bar.tick_params(labelsize=7.5, length=2)
    said = "the environment map: a number for each\ncell that tells what is in the way"
    write(figure, _LEFT, _SECOND + _SIDE + 0.07, said, fontsize=8)


def _draw_action(figure: Figure, session: Session, catalogue: Catalogue) -> None:
    moment, middle = session.moments[0], _RIGHT + _SIDE / 2
    _draw_heading(figure, _RIGHT, "Action")
    _draw_policy(figure, moment.command, catalogue)
    said = f"given both maps, how likely each step is;\nreward that it expects: {moment.command.value:+.2f}"
    write(figure, _RIGHT, _STEP + _SIDE + 0.07, said, fontsize=8)
    axes = place(figure, _RIGHT, _OUTCOME, _SIDE, _SIDE)
    draw_map(axes, catalogue, tiles_with_agent(moment))
    overlay(axes, on_the_map(moment.command.attention, moment.agent))
    mark_target(axes, session.target)
    point(figure, (_RIGHT - 0.5, _OUTCOME + 1.6), (_RIGHT - 0.1, _OUTCOME + 1.6))
    point(figure, (middle, _OUTCOME - 0.05), (middle, _STEP + _SIDE + 0.42))
    said = "the last map over the world; square:\nwhere the command truly leads"
    write(figure, _RIGHT, _OUTCOME + _SIDE + 0.07, said, fontsize=8)
    add_scale(figure, _RIGHT, _TOP + 0.2, _SIDE, COMMAND_SHADES, "shades of blue: attention, or probability")


def _draw_policy(figure: Figure, thought: Thought, catalogue: Catalogue) -> None:
    """Arrows around the agent, the darker the likelier."""
    axes = place(figure, _RIGHT, _STEP, _SIDE, _SIDE)
    axes.imshow(catalogue.icons[AGENT], extent=(-0.45, 0.45, 0.45, -0.45), interpolation="hanning", aspect="auto")
    axes.set(xlim=(-1.9, 1.9), ylim=(1.9, -1.9))
    likeliest, scale = int(thought.policy.argmax()), attention_scale()
    for action, share in enumerate(thought.policy.tolist()):
        across, down = int(ACTION_COLUMN[action]), int(ACTION_ROW[action])
        color = COMMAND_SHADES(float(scale(share)))
        axes.add_patch(FancyArrow(
            0.55 * across, 0.55 * down, 0.6 * across, 0.6 * down, width=0.2, head_width=0.5, head_length=0.3,
            length_includes_head=True, facecolor=color, edgecolor=QUIET, linewidth=0.8,
        ))  # fmt: skip
        weight = "bold" if action == likeliest else "normal"
        axes.text(1.52 * across, 1.5 * down, f"{ACTIONS[action]}\n{100 * share:.0f} %", ha="center", va="center",
                  fontsize=8, color=INK, fontweight=weight)  # fmt: skip

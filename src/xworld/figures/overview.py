"""The framework's overview, with the maps of a real session (Figure 2)."""

from matplotlib import colormaps
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrow

from xworld.agent.agent import Agent
from xworld.agent.thought import Thought
from xworld.figures import style
from xworld.figures.program import ROW, WIDTH, draw_steps, place_words
from xworld.figures.scene import draw_map, draw_pixels, draw_view_map, mark_target, overlay
from xworld.figures.selection import Criteria, session_with_question
from xworld.figures.session import RecordedSession, Snapshot
from xworld.figures.style import add_scale, add_title, attention_scale, place, point, write
from xworld.teacher.vocabulary import write_out
from xworld.world.catalogue import Catalogue
from xworld.world.cells import ACTION_COLUMN, ACTION_ROW, ACTIONS
from xworld.world.state import AGENT

EXAMPLE = Criteria("nav_nr_obj", words=(6, 9), walls=4, central=True)
# Places and sizes in inches.
_SIDE, _LEFT, _TOP = 2.3, 0.2, 1.15
_MIDDLE = _LEFT + _SIDE + 0.6
_RIGHT = _MIDDLE + WIDTH + 0.6
_QUESTION_TOP = _TOP + 3 * ROW + 0.1
_ENVIRONMENT_TOP = _TOP + _SIDE + 0.95
_ATTENTION_TOP = _QUESTION_TOP - 0.85 - _SIDE  # beside the last step
_POLICY_TOP = _ATTENTION_TOP - 0.35 - _SIDE - 0.5
_QUESTION_MAP, _QUESTION_MAPS_LEFT = 1.55, _LEFT + 4.95


def draw_overview(agent: Agent, catalogue: Catalogue, seed: int) -> Figure:
    """From pixels and a command to an action, and from pixels and a question to an answer."""
    session = session_with_question(agent, EXAMPLE, seed, catalogue=catalogue)
    first = session.snapshots[0]
    figure = Figure(figsize=(_RIGHT + _SIDE + 0.2, _QUESTION_TOP + 2.35))
    add_title(figure, "How the agent acts and answers: all maps of one step")
    write(figure, _MIDDLE, 0.48, f"“{session.command}”", fontsize=12, style="italic", color=style.COMMAND)
    _draw_perception(figure, first, catalogue)
    _draw_heading(figure, _MIDDLE, "Language: the sentence becomes three steps")
    draw_steps(figure, _MIDDLE, _TOP, first.command, first.agent, session.target)
    _draw_action(figure, session, catalogue)
    asked = next((snapshot for snapshot in session.snapshots if snapshot.question is not None), None)
    if asked is not None:
        _draw_question(figure, asked, catalogue)
    return figure


def _draw_heading(figure: Figure, left: float, text: str) -> None:
    write(figure, left, _TOP - 0.32, text, fontweight="bold", fontsize=10)


def _draw_perception(figure: Figure, snapshot: Snapshot, catalogue: Catalogue) -> None:
    _draw_heading(figure, _LEFT, "Perception")
    draw_pixels(place(figure, _LEFT, _TOP, _SIDE, _SIDE), catalogue, snapshot)
    caption = "what it sees: 156 x 156 pixels,\nthe agent always in the center"
    write(figure, _LEFT, _TOP + _SIDE + 0.07, caption, fontsize=8)
    point(figure, (_LEFT + _SIDE / 2, _TOP + _SIDE + 0.42), (_LEFT + _SIDE / 2, _ENVIRONMENT_TOP - 0.06))
    point(figure, (_LEFT + _SIDE + 0.1, _TOP + 1.68), (_MIDDLE - 0.1, _TOP + 1.68))
    axes = place(figure, _LEFT, _ENVIRONMENT_TOP, _SIDE, _SIDE)
    draw_view_map(axes, snapshot.command.environment, snapshot.agent, colormaps["cividis"], norm=None)
    bar = place(figure, _LEFT, _ENVIRONMENT_TOP + _SIDE + 0.5, _SIDE, 0.1)
    figure.colorbar(axes.images[0], cax=bar, orientation="horizontal")
    bar.tick_params(labelsize=7.5, length=2)
    caption = "the environment map: one number per\ncell that shows what is in the way"
    write(figure, _LEFT, _ENVIRONMENT_TOP + _SIDE + 0.07, caption, fontsize=8)


def _draw_action(figure: Figure, session: RecordedSession, catalogue: Catalogue) -> None:
    first, middle = session.snapshots[0], _RIGHT + _SIDE / 2
    _draw_heading(figure, _RIGHT, "Action")
    _draw_policy(figure, first.command, catalogue)
    caption = f"from both maps, the probability of each\naction; expected return {first.command.value:+.2f}"
    write(figure, _RIGHT, _POLICY_TOP + _SIDE + 0.07, caption, fontsize=8)
    axes = place(figure, _RIGHT, _ATTENTION_TOP, _SIDE, _SIDE)
    draw_map(axes, catalogue, first.grid, first.agent)
    overlay(axes, first.command.attention, first.agent)
    mark_target(axes, session.target)
    point(figure, (_RIGHT - 0.5, _ATTENTION_TOP + 1.6), (_RIGHT - 0.1, _ATTENTION_TOP + 1.6))
    point(figure, (middle, _ATTENTION_TOP - 0.05), (middle, _POLICY_TOP + _SIDE + 0.42))
    caption = "the final attention over the world;\nsquare: the true target of the command"
    write(figure, _RIGHT, _ATTENTION_TOP + _SIDE + 0.07, caption, fontsize=8)
    add_scale(figure, _RIGHT, _TOP + 0.2, _SIDE, "shades of blue: attention, or probability")


def _draw_policy(figure: Figure, thought: Thought, catalogue: Catalogue) -> None:
    """Arrows around the agent, darker for higher probability."""
    axes = place(figure, _RIGHT, _POLICY_TOP, _SIDE, _SIDE)
    axes.imshow(catalogue.icons[AGENT], extent=(-0.45, 0.45, 0.45, -0.45), interpolation="hanning", aspect="auto")
    axes.set(xlim=(-1.9, 1.9), ylim=(1.9, -1.9))
    scale = attention_scale()
    for action, share in enumerate(thought.policy.tolist()):
        across, down = int(ACTION_COLUMN[action]), int(ACTION_ROW[action])
        axes.add_patch(FancyArrow(
            0.55 * across, 0.55 * down, 0.6 * across, 0.6 * down, width=0.2, head_width=0.5, head_length=0.3,
            length_includes_head=True, facecolor=style.COMMAND_SHADES(float(scale(share))), edgecolor=style.QUIET,
            linewidth=0.8,
        ))  # fmt: skip
        weight = "bold" if action == thought.action else "normal"
        axes.text(1.52 * across, 1.5 * down, f"{ACTIONS[action]}\n{100 * share:.0f} %", ha="center", va="center",
                  fontsize=8, color=style.INK, fontweight=weight)  # fmt: skip


def _draw_question(figure: Figure, snapshot: Snapshot, catalogue: Catalogue) -> None:
    """The question with its attention to words, where the agent looks, and its most likely answers."""
    top, question = _QUESTION_TOP, snapshot.question
    assert question is not None
    ends = [0.02, 0.98], [1 - top / figure.get_size_inches()[1]] * 2
    figure.add_artist(Line2D(*ends, transform=figure.transFigure, color=style.LINE, linewidth=1))
    write(figure, _LEFT, top + 0.15, "Recognition: a question runs the same way, and ends in a word", fontsize=10,
          fontweight="bold")  # fmt: skip
    write(figure, _LEFT, top + 0.5, f"“{write_out(question.words)}”", fontsize=12, style="italic", color=style.QUESTION)
    attention, shades = question.mean_word_attention, style.QUESTION_SHADES
    place_words(figure, _LEFT, top + 0.95, question.words, attention, WIDTH - 0.6, shades)
    write(figure, _LEFT, top + 1.42, "attention to words over all three steps, weighted by their gates, in %",
          fontsize=8)  # fmt: skip
    seen, over = _QUESTION_MAPS_LEFT, _QUESTION_MAPS_LEFT + _QUESTION_MAP + 0.15
    axes = place(figure, seen, top + 0.45, _QUESTION_MAP, _QUESTION_MAP)
    draw_view_map(axes, question.attention, snapshot.agent, shades)
    axes = place(figure, over, top + 0.45, _QUESTION_MAP, _QUESTION_MAP)
    draw_map(axes, catalogue, snapshot.grid, snapshot.agent)
    overlay(axes, question.attention, snapshot.agent, style.QUESTION)
    write(figure, seen, top + 2.05, "where it looks, some steps later", fontsize=8)
    point(figure, (seen - 0.5, top + 1.2), (seen - 0.1, top + 1.2))
    point(figure, (over + _QUESTION_MAP + 0.1, top + 1.2), (over + _QUESTION_MAP + 0.45, top + 1.2))
    _draw_answers(figure, over + _QUESTION_MAP + 1.2, top + 0.6, question, snapshot.answer)


def _draw_answers(figure: Figure, left: float, top: float, question: Thought, truth: str) -> None:
    """A bar for each of the most likely words, and whether the first is right."""
    right = figure.get_size_inches()[0] - 0.2
    axes = place(figure, left, top, right - left, 1.2)
    words, shares = zip(*question.answers, strict=True)
    axes.barh(range(len(words)), shares, color=style.QUESTION, height=0.6)
    for row, share in enumerate(shares):
        inside = share > 0.6  # a long bar has its number inside
        axes.text(share - 0.03 if inside else share + 0.03, row, f"{100 * share:.0f} %", va="center",
                  ha="right" if inside else "left", fontsize=8, color=style.PAPER if inside else style.INK)  # fmt: skip
    axes.set_yticks(range(len(words)), words, fontsize=9)
    axes.tick_params(axis="y", length=0, labelcolor=style.INK)
    axes.set(xlim=(0, 1), ylim=(len(words) - 0.5, -0.5))
    axes.spines[["top", "right", "bottom"]].set_visible(False)
    sign, color = ("✓", style.RIGHT) if words[0] == truth else ("✗", style.WRONG)
    answer = f"{sign} the teacher's answer: {truth}"
    write(figure, right, top + 1.45, answer, fontsize=8.5, color=color, ha="right")

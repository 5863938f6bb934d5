"""A question and its answer: the lower part of the overview."""

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from xworld.agent.thought import Thought
from xworld.figures.scene import draw_map, draw_view_map, overlay, tiles_with_agent
from xworld.figures.session import Moment, on_the_map
from xworld.figures.steps import WIDTH
from xworld.figures.style import INK, LINE, PAPER, QUESTION, QUESTION_SHADES, RIGHT, WRONG, place, point, write
from xworld.figures.words import place_strip
from xworld.teacher.vocabulary import write_out
from xworld.world.catalogue import Catalogue

_SIDE, _MAPS = 1.55, 4.95
_MOST_OF_A_BAR = 0.6
"""From this share on, the figure stands within its bar."""


def draw_question(figure: Figure, left: float, top: float, moment: Moment, catalogue: Catalogue) -> None:
    """The words heeded, where they lead, and the likeliest answers; the moment is one with a question."""
    question = moment.question
    assert question is not None
    _draw_rule(figure, top)
    write(figure, left, top + 0.15, "Recognition: a question goes the same way, and ends in a word", fontsize=10,
          fontweight="bold")  # fmt: skip
    write(figure, left, top + 0.5, f"“{write_out(question.words)}”", fontsize=12, style="italic", color=QUESTION)
    place_strip(figure, left, top + 0.95, question, question.mean_word_attention, WIDTH - 0.6, QUESTION_SHADES)
    write(figure, left, top + 1.42, "attention to words in all three steps, weighed by their gates, in %", fontsize=8)
    seen, over = left + _MAPS, left + _MAPS + _SIDE + 0.15
    axes = place(figure, seen, top + 0.45, _SIDE, _SIDE)
    draw_view_map(axes, question.attention, moment.agent, QUESTION_SHADES)
    axes = place(figure, over, top + 0.45, _SIDE, _SIDE)
    draw_map(axes, catalogue, tiles_with_agent(moment))
    overlay(axes, on_the_map(question.attention, moment.agent), QUESTION)
    write(figure, seen, top + 2.05, "where it looks, some steps later", fontsize=8)
    point(figure, (seen - 0.5, top + 1.2), (seen - 0.1, top + 1.2))
    point(figure, (over + _SIDE + 0.1, top + 1.2), (over + _SIDE + 0.45, top + 1.2))
    _draw_answers(figure, over + _SIDE + 1.2, top + 0.6, question, moment.answer)


def _draw_rule(figure: Figure, top: float) -> None:
    height = 1 - top / figure.get_size_inches()[1]
    figure.add_artist(Line2D([0.02, 0.98], [height, height], transform=figure.transFigure, color=LINE, linewidth=1))


def _draw_answers(figure: Figure, left: float, top: float, question: Thought, truth: str) -> None:
    """A bar for each of the likeliest words, and whether the first is right."""
    axes = place(figure, left, top, figure.get_size_inches()[0] - left - 0.2, 1.2)
    words, shares = zip(*question.answers, strict=True)
    axes.barh(range(len(words)), shares, color=QUESTION, height=0.6)
    for row, share in enumerate(shares):
        inside = share > _MOST_OF_A_BAR
        axes.text(share - 0.03 if inside else share + 0.03, row, f"{100 * share:.0f} %", va="center",
                  ha="right" if inside else "left", fontsize=8, color=PAPER if inside else INK)  # fmt: skip
    axes.set_yticks(range(len(words)), words, fontsize=9)
    axes.tick_params(axis="y", length=0, labelcolor=INK)
    axes.set(xlim=(0, 1), ylim=(len(words) - 0.5, -0.5))
    axes.spines[["top", "right", "bottom"]].set_visible(False)
    sign, color = ("✓", RIGHT) if words[0] == truth else ("✗", WRONG)
    write(figure, left - 0.6, top + 1.45, f"{sign} the teacher's answer: {truth}", fontsize=8.5, color=color)

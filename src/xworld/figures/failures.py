"""One failed session: the path that the agent took and, beside it, where it attended in the end."""

import textwrap

from matplotlib.figure import Figure

from xworld.agent.thought import Map
from xworld.evaluation.failures import CAUSES, FailedSession, FailureReport
from xworld.figures.scene import draw_map, draw_view_map, mark_target
from xworld.figures.session import Route
from xworld.figures.style import QUIET, WRONG, place, render, styled, write
from xworld.figures.walls import draw_path
from xworld.world.catalogue import Catalogue

_SIDE, _LEFT, _GAP, _LINE, _TEXT = 2.75, 0.2, 0.4, 0.21, 0.72
_LETTERS = 10
"""In an inch of the title."""
_PATH = "The robot stands at the start, the square is the\ntarget, the cross is the end; 5x: moved 5 times."
_ATTENTION = (
    "The darker, the more attention. The white dot\nis the agent, the dashed frame the world,\nthe square the target."
)


def draw_failures(report: FailureReport, catalogue: Catalogue) -> dict[str, bytes]:
    """A picture of the first failed session of each cause, by file name."""
    with styled():
        drawn = {cause: draw_failure(session, catalogue) for cause, session in report.examples.items()}
        return {f"{cause}.png": render(figure, "png") for cause, figure in drawn.items()}


def draw_failure(session: FailedSession, catalogue: Catalogue) -> Figure:
    """The map with the path and, if the agent attends, its attention at the last step."""
    width = _SIDE if session.attention is None else 2 * _SIDE + _GAP
    title = textwrap.wrap(f"“{session.command}”", round(_LETTERS * width))
    below = 0.15 + _LINE * len(title)
    figure = Figure(figsize=(width + 2 * _LEFT, below + 0.55 + _SIDE + _TEXT))
    write(figure, _LEFT, 0.12, "\n".join(title), fontsize=11, fontweight="bold", linespacing=1.25)
    write(figure, _LEFT, below, f"✗ {CAUSES[session.cause]}", fontsize=9.5, fontweight="bold", color=WRONG)
    _draw_way(figure, below + 0.55, session, catalogue)
    if session.attention is not None:
        _draw_attention(figure, below + 0.55, session, session.attention)
    return figure


def _draw_way(figure: Figure, top: float, session: FailedSession, catalogue: Catalogue) -> None:
    route = Route(session.command, session.grid, session.cells, session.target, False, session.shortest)
    axes = place(figure, _LEFT, top, _SIDE, _SIDE)
    draw_map(axes, catalogue, route.grid, route.cells[0])
    mark_target(axes, route.target)
    draw_path(axes, route)
    bumps = f", {route.bumps} into walls" if route.bumps else ""
    steps = f"{len(route.cells) - 1} steps{bumps}; shortest path {route.shortest}"
    _explain(figure, _LEFT, top, steps, f"{_PATH}\n{session.command_type}, seed {session.seed}")


def _draw_attention(figure: Figure, top: float, session: FailedSession, attention: Map) -> None:
    left, agent = _LEFT + _SIDE + _GAP, session.cells[-2]  # where it stood before the last step
    axes = place(figure, left, top, _SIDE, _SIDE)
    draw_view_map(axes, attention, agent)
    mark_target(axes, session.target, agent)
    _explain(figure, left, top, "attention at the last step", _ATTENTION)


def _explain(figure: Figure, left: float, top: float, title: str, text: str) -> None:
    """What stands above and below a map."""
    write(figure, left, top - 0.2, title)
    write(figure, left, top + _SIDE + 0.07, text, fontsize=8, color=QUIET, linespacing=1.4)

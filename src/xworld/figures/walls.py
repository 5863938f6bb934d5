"""Paths around long walls: the longest detours that the agent made, and where it failed (Figure 12)."""

import textwrap
from collections import Counter
from itertools import pairwise

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke

from xworld.agent.agent import Agent
from xworld.evaluation.sessions import NOWHERE, begin_sessions, run_sessions
from xworld.figures.scene import draw_map, mark_target
from xworld.figures.session import Route, agent_cell
from xworld.figures.style import COMMAND, INK, PAPER, QUIET, RIGHT, WRONG, add_title, place, write
from xworld.teacher.settings import TeacherSettings
from xworld.world.catalogue import Catalogue
from xworld.world.cells import SIDE

COMMANDS = "nav_obj", "nav_nr_obj"
SESSIONS = 1_000
"""Of each type of command; the paths shown are selected from these."""
_PANELS, _COLUMNS, _FAILURES = 6, 3, 2
_SIDE, _GAP, _TEXT, _HEAD = 2.75, 0.35, 0.75, 1.05
_HEADS = {(0, 1): ">", (0, -1): "<", (-1, 0): "^", (1, 0): "v"}
"""Arrow heads by the step, in rows and columns."""


def draw_walls(agent: Agent, catalogue: Catalogue, seed: int, sessions: int = SESSIONS) -> Figure:
    """The longest detours among the sessions that arrived, and among those that did not."""
    routes = [route for command in COMMANDS for route in find_routes(agent, command, seed, sessions, catalogue)]
    shown, rows = pick(routes), -(-_PANELS // _COLUMNS)
    figure = Figure(figsize=(0.2 + _COLUMNS * (_SIDE + _GAP), _HEAD + rows * (_SIDE + _TEXT + _GAP)))
    add_title(figure, "Paths around long walls", _summary(routes, shown, seed))
    for number, route in enumerate(shown):
        row, column = divmod(number, _COLUMNS)
        left, top = 0.2 + column * (_SIDE + _GAP), _HEAD + row * (_SIDE + _TEXT + _GAP)
        _draw_route(figure, left, top, route, catalogue)
    return figure


def find_routes(
    agent: Agent, command: str, seed: int, sessions: int, catalogue: Catalogue | None = None
) -> list[Route]:
    """The agent's paths in sessions with ten walls, one for each seed from `seed` on.

    >>> from xworld.training.pretrained import load_model
    >>> routes = find_routes(load_model()[0], "nav_obj", 0, 3)
    >>> [(route.arrived, route.shortest, len(route.cells) - 1) for route in routes]
    [(True, 4, 4), (True, 7, 7), (True, 7, 7)]
    """
    settings = TeacherSettings(commands=(command,), walls=(10, 10), question_rate=0.0)
    simulator = begin_sessions(range(seed, seed + sessions), catalogue, settings)
    worlds, starts = simulator.worlds.copy(), [agent_cell(simulator, world) for world in range(sessions)]
    outcome, text = run_sessions(agent, simulator), simulator.grammar.vocabulary.text
    return [
        Route(
            command=text(simulator.sessions["command"][number]),
            grid=world["grid"],
            cells=(starts[number], *(divmod(cell, SIDE) for cell in outcome.path[number].tolist() if cell != NOWHERE)),
            target=(int(world["target_row"]), int(world["target_column"])),
            arrived=bool(outcome.success[number]),
            shortest=int(outcome.shortest[number]),
        )
        for number, world in enumerate(worlds)
    ]


def pick(routes: list[Route]) -> list[Route]:
    """The longest detours that arrived without stepping on a wrong object, then the longest that failed, if any."""
    by_detour = sorted(routes, key=lambda route: -route.detour)  # of equal ones, the earlier seed first
    failed = [route for route in by_detour if not route.arrived][:_FAILURES]
    arrived = [route for route in by_detour if route.arrived and not route.trespasses][: _PANELS - len(failed)]
    return arrived + failed


def _summary(routes: list[Route], shown: list[Route], seed: int) -> str:
    arrived, failed = sum(route.arrived for route in routes), sum(not route.arrived for route in shown)
    share = 100 * arrived / len(routes)
    across = sum(route.arrived and route.trespasses > 0 for route in routes)
    picked = f"the {len(shown) - failed} longest detours of the others"
    lost = f", and the {failed} failures whose detour would have been longest" if failed else "; none failed"
    return (
        f"{len(routes):,} sessions with ten walls, seeds from {seed} on: the agent arrived in {arrived:,} "
        f"({share:.1f} %), in {across:,} of them across a wrong object.\nShown are {picked}{lost}.\n"
        "The robot stands at the start, the square is the target; 5x means that a move was made 5 times, shown from "
        "3 on."
    )


def _draw_route(figure: Figure, left: float, top: float, route: Route, catalogue: Catalogue) -> None:
    write(figure, left, top, "\n".join(textwrap.wrap(f"“{route.command}”", 42)), style="italic", fontsize=8.5)
    axes = place(figure, left, top + 0.35, _SIDE, _SIDE)
    draw_map(axes, catalogue, route.grid, route.cells[0])
    mark_target(axes, route.target)
    draw_path(axes, route)
    steps, sign = len(route.cells) - 1, "✓ arrived in" if route.arrived else "✗ out of time after"
    write(figure, left, top + 0.4 + _SIDE, f"{sign} {steps} steps", fontweight="bold", fontsize=8.5,
          color=RIGHT if route.arrived else WRONG)  # fmt: skip
    bumps = f"{route.bumps} into walls; " if route.bumps else ""
    write(figure, left, top + 0.57 + _SIDE, f"{bumps}shortest path {route.shortest}, without walls {route.straight}",
          color=QUIET, fontsize=8)  # fmt: skip


def draw_path(axes: Axes, route: Route) -> None:
    """Arrows from cell to cell, each drawn once, with the number of moves where it is large."""
    moves = [(here, there) for here, there in pairwise(route.cells) if here != there]
    for (row, column), (next_row, next_column) in dict.fromkeys(moves):
        for color, width, height in ((PAPER, 7.5, 5), (COMMAND, 5.0, 6)):
            axes.plot([column, next_column], [row, next_row], color=color, linewidth=width, solid_capstyle="round",
                      zorder=height)  # fmt: skip
        mark = _HEADS[next_row - row, next_column - column]
        axes.plot((column + next_column) / 2, (row + next_row) / 2, mark, color=PAPER, markersize=4, zorder=7)
    counts = Counter(tuple(sorted(move)) for move in moves)
    for ((row, column), (next_row, next_column)), times in counts.items():
        if times >= 3:  # as the summary says
            axes.text((column + next_column) / 2, (row + next_row) / 2, f"{times}x", ha="center", va="center",
                      fontsize=9, fontweight="bold", color=INK, zorder=8,
                      path_effects=[withStroke(linewidth=3, foreground=PAPER)])  # fmt: skip
    row, column = route.cells[-1]
    color, mark = (RIGHT, "o") if route.arrived else (WRONG, "X")
    axes.plot(column, row, mark, color=color, markeredgecolor=PAPER, markeredgewidth=1.5, markersize=12, zorder=9)

"""How the agent plans: from the cell that it attends to, worth spreads round walls until it reaches the agent."""

from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from xworld.agent.agent import Agent
from xworld.agent.thought import Map
from xworld.figures.scene import draw_map, draw_view_map, mark_target, overlay
from xworld.figures.selection import Criteria, first_session
from xworld.figures.session import RecordedSession
from xworld.figures.style import add_title, place, write
from xworld.figures.walls import draw_path
from xworld.world.catalogue import Catalogue

EXAMPLES = (
    Criteria("nav_obj", steps=(11, 13), walls=10),
    Criteria("nav_nr_obj", steps=(10, 13), walls=10),
    Criteria("nav_bw_obj", steps=(9, 13), walls=8),
)
SHOWN = 0, 2, 5, 8, 11, 14
"""The steps whose maps are shown."""
_SIDE, _GAP, _HEAD, _ROW = 1.75, 0.16, 1.1, 2.35
_EXPLANATION = (
    "Left: the scene, the agent's attention (blue) and the path that it took. Then, as the agent sees it at the start "
    "(white dot), how much each cell appeals to it\nwhen the plan begins and after some of its steps: the darker, the "
    "more. It goes to the best of the four cells beside it. Squares mark the target."
)


def draw_plan(agent: Agent, catalogue: Catalogue, seed: int) -> Figure:
    """Three long ways, and the plan at their start, step by step."""
    columns = 1 + len(SHOWN)
    figure = Figure(figsize=(0.4 + columns * (_SIDE + _GAP), _HEAD + len(EXAMPLES) * _ROW))
    add_title(figure, "A plan spreads from the goal to the agent", _EXPLANATION)
    for number, criteria in enumerate(EXAMPLES):
        _draw_example(figure, _HEAD + number * _ROW, first_session(agent, criteria, seed, catalogue), catalogue)
    return figure


def _draw_example(figure: Figure, top: float, session: RecordedSession, catalogue: Catalogue) -> None:
    first, plan = session.snapshots[0], session.snapshots[0].command.plan
    assert plan is not None
    write(figure, 0.2, top, f"“{session.command}”", style="italic")
    axes = place(figure, 0.2, top + 0.35, _SIDE, _SIDE)
    draw_map(axes, catalogue, first.grid, first.agent)
    overlay(axes, first.command.attention, first.agent)
    mark_target(axes, session.target)
    draw_path(axes, session)
    for column, step in enumerate(SHOWN, start=1):
        axes = place(figure, 0.2 + column * (_SIDE + _GAP), top + 0.35, _SIDE, _SIDE)
        draw_view_map(axes, plan[step], first.agent, norm=_scale(plan))
        mark_target(axes, session.target, first.agent)
        axes.set_title(f"after {step} steps" if step else "at first", fontsize=8, pad=3)


def _scale(plan: Map) -> Normalize:
    """One scale for all steps; the worst cells, walls among them, are all white."""
    low, high = (float(number) for number in (plan[-1].min(), plan[-1].max()))
    return Normalize(low + 0.2 * (high - low), high, clip=True)

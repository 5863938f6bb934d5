"""A move: the new position, the reward, and whether the session is over."""

from typing import NamedTuple

from xworld.world.cells import ACTION_COLUMN, ACTION_ROW, inside
from xworld.world.kernel import Record, kernel
from xworld.world.state import FIRST_OBJECT, WALL


class Rewards(NamedTuple):
    """The rewards of a step; those that apply add up.

    >>> Rewards(wrong_object=-0.5)
    Rewards(step=-0.1, wall=-0.2, wrong_object=-0.5, target=1.0)
    """

    step: float = -0.1
    """For every step."""
    wall: float = -0.2
    """For running into a wall or the border, which leaves the agent in place."""
    wrong_object: float = -1.0
    """For stepping on an object that is not the target; the session goes on."""
    target: float = 1.0
    """For reaching the target, which ends the session."""


@kernel
def move(world: Record, action: int, rewards: Rewards) -> float:
    """Take one step and return its reward; sets `world.reached` at the target."""
    world.time += 1
    row = world.agent_row + ACTION_ROW[action]
    column = world.agent_column + ACTION_COLUMN[action]
    if not inside(row, column) or world.grid[row, column] == WALL:
        return rewards.step + rewards.wall
    world.agent_row, world.agent_column = row, column
    if row == world.target_row and column == world.target_column:
        world.reached = True
        return rewards.step + rewards.target
    if world.grid[row, column] >= FIRST_OBJECT:
        return rewards.step + rewards.wrong_object
    return rewards.step


@kernel
def out_of_time(world: Record) -> bool:
    """Whether the time limit is reached, and the target is not."""
    return world.time >= world.time_limit and not world.reached

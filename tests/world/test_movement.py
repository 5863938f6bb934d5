"""What a move does, on a map that was built by hand."""

import numpy as np
import pytest

from compiled import compiled
from xworld.world import movement, view
from xworld.world.cells import ACTIONS
from xworld.world.movement import Rewards
from xworld.world.state import FIRST_OBJECT, FLOOR, WALL, WORLD

UP, DOWN, LEFT, RIGHT = range(4)
REWARDS = Rewards()
move, out_of_time, see = compiled(movement.move), compiled(movement.out_of_time), compiled(view.see)


@pytest.fixture
def world() -> np.void:
    """The agent in the north-west corner; a wall below it, an object right of it, the target right of that."""
    worlds = np.zeros(1, WORLD)
    worlds["grid"] = FLOOR
    worlds["grid"][0, 1, 0] = WALL
    worlds["grid"][0, 0, 1] = FIRST_OBJECT
    worlds["target_column"] = 2
    worlds["time_limit"] = 28
    here: np.void = worlds[0]
    return here


def place(world: np.void) -> tuple[int, int]:
    return int(world["agent_row"]), int(world["agent_column"])


@pytest.mark.parametrize("action", [UP, LEFT, DOWN])
def test_the_border_and_walls_stop_the_agent(world: np.void, action: int) -> None:
    assert move(world, action, REWARDS) == pytest.approx(-0.3)
    assert place(world) == (0, 0)


def test_a_wrong_object_costs_and_the_session_goes_on(world: np.void) -> None:
    assert move(world, RIGHT, REWARDS) == pytest.approx(-1.1)
    assert place(world) == (0, 1)
    assert not world["reached"]


def test_the_target_pays_and_ends_the_session(world: np.void) -> None:
    move(world, RIGHT, REWARDS)
    assert move(world, RIGHT, REWARDS) == pytest.approx(0.9)
    assert world["reached"]
    assert not out_of_time(world)


def test_an_object_that_is_the_target_pays(world: np.void) -> None:
    world["target_column"] = 1
    assert move(world, RIGHT, REWARDS) == pytest.approx(0.9)
    assert world["reached"]


def test_a_plain_step_costs_a_tenth(world: np.void) -> None:
    move(world, RIGHT, REWARDS)
    assert move(world, DOWN, REWARDS) == pytest.approx(-0.1)


def test_time_runs_out_after_the_last_step(world: np.void) -> None:
    for _ in range(27):
        move(world, UP, REWARDS)
    assert not out_of_time(world)
    move(world, UP, REWARDS)
    assert out_of_time(world)


def test_reaching_the_target_with_the_last_step_is_in_time(world: np.void) -> None:
    world["time"], world["agent_column"] = 27, 1
    move(world, RIGHT, REWARDS)
    assert world["reached"]
    assert not out_of_time(world)


def test_rewards_can_be_set(world: np.void) -> None:
    assert move(world, UP, Rewards(step=-1.0, wall=-5.0)) == -6.0


def test_actions_are_up_down_left_right() -> None:
    assert ACTIONS == ("up", "down", "left", "right")
    worlds = np.zeros(1, WORLD)
    worlds["grid"], worlds["time_limit"], worlds["target_row"] = FLOOR, 100, -1
    for action, expected in ((DOWN, (1, 0)), (RIGHT, (1, 1)), (UP, (0, 1)), (LEFT, (0, 0))):
        move(worlds[0], action, REWARDS)
        assert place(worlds[0]) == expected


def test_the_view_is_centered_on_the_agent_and_black_outside(world: np.void) -> None:
    tiles = np.full((13, 13), -1, np.int16)
    see(world, tiles)
    assert tiles[6, 6] == 3
    assert (tiles[:6] == 0).all()
    assert (tiles[:, :6] == 0).all()
    assert (tiles[7, 6], tiles[6, 7]) == (WALL, FIRST_OBJECT)
    move(world, RIGHT, REWARDS)
    see(world, tiles)
    assert (tiles[6, 6], tiles[6, 5], tiles[7, 5]) == (3, FLOOR, WALL)  # the object is hidden under the agent
    move(world, DOWN, REWARDS)
    see(world, tiles)
    assert tiles[5, 6] == FIRST_OBJECT  # and seen again behind it

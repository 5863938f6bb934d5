"""Hindsight: who was rewarded for arriving somewhere knows afterwards where the command had led."""

import numpy as np
from numpy.typing import NDArray

from xworld.world.cells import ACTION_COLUMN, ACTION_ROW, SIDE, VIEW

UNKNOWN = -1
"""The goal of a session that did not succeed, or has not ended yet."""


def find_goals(
    places: NDArray[np.int64], actions: NDArray[np.int64], reached: NDArray[np.bool_], over: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """(steps, worlds) The cell of the view, row x 13 + column, where the target turned out to be, or `UNKNOWN`.

    `places`, (steps, worlds, 2), are the row and the column before each step; the others are (steps, worlds). An agent
    has all of this from counting its own steps: the cell where the reward came, seen from where it stood before.

    >>> up_then_right = np.array([[0], [3]])
    >>> arrived = np.array([[False], [True]])
    >>> goals = find_goals(np.array([[[5, 2]], [[4, 2]]]), up_then_right, reached=arrived, over=arrived)
    >>> [divmod(int(goal), VIEW) for goal in goals[:, 0]]  # from the center, (6, 6)
    [(5, 7), (6, 7)]
    """
    goals = np.full(actions.shape, UNKNOWN, np.int64)
    goal, known = np.zeros_like(places[0]), np.zeros(actions.shape[1], np.bool_)
    for step in reversed(range(len(actions))):
        moves = np.stack([ACTION_ROW[actions[step]], ACTION_COLUMN[actions[step]]], axis=1)
        goal = np.where(reached[step][:, None], places[step] + moves, goal)
        known = reached[step] | (known & ~over[step])
        row, column = (goal - places[step] + SIDE - 1).T
        goals[step] = np.where(known, row * VIEW + column, UNKNOWN)
    return goals

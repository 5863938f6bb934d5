"""Steps in the worlds, with an account of every session."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from xworld.teacher.simulator import Simulator
from xworld.training.diary import Diary


class Walker:
    """Takes steps and knows what each session has earned so far, in rewards discounted to its beginning."""

    def __init__(self, simulator: Simulator, discount: float) -> None:
        self.simulator, self._discount = simulator, discount
        self.earned = np.zeros(len(simulator))
        self.worth = np.ones(len(simulator))
        """Of a reward now, seen from the beginning of the session."""

    def step(
        self, actions: NDArray[np.int64], diary: Diary
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_]]:
        """Step every world; returns rewards, which sessions have ended, and which of them at their target."""
        rewards, terminated, truncated = self.simulator.step(actions)
        self.earned += self.worth * rewards
        self.worth *= self._discount
        over = terminated | truncated
        diary.ended(self.simulator.final_sessions["command_type"][over], terminated[over], self.earned[over])
        self.earned[over], self.worth[over] = 0.0, 1.0
        return rewards.astype(np.float32), over, terminated

    def arrays(self) -> dict[str, np.ndarray]:
        """The accounts, for a checkpoint."""
        return {"earned": self.earned, "worth": self.worth}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Go on from such accounts."""
        self.earned[:], self.worth[:] = arrays["earned"], arrays["worth"]

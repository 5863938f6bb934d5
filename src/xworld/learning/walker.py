"""Steps in the worlds, with an account of every session."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from xworld.learning.diary import Diary
from xworld.teacher.school import School


class Walker:
    """Takes steps and knows what each session has earned so far, in rewards discounted to its beginning."""

    def __init__(self, school: School, discount: float) -> None:
        self.school, self._discount = school, discount
        self.earned = np.zeros(len(school))
        self.worth = np.ones(len(school))
        """Of a reward now, seen from the beginning of the session."""

    def step(
        self, actions: NDArray[np.int64], diary: Diary
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_]]:
        """Step every world; returns rewards, which sessions have ended, and which of them at their target."""
        rewards, reached, late = self.school.step(actions)
        self.earned += self.worth * rewards
        self.worth *= self._discount
        over = reached | late
        diary.ended(self.school.final_lessons["command_type"][over], reached[over], self.earned[over])
        self.earned[over], self.worth[over] = 0.0, 1.0
        return rewards.astype(np.float32), over, reached

    def arrays(self) -> dict[str, np.ndarray]:
        """The accounts, for a checkpoint."""
        return {"earned": self.earned, "worth": self.worth}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Go on from such accounts."""
        self.earned[:], self.worth[:] = arrays["earned"], arrays["worth"]

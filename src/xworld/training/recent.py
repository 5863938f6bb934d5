"""The last rounds of training taken together: a single round is too noisy to read."""

import math
from collections import deque

from xworld.evaluation.rate import Rate
from xworld.training.progress import Progress

_NOTHING = Rate(0, 0)


class Recent:
    """Sums and means over a window of rounds. What nothing is known of is not a number.

    >>> recent = Recent(rounds=2)
    >>> recent.overall
    Rate(hits=0, trials=0)
    """

    def __init__(self, rounds: int = 20) -> None:
        self._rounds: deque[Progress] = deque(maxlen=rounds)

    def add(self, progress: Progress) -> None:
        """Take in one more round; the oldest leaves."""
        self._rounds.append(progress)

    @property
    def success(self) -> dict[str, Rate]:
        """Sessions that ended, by type of command."""
        total: dict[str, Rate] = {}
        for progress in self._rounds:
            for name, rate in progress.success.items():
                total[name] = total.get(name, _NOTHING) + rate
        return total

    @property
    def overall(self) -> Rate:
        """All sessions that ended."""
        return sum(self.success.values(), start=_NOTHING)

    @property
    def answers(self) -> Rate:
        """Questions that were learned from."""
        return sum((progress.answers for progress in self._rounds), start=_NOTHING)

    @property
    def reward(self) -> float:
        """Mean discounted reward of a session."""
        sessions = [(_sessions(progress), progress.reward) for progress in self._rounds if _sessions(progress)]
        total = sum(number for number, _ in sessions)
        return sum(number * reward for number, reward in sessions) / total if total else math.nan

    @property
    def losses(self) -> dict[str, float]:
        """The mean of each loss, over the rounds that had it."""
        names = dict.fromkeys(name for progress in self._rounds for name in progress.losses)
        return {name: self._mean_loss(name) for name in names}

    @property
    def steps_per_second(self) -> float:
        """Steps of the agent in a second of training, evaluations left out; known from the second round on."""
        seconds = sum(training_seconds(progress) for progress in list(self._rounds)[1:])
        return (self._rounds[-1].global_step - self._rounds[0].global_step) / seconds if seconds else math.nan

    def _mean_loss(self, name: str) -> float:
        values = [progress.losses[name] for progress in self._rounds if name in progress.losses]
        return sum(values) / len(values)


def training_seconds(progress: Progress) -> float:
    """How long a round took, its evaluation left out."""
    return sum(seconds for phase, seconds in progress.seconds.items() if phase != "evaluating")


def _sessions(progress: Progress) -> int:
    return sum(rate.trials for rate in progress.success.values())

"""What a person has achieved: counts over the sessions played, and what they come to."""

from dataclasses import dataclass


@dataclass
class Score:
    r"""Counts over finished sessions and the questions asked.

    >>> score = Score(seed=1, sessions=2, successes=1, steps=10, shortest=8, reward=-0.6, right=3, wrong=1)
    >>> print("\n".join(score.summary()))
    2 sessions, 1 reached (50%)
    reward -0.30 a session
    path 80% of the shortest: 10 steps where 8 would do
    3 of 4 questions right (75%)
    again: --seed 1
    """

    seed: int
    """The seed that these sessions come from."""
    sessions: int = 0
    """Sessions that came to an end, whichever."""
    successes: int = 0
    """Those in which the target was reached."""
    steps: int = 0
    """Steps of the sessions that succeeded."""
    shortest: int = 0
    """Steps that would have done for them."""
    reward: float = 0.0
    """The sum over all finished sessions."""
    tips: int = 0
    """How often the oracle was asked for the next step."""
    right: int = 0
    """Questions answered rightly."""
    wrong: int = 0
    """Questions answered wrongly."""
    skipped: int = 0
    """Questions that got no answer."""

    @property
    def asked(self) -> int:
        """How many questions were asked and are dealt with."""
        return self.right + self.wrong + self.skipped

    def summary(self) -> list[str]:
        """The score in a few lines, for when the game is over."""
        if not self.sessions:
            lines = ["no session finished"]
        else:
            reached = (
                f"{count(self.sessions, 'session')}, {self.successes} reached ({self.successes / self.sessions:.0%})"
            )
            lines = [reached, f"reward {self.reward / self.sessions:.2f} a session"]
        if self.steps:
            path = f"path {self.shortest / self.steps:.0%} of the shortest"
            lines.append(f"{path}: {count(self.steps, 'step')} where {self.shortest} would do")
        if self.asked:
            share = self.right / self.asked
            lines.append(f"{self.right} of {count(self.asked, 'question')} right ({share:.0%})")
        if self.tips:
            lines.append(f"{count(self.tips, 'tip')} from the oracle")
        return [*lines, f"again: --seed {self.seed}"]


def count(number: int, thing: str) -> str:
    """So many things, in words."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"

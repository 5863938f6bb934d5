"""What came of teaching: how the new word is obeyed, and whether anything old was lost."""

from dataclasses import dataclass

from xworld.evaluation import TEST_SEED
from xworld.evaluation.rate import Rate
from xworld.evaluation.report import EvaluationReport
from xworld.evaluation.success import evaluate
from xworld.evaluation.zero_shot import evaluate_zero_shot
from xworld.word_learning.questions import only_an_answer, worlds_with
from xworld.word_learning.teach_word import Taught


@dataclass(frozen=True)
class Comparison:
    """Commands and questions without the new word, before teaching and after, in the same sessions."""

    before: EvaluationReport
    after: EvaluationReport

    @property
    def falls(self) -> dict[str, float]:
        """By how many points of a hundred each type of command and of question fell; negative where it rose."""
        return {
            name: 100 * (rate.value - after.value)
            for old, new in (
                (self.before.success, self.after.success),
                (self.before.recognition, self.after.recognition),
            )
            for (name, rate), after in zip(old.items(), new.values(), strict=True)
            if rate.trials and after.trials
        }

    @property
    def largest_fall(self) -> tuple[str, float]:
        """The type that fell most, and by how many points."""
        return max(self.falls.items(), key=lambda fall: fall[1])

    @property
    def overall_fall(self) -> float:
        """By how many points commands or answers fell over all types, whichever fell more; negative where both rose."""
        pairs = (
            (self.before.overall, self.after.overall),
            (self.before.overall_recognition, self.after.overall_recognition),
        )
        return max(100 * (before.value - after.value) for before, after in pairs if before.trials and after.trials)


def examine_word(taught: Taught, sessions: int = 300, seed: int = TEST_SEED) -> dict[str, Rate]:
    """Success by type of command, in so many sessions of each whose command names the word that was taught.

    No command ever did before. `nav_col_obj` is there only if the new thing has a color with a word.
    """
    holdout, settings = only_an_answer((taught.word,)), worlds_with(taught.catalogue)
    return evaluate_zero_shot(taught.agent, holdout, sessions, seed, taught.catalogue, settings)


def examine_rest(
    taught: Taught, sessions: int = 2_000, seed: int = TEST_SEED, before: EvaluationReport | None = None
) -> Comparison:
    """How well all else is obeyed and answered where the new thing is not, in so many sessions of the same seeds.

    There only answers can be lost. What becomes of commands where it does lie on the map: `examine_beside`.
    A report of how it was before, in as many sessions from the same seed, saves testing that again.
    """
    settings = worlds_with(taught.base_catalogue)  # the new thing is in none of them: before and after are the same
    return Comparison(
        before=before or evaluate(taught.base, sessions, seed, taught.base_catalogue, settings),
        after=evaluate(taught.agent, sessions, seed, taught.catalogue, settings),
    )

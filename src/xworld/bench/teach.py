"""Ten things that no agent has seen, each taught to the same one: how long it takes, and what comes of it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from xworld.agent.model import Model
from xworld.evaluation import TEST_SEED
from xworld.evaluation.rate import Rate
from xworld.evaluation.report import EvaluationReport
from xworld.evaluation.success import evaluate
from xworld.word_learning import TaughtAgent, evaluate_distractor, evaluate_forgetting, evaluate_word, read_image, teach
from xworld.word_learning.questions import teacher_settings_for
from xworld.world.catalogue import Catalogue

ICONS = Path(__file__).parent / "icons"
NEW_THINGS = {
    "anchor": "blue",
    "cactus": "green",
    "guitar": "",
    "house": "",
    "key": "yellow",
    "kite": "",
    "mushroom": "red",
    "rocket": "",
    "snowman": "",
    "umbrella": "",
}
"""Things with a drawing in `icons`, and the colors of those that have one with a word."""

_WITHOUT = 10
"""For each session of a type with the new word, so many in all without it and beside it: what is lost may be little."""


@dataclass(frozen=True)
class WordResult:
    """What came of teaching one word."""

    word: str
    seconds: float
    questions: int
    success: dict[str, Rate]
    """By type of command, in sessions whose command names the word."""
    fallen: tuple[str, float]
    """The type of command or question that fell most where the new thing is not, and by how many points."""
    beside: float
    """By how many points commands or answers without the word fell overall where the new thing lies among others."""

    @property
    def main(self) -> Rate:
        """Success over `nav_obj` and `nav_nr_obj`, of which the paper has figures."""
        return self.success["nav_obj"] + self.success["nav_nr_obj"]


def teach_new_things(
    agent: Model,
    catalogue: Catalogue,
    sessions: int,
    report: Callable[[WordResult], None],
    seed: int = 0,
    words: tuple[str, ...] = tuple(NEW_THINGS),
) -> list[WordResult]:
    """Teach each of the words to the agent as it is, with questions of a seed; test, and report."""
    before = evaluate(agent, _WITHOUT * sessions, TEST_SEED, catalogue, teacher_settings_for(catalogue))
    results = []
    for word in words:
        taught = _teach(agent, catalogue, word, seed)
        results.append(_examine(taught, sessions, before))
        report(results[-1])
    return results


def _examine(taught: TaughtAgent, sessions: int, before: EvaluationReport) -> WordResult:
    return WordResult(
        taught.word,
        taught.seconds,
        taught.questions,
        success=evaluate_word(taught, sessions),
        fallen=evaluate_forgetting(taught, _WITHOUT * sessions, TEST_SEED, before).largest_drop,
        beside=evaluate_distractor(taught, _WITHOUT * sessions, TEST_SEED).overall_drop,
    )


def _teach(agent: Model, catalogue: Catalogue, word: str, seed: int) -> TaughtAgent:
    return teach(agent, catalogue, word, read_image((ICONS / f"{word}.png").read_bytes()), NEW_THINGS[word], seed)

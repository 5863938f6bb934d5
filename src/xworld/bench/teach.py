"""Ten things that no agent has seen, each taught to the same agent: how long it takes and how well it works."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from xworld.agent.model import Model
from xworld.evaluation.rate import Rate
from xworld.evaluation.success import evaluate
from xworld.word_learning import evaluate_distractor, evaluate_forgetting, evaluate_word, read_image, teach
from xworld.world.catalogue import Catalogue

ICONS = Path(__file__).parent / "icons"
NEW_THINGS = {
    "anchor": "blue", "cactus": "green", "guitar": "", "house": "", "key": "yellow",
    "kite": "", "mushroom": "red", "rocket": "", "snowman": "", "umbrella": "",
}  # fmt: skip
"""Things with a drawing in `icons`, each with its color if that has a word."""


@dataclass(frozen=True)
class WordResult:
    """How well one word was learned."""

    word: str
    seconds: float
    questions: int
    success: dict[str, Rate]
    """By type of command, in sessions whose command names the word."""
    largest_drop: tuple[str, float]
    """On maps without the new thing: the type of command or question that lost most, and how many points."""
    drop_beside: float
    """On maps with the new thing, unnamed: the points that commands or answers lost overall, whichever is more."""

    @property
    def main(self) -> Rate:
        """Success over `nav_obj` and `nav_nr_obj`, the two types for which the paper has numbers."""
        return self.success["nav_obj"] + self.success["nav_nr_obj"]


def teach_new_things(agent: Model, catalogue: Catalogue, sessions: int, seed: int = 0) -> Iterator[WordResult]:
    """Teach each of the new things to the same untaught agent, with the questions of a seed, and test it."""
    others = 10 * sessions  # without the new word and beside it: losses may be small
    before = evaluate(agent, others, "test", catalogue)
    for word, color in NEW_THINGS.items():
        picture = read_image((ICONS / f"{word}.png").read_bytes())
        taught = teach(agent, catalogue, word, picture, color, seed)
        yield WordResult(
            taught.word,
            taught.seconds,
            taught.questions,
            success=evaluate_word(taught, sessions, "test"),
            largest_drop=evaluate_forgetting(taught, others, "test", before).largest_drop,
            drop_beside=evaluate_distractor(taught, others, "test").overall_drop,
        )

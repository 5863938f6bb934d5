"""Teaching a word: a thing is shown, its name is the answer to questions, and the agent learns from those alone."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from xworld.agent.agent import Agent
from xworld.agent.model import Model
from xworld.teacher.vocabulary import Vocabulary
from xworld.word_learning.embedding_fit import Evidence, Names, join, learn_row, weigh
from xworld.word_learning.extended_agent import with_word, without_word
from xworld.word_learning.picture import Picture, refuse_look_alikes
from xworld.word_learning.questions import ask_names
from xworld.word_learning.word import TeachingError, check_word
from xworld.world.catalogue import Catalogue
from xworld.world.pack import PackError

ROUNDS = (12, 24, 48, 84, 132, 240, 360, 480, 720, 900)
"""How many questions are asked in each round; after it the agent learns from all that it was asked so far."""


@dataclass(frozen=True)
class LessonProgress:
    """How far teaching is."""

    progress: float
    """From 0 to 1."""
    asked: int
    """Questions so far."""
    right: float
    """The share of this round's questions for the new word that the agent answered with it, before it was told."""
    seconds: float


@dataclass(frozen=True)
class Taught:
    """An agent that was taught a word, and the catalogue of its worlds, whose last class the word names."""

    agent: Agent
    catalogue: Catalogue
    questions: int
    """How many were asked."""
    right: float
    """The share of the last round's questions for the new word that were answered with it, before it was told."""
    seconds: float
    """What teaching took."""

    @property
    def word(self) -> str:
        """The word that was taught last."""
        return self.catalogue.classes[-1]

    @property
    def tile(self) -> int:
        """The tile id of the new thing, the first if it has several pictures."""
        return self.base_catalogue.tiles

    @property
    def picture(self) -> Picture:
        """The picture of the new thing, the first if it has several."""
        assert self.catalogue.addition is not None
        picture: Picture = self.catalogue.addition.pictures[0]
        return picture

    @property
    def base_catalogue(self) -> Catalogue:
        """The catalogue as it was before."""
        assert self.catalogue.addition is not None
        return self.catalogue.addition.base

    @property
    def base(self) -> Agent:
        """The agent as it was before; it shares all weights with the taught one, but not the table of embeddings."""
        return without_word(self.agent, self.base_catalogue)


def teach(
    agent: Model,
    catalogue: Catalogue,
    word: str,
    picture: Picture,
    color: str = "",
    seed: int = 0,
    report: Callable[[LessonProgress], None] | None = None,
) -> Taught:
    """Teach an agent of a catalogue the word for a picture, (96, 96, 4), or for several, (icons, 96, 96, 4).

    The color is "" or one of those that have a word. The word occurs only as an answer to questions about maps with
    the new thing on them: in no command, and in no question. There is no reward, and no target to be reached. The agent
    that is given stays as it is, and the taught one shares its weights. `report` is called after each of ten rounds, in
    the thread of the caller. A word or a picture that cannot be taught is a `TeachingError`.

    >>> from xworld.training.pretrained import load_agent
    >>> from xworld.word_learning.picture import draw_pixels
    >>> zebra = draw_pixels((["#ffffff"] * 2 + ["#202020"] * 2) * 36)
    >>> taught = teach(load_agent()[0], Catalogue.load(), "zebra", zebra)
    >>> taught.word, taught.tile, taught.right > 0.9
    ('zebra', 118, True)
    """
    if not isinstance(agent, Agent):
        raise TeachingError("only the framework can be taught a word: it reads and answers with one table of words")
    begun = time.perf_counter()
    wider, names = _show(agent, catalogue, word, picture, color), Names.of(agent, len(catalogue.classes))
    learner, row = with_word(agent, names.mean, wider), names.mean  # as yet it means no more than "some object"
    evidence: list[Evidence] = []
    for done, asked in enumerate(ask_names(wider, seed, ROUNDS), start=1):
        evidence.append(weigh(learner, asked))
        right = evidence[-1].right(row)
        row = learn_row(join(evidence), names, row)
        if report is not None:
            report(LessonProgress(done / len(ROUNDS), sum(ROUNDS[:done]), right, time.perf_counter() - begun))
    return Taught(with_word(agent, row, wider), wider, sum(ROUNDS), right, time.perf_counter() - begun)


def _show(agent: Agent, catalogue: Catalogue, word: str, picture: Picture, color: str) -> Catalogue:
    """The catalogue of worlds that have the new thing."""
    if len(agent.words.embeddings) != len(Vocabulary(catalogue.classes).words):
        raise TeachingError("this agent has other words than the catalogue; teach it with the catalogue of its own")
    name = check_word(word, catalogue)
    try:
        wider = catalogue.with_class(name, picture, color)
    except PackError as error:
        raise TeachingError(f"{name!r} cannot be shown: {error}") from error
    refuse_look_alikes(wider)
    return wider

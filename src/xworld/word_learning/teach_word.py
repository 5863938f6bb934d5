"""Teaching a word: the teacher shows an object and asks questions; the agent learns from the answers alone."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from xworld.agent.agent import Agent
from xworld.agent.model import Model
from xworld.agent.planner import PlanningAgent
from xworld.teacher.grammar import Grammar
from xworld.word_learning.embedding_fit import Examples, encode_questions, fit_embedding
from xworld.word_learning.new_object import Picture, TeachingError, check_word, refuse_look_alikes
from xworld.word_learning.questions import ask_naming_questions
from xworld.word_learning.taught_agent import TaughtAgent, with_word
from xworld.world.catalogue import Catalogue
from xworld.world.picture import PackError

BATCH_SIZES = (12, 24, 48, 84, 132, 240, 360, 480, 720, 900)
"""Questions in each batch; after it, the embedding is fitted to all questions so far."""


@dataclass(frozen=True)
class TeachingProgress:
    """The state of teaching after a batch of questions."""

    progress: float
    """From 0 to 1."""
    questions: int
    accuracy: float
    """Of this batch's questions for the new word, the share answered correctly before the answer was told."""
    seconds: float


def teach(
    agent: Model,
    catalogue: Catalogue,
    word: str,
    picture: Picture,
    color: str = "",
    seed: int = 0,
    report: Callable[[TeachingProgress], None] | None = None,
) -> TaughtAgent:
    """Teach an agent the word for an object with one picture, (96, 96, 4), or several, (pictures, 96, 96, 4).

    The catalogue is the agent's own, and the color is "" or one that has a word. The new word appears only as an answer
    to questions about maps with the new object: in no command and in no question. There are no rewards and no targets.
    The agent does not change; the taught one shares its weights. `report` is called after each of ten batches, in the
    caller's thread. A word or picture that cannot be taught raises `TeachingError`.

    >>> from xworld.training.pretrained import load_model
    >>> from xworld.word_learning.new_object import draw_pixels
    >>> zebra = draw_pixels((["#ffffff"] * 2 + ["#202020"] * 2) * 36)
    >>> taught = teach(load_model()[0], Catalogue.load(), "zebra", zebra)
    >>> taught.word, taught.tile, taught.accuracy > 0.9
    ('zebra', 118, True)
    """
    if not isinstance(agent, Agent) or type(agent) not in (Agent, PlanningAgent):
        raise TeachingError("only the framework can be taught a word: commands and answers share its word embeddings")
    start = time.perf_counter()
    extended = _add_class(agent, catalogue, word, picture, color)
    names = agent.words.embeddings[Grammar(catalogue).vocabulary.numbers(catalogue.classes)].detach()
    embedding = names.mean(dim=0)  # until the first fit, the word means no more than "some object"
    learner, examples = with_word(agent, embedding, extended), list[Examples]()
    for batch, asked in enumerate(ask_naming_questions(extended, seed, BATCH_SIZES), start=1):
        examples.append(encode_questions(learner, asked))
        accuracy = examples[-1].accuracy(embedding)
        embedding = fit_embedding(examples, names, embedding)
        elapsed, asked_so_far = time.perf_counter() - start, sum(BATCH_SIZES[:batch])
        if report is not None:
            report(TeachingProgress(batch / len(BATCH_SIZES), asked_so_far, accuracy, elapsed))
    return TaughtAgent(with_word(agent, embedding, extended), extended, asked_so_far, accuracy, elapsed)


def _add_class(agent: Agent, catalogue: Catalogue, word: str, picture: Picture, color: str) -> Catalogue:
    if len(agent.words.embeddings) != len(Grammar(catalogue).vocabulary.words):
        raise TeachingError("this agent has other words than the catalogue; pass the agent's own catalogue")
    name = check_word(word, catalogue)
    try:
        extended = catalogue.with_class(name, picture, color)
    except PackError as error:
        raise TeachingError(f"{name!r} cannot be shown: {error}") from error
    refuse_look_alikes(extended)
    return extended

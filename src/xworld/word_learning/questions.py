"""The questions that teach a new word: it is the answer, and never part of a question."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from xworld.teacher.holdout import Holdout
from xworld.teacher.settings import TeacherSettings
from xworld.teacher.simulator import Simulator
from xworld.teacher.vocabulary import SENTENCE_LENGTH
from xworld.world.catalogue import Catalogue
from xworld.world.cells import VIEW

NAMING = ("rec_col2obj", "rec_loc2obj", "rec_loc_obj2obj", "rec_bw_obj2obj")
"""The types of question whose answer is the name of an object."""
_NUM_ENVS = 8192
"""Sessions started at once; about one in twenty has the new object on its map."""
_MAX_OF_ONE_KIND = 128
"""Questions of one kind kept from those; there would be far too many about maps without the new object."""

QUESTION = np.dtype(
    [("tiles", np.int16, (VIEW, VIEW)), ("question", np.int16, SENTENCE_LENGTH), ("answer", np.int64)], align=True
)
"""A question about a scene, and its answer."""
Questions = NDArray[np.void]
"""(questions,) of `QUESTION`."""


def answer_only_holdout(words: tuple[str, ...]) -> Holdout:
    """The hold-out under which words appear in no command and in no question, only as answers."""
    return Holdout("NWNavRec", words, also_in_questions=True)


def ask_naming_questions(catalogue: Catalogue, seed: int, batch_sizes: Sequence[int]) -> Iterator[Questions]:
    """Batches of questions that teach the name of the last class of a catalogue.

    There are three kinds. In a sixth, the answer is the new name; in a sixth, another word, on a map with the new
    object; the rest are about maps without it. Half of the last two kinds are naming questions, the others any: so the
    agent does not answer with the new word where another object is meant, or the color of the new one. The last kind is
    the largest, because it has to cover all other objects.
    """
    settings, holdout = TeacherSettings(), answer_only_holdout(catalogue.added_classes)
    naming = Simulator(_NUM_ENVS, catalogue, holdout, replace(settings, questions=NAMING))
    asking = Simulator(_NUM_ENVS, catalogue, holdout, settings)
    generator, new = np.random.default_rng(seed), len(catalogue.classes) - 1
    pools = [np.empty(0, QUESTION)] * 3
    for size in batch_sizes:
        named = max(1, round(size / 6))
        shares = [named, named, max(0, size - 2 * named)]
        while any(len(pool) < share for pool, share in zip(pools, shares, strict=True)):
            for simulator in (naming, asking):
                simulator.reset(generator.integers(2**63, size=len(simulator)))
            is_name = naming.sessions["answer"] == naming.grammar.vocabulary.number(catalogue.classes[new])
            answered = asking.sessions["answer"] == naming.grammar.vocabulary.number(catalogue.classes[new])
            present, shown = has_class(naming, new), has_class(asking, new)
            new_questions = (
                [_current_questions(naming, is_name)],
                [_current_questions(naming, present & ~is_name), _current_questions(asking, shown & ~answered)],
                [_current_questions(naming, ~present), _current_questions(asking, ~shown)],
            )
            pools = [np.concatenate([pool, *parts]) for pool, parts in zip(pools, new_questions, strict=True)]
        yield np.concatenate([pool[:share] for pool, share in zip(pools, shares, strict=True)])
        pools = [pool[share:] for pool, share in zip(pools, shares, strict=True)]


def _current_questions(simulator: Simulator, where: NDArray[np.bool_]) -> Questions:
    """The questions that are asked in some worlds of a simulator, up to a limit."""
    asked = np.flatnonzero((simulator.sessions["question_type"] >= 0) & where)[:_MAX_OF_ONE_KIND]
    questions = np.empty(len(asked), QUESTION)
    questions["tiles"], questions["question"] = simulator.tiles[asked], simulator.questions[asked]
    questions["answer"] = simulator.sessions["answer"][asked]
    return questions


def has_class(simulator: Simulator, number: int) -> NDArray[np.bool_]:
    """(worlds,) Whether an object of this class is on the map."""
    classes = simulator.worlds["object_class"]
    present = np.arange(classes.shape[1]) < simulator.worlds["objects"][:, None]
    return np.array((present & (classes == number)).any(axis=1))

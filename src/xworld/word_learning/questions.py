"""What the teacher asks about a new thing: its name is the answer, and never part of a question."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import add

import numpy as np
from numpy.typing import NDArray

from xworld.teacher.holdout import Holdout
from xworld.teacher.settings import TeacherSettings
from xworld.teacher.simulator import Simulator
from xworld.world.catalogue import Catalogue

NAMING = ("rec_col2obj", "rec_loc2obj", "rec_loc_obj2obj", "rec_bw_obj2obj")
"""The types of question to which the name of an object is the answer."""

NAMED = 1 / 6
"""The share of questions to which the new word is the answer; as many are about other things on the same maps."""

_WORLDS = 8192
"""Sessions that begin at once; one in twenty or so has the new thing on its map."""
_MOST_AT_ONCE = 128
"""Questions of one kind that are kept of those: about maps without the new thing there would be far too many."""


@dataclass(frozen=True)
class Asked:
    """Questions about scenes, and their answers."""

    tiles: NDArray[np.int16]
    """(questions, 13, 13)"""
    questions: NDArray[np.int16]
    """(questions, 12)"""
    answers: NDArray[np.int64]
    """(questions,) Word numbers."""

    @classmethod
    def by(cls, simulator: Simulator, which: NDArray[np.int64]) -> "Asked":
        """The questions that some worlds of a simulator ask now."""
        return cls(simulator.tiles[which], simulator.questions[which], simulator.sessions["answer"][which])

    def __len__(self) -> int:
        return len(self.answers)

    def __getitem__(self, part: slice) -> "Asked":
        """Some of them."""
        return Asked(self.tiles[part], self.questions[part], self.answers[part])

    def __add__(self, other: "Asked") -> "Asked":
        """These, and then those."""
        return Asked(
            np.concatenate([self.tiles, other.tiles]),
            np.concatenate([self.questions, other.questions]),
            np.concatenate([self.answers, other.answers]),
        )


def worlds_with(catalogue: Catalogue) -> TeacherSettings:
    """The teacher's settings for worlds in which every class of a catalogue may appear."""
    settings = TeacherSettings()
    return replace(settings, classes=(settings.classes[0], max(settings.classes[1], len(catalogue.classes))))


def only_an_answer(words: tuple[str, ...]) -> Holdout:
    """The hold-out under which words occur in no command and in no question."""
    return Holdout("NWNavRec", words, also_in_questions=True)


def ask_names(catalogue: Catalogue, seed: int, rounds: Sequence[int]) -> Iterator[Asked]:
    """Rounds of so many questions, of the three kinds that teach the name of the last class of a catalogue.

    To the first kind its name is the answer. The second is for the names of other things on maps that it is on, the
    third about maps without it, half of them for names and half for anything: else the agent might learn to say nothing
    but the new word. The third are the most, because everything else there is has to be among them.
    """
    settings, holdout = worlds_with(catalogue), only_an_answer(catalogue.added_classes)
    naming = Simulator(_WORLDS, catalogue, holdout, replace(settings, questions=NAMING))
    asking = Simulator(_MOST_AT_ONCE, catalogue, holdout, settings)
    generator, new = np.random.default_rng(seed), len(catalogue.classes) - 1
    piles = [Asked.by(naming, np.empty(0, np.int64))] * 3
    for size in rounds:
        each = max(1, round(size * NAMED))
        shares = [each, each, max(0, size - 2 * each)]
        while any(len(pile) < share for pile, share in zip(piles, shares, strict=True)):
            for simulator in (naming, asking):
                simulator.reset(generator.integers(2**63, size=len(simulator)))
            is_name = naming.sessions["answer"] == naming.grammar.vocabulary.number(catalogue.classes[new])
            there = have_class(naming, new)
            piles[0] += _ask(naming, is_name)
            piles[1] += _ask(naming, there & ~is_name)
            piles[2] += _ask(naming, ~there) + _ask(asking, ~have_class(asking, new))
        yield reduce(add, (pile[:share] for pile, share in zip(piles, shares, strict=True)))
        piles = [pile[share:] for pile, share in zip(piles, shares, strict=True)]


def _ask(simulator: Simulator, which: NDArray[np.bool_]) -> Asked:
    """What is asked in some worlds of a simulator, if it is not too much."""
    asked = simulator.sessions["question_type"] >= 0
    return Asked.by(simulator, np.flatnonzero(asked & which)[:_MOST_AT_ONCE])


def have_class(simulator: Simulator, kind: int) -> NDArray[np.bool_]:
    """(worlds,) Whether a thing of this class is on the map."""
    classes = simulator.worlds["object_class"]
    there = np.arange(classes.shape[1]) < simulator.worlds["objects"][:, None]
    return np.array((there & (classes == kind)).any(axis=1))

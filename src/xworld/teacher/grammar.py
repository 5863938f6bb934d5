"""The teacher's language: counts, enumerates, samples and reads sentences of sixteen types."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from xworld.teacher.commands import COMMANDS
from xworld.teacher.questions import QUESTIONS
from xworld.teacher.subtask import COLOR_CODE, LOCATION_CODE, OBJECT_CODE, SECOND_CODE, SLOTS, Subtask
from xworld.teacher.vocabulary import SENTENCE_LENGTH, Vocabulary, WordError, tokenize
from xworld.world.catalogue import COLORS, Catalogue
from xworld.world.cells import DIRECTIONS

SUBTASKS = (*COMMANDS, *QUESTIONS)
"""All types of sentence, commands first. The phrasebook uses indices into this tuple, while infos have indices into
`COMMANDS` and into `QUESTIONS`."""

_SLOT_CODES = dict(zip(SLOTS, (OBJECT_CODE, SECOND_CODE, LOCATION_CODE, COLOR_CODE), strict=True))


@dataclass(frozen=True)
class Sentence:
    """A sentence, its type, and the words in its slots."""

    subtask: str
    tokens: tuple[str, ...]
    object: str | None = None
    second: str | None = None
    location: str | None = None
    color: str | None = None


PHRASEBOOK = np.dtype(
    [
        # Word numbers, and negative codes for the slots. The forms of a type are contiguous and sorted by length.
        ("forms", np.int16, (sum(len(subtask.forms) for subtask in SUBTASKS), SENTENCE_LENGTH)),
        ("first", np.int64, (len(SUBTASKS),)),  # where the forms of each type start
        # How many forms of each type are at most this long; the shortest forms always count.
        ("usable", np.int64, (len(SUBTASKS), SENTENCE_LENGTH + 1)),
    ]
)
"""The forms of all types, as kernels read them."""


class Grammar:
    """All sentences that the teacher can say about a catalogue.

    >>> grammar = Grammar(Catalogue.load())
    >>> grammar.count("nav_obj"), grammar.count()
    (1240, 256832)
    >>> grammar.read("Could you please go to the dog?")
    Sentence(subtask='nav_obj', tokens=('could', 'you', 'please', 'go', 'to', 'the', 'dog', '?'), object='dog', ...)
    """

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.vocabulary = Vocabulary(catalogue.classes)
        self.slot_words = dict(zip(SLOTS, (catalogue.classes, catalogue.classes, DIRECTIONS, COLORS), strict=True))

    def fillings(self, subtask: Subtask) -> list[dict[str, str]]:
        """All words for the slots of a type; a color is combined only with classes that have it."""
        if {"color", "object"} <= set(subtask.slots):
            return [
                {"color": COLORS[color], "object": self.catalogue.classes[kind]}
                for color, kind in self.catalogue.named_pairs
            ]
        choices = product(*(self.slot_words[slot] for slot in subtask.slots))
        return [dict(zip(subtask.slots, words, strict=True)) for words in choices]

    def sentences(self, name: str | None = None) -> Iterator[Sentence]:
        """Every sentence of a type, or of all types, one by one."""
        for subtask in SUBTASKS if name is None else (find_subtask(name),):
            for form, filling in product(subtask.forms, self.fillings(subtask)):
                yield Sentence(subtask.name, tuple(form.format(**filling).split()), **filling)

    def count(self, name: str | None = None) -> int:
        """The number of sentences of a type, or of all types: forms times fillings."""
        chosen = SUBTASKS if name is None else (find_subtask(name),)
        return sum(len(subtask.forms) * len(self.fillings(subtask)) for subtask in chosen)

    def sample(self, name: str, generator: np.random.Generator) -> Sentence:
        """A random sentence of a type."""
        subtask = find_subtask(name)
        fillings = self.fillings(subtask)
        if not fillings:  # every catalogue has classes, so only colors can be missing
            raise WordError(
                f"this catalogue has no sentence of type {name}: none of its objects has a color with a word "
                f"({', '.join(COLORS)}); an icon pack names colors in its properties.txt"
            )
        form = subtask.forms[generator.integers(len(subtask.forms))]
        filling = fillings[generator.integers(len(fillings))]
        return Sentence(name, tuple(form.format(**filling).split()), **filling)

    def read(self, sentence: str) -> Sentence:
        """Find the type of a sentence and the words in its slots."""
        tokens = tokenize(sentence)
        self.vocabulary.numbers(tokens)  # refuses unknown words
        pattern, filling = self._abstract(tokens)
        subtask = self._types.get(pattern)
        if subtask is None or not self._sayable(filling):
            raise WordError(f"the teacher has no sentence {sentence!r}; run `xworld sentences` to see its sentences")
        return Sentence(subtask, tuple(tokens), **filling)

    @cached_property
    def phrasebook(self) -> NDArray[np.void]:
        """(1,) A record of `PHRASEBOOK`."""
        ordered = [sorted(subtask.forms, key=lambda form: len(form.split())) for subtask in SUBTASKS]
        lengths = [np.array([len(form.split()) for form in forms]) for forms in ordered]
        bounds = np.arange(SENTENCE_LENGTH + 1)
        book = np.zeros(1, PHRASEBOOK)
        book["forms"] = [self._form_numbers(form) for forms in ordered for form in forms]
        book["first"] = np.cumsum([0, *(len(forms) for forms in ordered)])[:-1]
        book["usable"] = [(np.maximum(bounds, these.min())[:, None] >= these).sum(axis=1) for these in lengths]
        return book

    @cached_property
    def _types(self) -> dict[str, str]:
        """The type of each form."""
        return {form: subtask.name for subtask in SUBTASKS for form in subtask.forms}

    @cached_property
    def _slots(self) -> dict[str, str]:
        """The slot of each content word; a second noun goes into another one."""
        return {word: slot for slot, words in self.slot_words.items() for word in words if slot != "second"}

    def _abstract(self, tokens: list[str]) -> tuple[str, dict[str, str]]:
        """Replace the content words of a sentence by slots: the form and its filling."""
        filling: dict[str, str] = {}
        pattern = []
        for token in tokens:
            slot = self._slots.get(token)
            if slot is not None:
                slot = "second" if slot == "object" and slot in filling else slot
                filling[slot] = token
            pattern.append(token if slot is None else f"{{{slot}}}")
        return " ".join(pattern), filling

    def _sayable(self, filling: dict[str, str]) -> bool:
        if not {"color", "object"} <= set(filling):
            return True
        pair = COLORS.index(filling["color"]), self.catalogue.classes.index(filling["object"])
        return pair in self.catalogue.named_pairs

    def _form_numbers(self, form: str) -> list[int]:
        """The word numbers of a form, with negative codes for its slots, padded with zeros."""
        codes = [
            _SLOT_CODES[token[1:-1]] if token.startswith("{") else self.vocabulary.number(token)
            for token in form.split()
        ]
        return codes + [0] * (SENTENCE_LENGTH - len(codes))


def find_subtask(name: str) -> Subtask:
    """The type of sentence with this name."""
    for subtask in SUBTASKS:
        if subtask.name == name:
            return subtask
    raise WordError(f"no type of sentence {name!r}; there are {', '.join(subtask.name for subtask in SUBTASKS)}")

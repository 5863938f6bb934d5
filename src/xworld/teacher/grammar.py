"""The teacher's language: counts, enumerates, samples and reads sentences of all types."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from xworld.teacher.commands import COMMANDS
from xworld.teacher.questions import QUESTIONS
from xworld.teacher.subtask import COLOR_CODE, LOCATION_CODE, OBJECT_CODE, SECOND_CODE, SLOTS, Subtask
from xworld.teacher.vocabulary import FIXED_WORDS, SENTENCE_LENGTH, Vocabulary, WordError, tokenize
from xworld.world.catalogue import COLORS, Catalogue
from xworld.world.cells import DIRECTIONS

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
        of_pack = catalogue.classes[: len(catalogue.classes) - len(catalogue.added_classes)]
        more_colors = catalogue.colors[len(COLORS) :]
        self.vocabulary = Vocabulary(of_pack, (*more_colors, *new_words(), *catalogue.added_classes))
        self.slot_words = dict(
            zip(SLOTS, (catalogue.classes, catalogue.classes, DIRECTIONS, catalogue.colors), strict=True)
        )

    def fillings(self, subtask: Subtask) -> list[dict[str, str]]:
        """All words for the slots of a type; a color is combined only with classes that have it."""
        if {"color", "object"} == set(subtask.slots):
            return [
                {"color": self.catalogue.colors[color], "object": self.catalogue.classes[kind]}
                for color, kind in self.catalogue.named_pairs
            ]
        choices = product(*(self.slot_words[slot] for slot in subtask.slots))
        fillings = (dict(zip(subtask.slots, words, strict=True)) for words in choices)
        return [filling for filling in fillings if self._sayable(filling)]

    def sentences(self, name: str | None = None) -> Iterator[Sentence]:
        """Every sentence of a type, or of all types, one by one."""
        for subtask in subtasks() if name is None else (find_subtask(name),):
            for form, filling in product(subtask.forms, self.fillings(subtask)):
                yield Sentence(subtask.name, tuple(form.format(**filling).split()), **filling)

    def count(self, name: str | None = None) -> int:
        """The number of sentences of a type, or of all types: forms times fillings."""
        chosen = subtasks() if name is None else (find_subtask(name),)
        return sum(len(subtask.forms) * len(self.fillings(subtask)) for subtask in chosen)

    def sample(self, name: str, generator: np.random.Generator) -> Sentence:
        """A random sentence of a type."""
        subtask = find_subtask(name)
        fillings = self.fillings(subtask)
        if not fillings:  # every catalogue has classes, so only colors can be missing
            raise WordError(
                f"this catalogue has no sentence of type {name}: none of its objects has a color with a word "
                f"({', '.join(self.catalogue.colors)}); an icon pack names colors in its properties.txt"
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
        """(1,) The forms of all types, in the order of `subtasks`, as kernels read them; see `_phrasebook_type`."""
        ordered = [sorted(subtask.forms, key=lambda form: len(form.split())) for subtask in subtasks()]
        lengths = [np.array([len(form.split()) for form in forms]) for forms in ordered]
        bounds = np.arange(SENTENCE_LENGTH + 1)
        book = np.zeros(1, _phrasebook_type(types=len(ordered), forms=sum(map(len, ordered))))
        book["forms"] = [self._form_numbers(form) for forms in ordered for form in forms]
        book["first"] = np.cumsum([0, *(len(forms) for forms in ordered)])[:-1]
        book["usable"] = [(np.maximum(bounds, these.min())[:, None] >= these).sum(axis=1) for these in lengths]
        return book

    @cached_property
    def _types(self) -> dict[str, str]:
        """The type of each form."""
        return {form: subtask.name for subtask in subtasks() for form in subtask.forms}

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
        pair = self.catalogue.colors.index(filling["color"]), self.catalogue.classes.index(filling["object"])
        return pair in self.catalogue.named_pairs

    def _form_numbers(self, form: str) -> list[int]:
        """The word numbers of a form, with negative codes for its slots, padded with zeros."""
        codes = [
            _SLOT_CODES[token[1:-1]] if token.startswith("{") else self.vocabulary.number(token)
            for token in form.split()
        ]
        return codes + [0] * (SENTENCE_LENGTH - len(codes))


def _phrasebook_type(types: int, forms: int) -> np.dtype[np.void]:
    return np.dtype(
        [
            # Word numbers, and negative codes for the slots. The forms of a type are contiguous and sorted by length.
            ("forms", np.int16, (forms, SENTENCE_LENGTH)),
            ("first", np.int64, (types,)),  # where the forms of each type start
            # How many forms of each type are at most this long; the shortest forms always count.
            ("usable", np.int64, (types, SENTENCE_LENGTH + 1)),
        ]
    )


def subtasks() -> tuple[Subtask, ...]:
    """All types of sentence, commands first. Their places here are the numbers of the phrasebook; elsewhere a type is
    numbered by its place in `COMMANDS` or `QUESTIONS`.
    """
    return (*COMMANDS, *QUESTIONS)


def find_subtask(name: str) -> Subtask:
    """The type of sentence with this name."""
    for subtask in subtasks():
        if subtask.name == name:
            return subtask
    raise WordError(f"no type of sentence {name!r}; there are {', '.join(subtask.name for subtask in subtasks())}")


def new_words() -> tuple[str, ...]:
    """The words that only types of your own use; the built-in ones make do with the fixed words."""
    words = dict.fromkeys(word for subtask in subtasks() for word in subtask.words)
    return tuple(word for word in words if word not in FIXED_WORDS)

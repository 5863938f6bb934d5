"""What is held out of training: the four conditions of the paper, Standard, NC, NWNav and NWNavRec."""

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from itertools import combinations, product
from pathlib import Path
from typing import Any, Literal, TypeVar, cast, get_args

import numpy as np
from numpy.typing import NDArray

from xworld.teacher.choice import BANNED_COLOR, BANNED_LOCATION, BANNED_SECOND, BANNED_WORD
from xworld.teacher.commands import COMMANDS
from xworld.teacher.grammar import Sentence
from xworld.world.catalogue import Catalogue
from xworld.world.cells import DIRECTIONS
from xworld.world.checks import (
    SettingsError,
    check_choice,
    check_flag,
    check_kind,
    check_number,
    check_seed,
    refusal,
    show,
)

Condition = Literal["Standard", "NC", "NWNav", "NWNavRec"]
CONDITIONS: tuple[Condition, ...] = get_args(Condition)

PAPER_SHARE = 0.1
"""The share of the words or combinations that the paper holds out."""

Item = TypeVar("Item")


@dataclass(frozen=True)
class Holdout:
    """Words and combinations that do not occur in training commands.

    Two hold-outs are equal if they hold out the same things; `print` lists them.

    >>> holdout = Holdout.draw("NWNavRec", Catalogue.load(), seed=0)
    >>> len(holdout.objects), holdout.also_in_questions
    (4, True)
    >>> from xworld.teacher.grammar import Grammar
    >>> sentence = Grammar(Catalogue.load()).read(f"Please go to the {holdout.objects[0]}.")
    >>> holdout.holds_out(sentence)
    True
    """

    condition: Condition
    objects: tuple[str, ...] = ()
    """Words that no command contains."""
    also_in_questions: bool = False
    """Whether no question contains those words either; they then occur as answers only."""
    object_locations: tuple[tuple[str, str], ...] = ()
    """(object, location) combinations that no command contains."""
    object_colors: tuple[tuple[str, str], ...] = ()
    """(object, color) combinations that no command contains."""
    object_pairs: tuple[tuple[str, str], ...] = ()
    """Pairs of objects that no command contains, in either order."""

    def __post_init__(self) -> None:
        check_choice("condition", self.condition, CONDITIONS)
        object.__setattr__(self, "also_in_questions", check_flag("also_in_questions", self.also_in_questions))
        if not _are_all(_is_word, self.objects):
            raise refusal("objects", self.objects, "a tuple of words, such as ('apple', 'cat')")
        for name in ("object_locations", "object_colors", "object_pairs"):
            if not _are_all(_is_pair, pairs := getattr(self, name)):
                raise refusal(name, pairs, "a tuple of pairs of words, such as (('apple', 'red'),)")
        object.__setattr__(self, "object_pairs", tuple(tuple(sorted(pair)) for pair in self.object_pairs))
        for name in ("objects", "object_locations", "object_colors", "object_pairs"):  # their order means nothing
            object.__setattr__(self, name, tuple(sorted(set(getattr(self, name)))))

    @classmethod
    def draw(cls, condition: str, catalogue: Catalogue, seed: int = 0, share: float = PAPER_SHARE) -> "Holdout":
        """A random hold-out of a condition: a share of the words, or of each type of combination."""
        check_choice("condition", condition, CONDITIONS)
        if check_number("share", share, 0, 1) == 1:
            raise refusal("share", share, "a number from 0 to below 1")
        generator = np.random.default_rng(check_seed("seed", seed))
        classes = check_kind("catalogue", catalogue, Catalogue).classes
        if condition == "NC":
            colored = [(classes[kind], catalogue.colors[color]) for color, kind in catalogue.named_pairs]
            return cls(
                "NC",
                object_locations=_draw(product(classes, DIRECTIONS), share, generator),
                object_colors=_draw(colored, share, generator),
                object_pairs=_draw(combinations(classes, 2), share, generator),
            )
        words = () if condition == "Standard" else _draw(classes, share, generator)
        return cls(cast(Condition, condition), words, also_in_questions=condition == "NWNavRec")

    def holds_out(self, sentence: Sentence) -> bool:
        """Whether training under this hold-out never contains the sentence."""
        named = {word for word in (sentence.object, sentence.second) if word is not None}
        if sentence.subtask not in COMMANDS.names:
            return self.also_in_questions and not named.isdisjoint(self.objects)
        return (
            not named.isdisjoint(self.objects)
            or (sentence.object, sentence.location) in self.object_locations
            or (sentence.object, sentence.color) in self.object_colors
            or (sentence.object, sentence.second) in self.object_pairs
            or (sentence.second, sentence.object) in self.object_pairs
        )

    def banned_in_commands(self, catalogue: Catalogue) -> NDArray[np.bool_]:
        """(classes, 25 + classes) What commands must not name, as kernels read it."""
        banned = np.zeros((len(catalogue.classes), BANNED_SECOND + len(catalogue.classes)), np.bool_)
        for name in self.objects:
            banned[_place(name, "class", catalogue.classes), BANNED_WORD] = True
        swapped = tuple((second, first) for first, second in self.object_pairs)
        for pairs, column, kind, words in (
            (self.object_locations, BANNED_LOCATION, "location", DIRECTIONS),
            (self.object_colors, BANNED_COLOR, "color", catalogue.colors),
            (self.object_pairs + swapped, BANNED_SECOND, "class", catalogue.classes),
        ):
            for name, word in pairs:
                banned[_place(name, "class", catalogue.classes), column + _place(word, kind, words)] = True
        return banned

    def banned_in_questions(self, catalogue: Catalogue) -> NDArray[np.bool_]:
        """(classes, 25 + classes) What questions must not name, as kernels read it."""
        words = self.objects if self.also_in_questions else ()
        return Holdout(self.condition, words).banned_in_commands(catalogue)

    def save(self, path: str | Path) -> None:
        """Write the hold-out as JSON; an existing file is not overwritten."""
        with Path(path).open("x", encoding="utf-8") as file:
            json.dump(asdict(self), file, indent=1)
            file.write("\n")

    @classmethod
    def load(cls, path: str | Path) -> "Holdout":
        """Read a saved hold-out."""
        try:
            return cls.from_json(json.loads(Path(path).read_text(encoding="utf-8")))
        except (ValueError, RecursionError) as error:
            raise SettingsError(f"{path} is not a saved hold-out: {error}") from error

    @classmethod
    def from_json(cls, content: Any) -> "Holdout":
        """A hold-out from its fields as JSON, with lists for tuples."""
        try:
            return cls(**{key: _as_tuples(value) for key, value in content.items()})
        except (TypeError, AttributeError, RecursionError) as error:
            raise SettingsError(f"not a hold-out: {error}") from error

    def __str__(self) -> str:
        lists = {
            "word" if len(self.objects) == 1 else "words": self.objects,
            "object and location": self.object_locations,
            "object and color": self.object_colors,
            "object and object": self.object_pairs,
        }
        where = "commands and questions" if self.also_in_questions else "commands"
        lines = [f"{self.condition}: " + (f"held out of {where}" if any(lists.values()) else "nothing held out")]
        for name, items in lists.items():
            if items:
                shown = ", ".join(item if isinstance(item, str) else " + ".join(item) for item in items)
                lines.append(f"  {len(items)} {name}: {shown}")
        return "\n".join(lines)


def _place(word: str, kind: str, words: tuple[str, ...]) -> int:
    if word not in words:
        raise SettingsError(f"the hold-out names a {kind} {show(word)} that the catalogue does not have")
    return words.index(word)


def _are_all(is_valid: Callable[[Any], bool], items: Any) -> bool:
    return isinstance(items, tuple) and all(map(is_valid, items))


def _is_word(item: Any) -> bool:
    return isinstance(item, str)


def _is_pair(item: Any) -> bool:
    return _are_all(_is_word, item) and len(item) == 2


def _draw(items: Iterable[Item], share: float, generator: np.random.Generator) -> tuple[Item, ...]:
    """A random share of the items; at least one unless the share is zero."""
    pool = list(items)
    count = max(1, round(share * len(pool))) if share > 0 and pool else 0
    return tuple(pool[place] for place in generator.permutation(len(pool))[:count])


def _as_tuples(value: Any) -> Any:
    return tuple(_as_tuples(item) for item in value) if isinstance(value, list) else value

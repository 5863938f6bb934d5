"""Sentences of the teacher that fit a map: some of each type, those with unheard words first."""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, TypeVar

import numpy as np

from xworld.demo.agents import DemoAgent
from xworld.demo.scene import Scene
from xworld.teacher.grammar import Sentence, find_subtask
from xworld.teacher.oracle import Possible
from xworld.teacher.settings import COMMAND_NAMES
from xworld.teacher.subtask import SLOTS
from xworld.teacher.vocabulary import NOTHING, write_out

MOST = 8
"""Suggestions of a kind."""

Item = TypeVar("Item")


@dataclass(frozen=True)
class Suggestion:
    """Something that the teacher could say, in one of its wordings, and its answer if it is a question."""

    sentence: Sentence
    answer: str | None
    unheard: bool
    """Whether nothing like it was said in training."""

    def to_json(self) -> dict[str, Any]:
        """As the page reads it."""
        told = {
            "kind": "command" if self.sentence.subtask in COMMAND_NAMES else "question",
            "subtask": self.sentence.subtask,
            "text": write_out(self.sentence.tokens),
        }
        answer = {} if self.answer is None else {"answer": self.answer}
        return told | answer | ({"unheard": True} if self.unheard else {})


def suggest(mind: DemoAgent, scene: Scene) -> list[Suggestion]:
    """Up to eight commands and eight questions that are true on a map; the same map gives the same ones.

    >>> import numpy as np
    >>> from xworld.demo.agents import load_agents
    >>> grid = np.ones((7, 7), np.int16)
    >>> grid[0, 3] = 4
    >>> {item.sentence.subtask for item in suggest(load_agents()["standard"], Scene(7, grid, (5, 3)))}
    {...'nav_nr_obj'...}
    """
    generator = np.random.default_rng(_number_of(scene))
    chosen: list[Suggestion] = []
    for sayable in mind.classroom.sayable(scene):
        suggestions = [put_into_words(item, mind, generator) for item in _shuffled(sayable, generator)]
        suggestions.sort(key=lambda suggestion: suggestion.answer == NOTHING)  # what there is comes before what is not
        chosen += _vary(suggestions)[:MOST]
    return chosen


def put_into_words(item: Possible, mind: DemoAgent, generator: np.random.Generator) -> Suggestion:
    """One of the wordings of something that can be said."""
    forms = find_subtask(item.subtask).forms
    filling = {slot: getattr(item, slot) for slot in SLOTS if getattr(item, slot) is not None}
    tokens = forms[generator.integers(len(forms))].format(**filling).split()
    sentence = Sentence(item.subtask, tuple(tokens), **filling)
    return Suggestion(sentence, item.answer, mind.never_heard(sentence))


def _vary(suggestions: Sequence[Suggestion]) -> list[Suggestion]:
    """Unheard ones first, and both parts such that types follow each other in turn."""
    parts = [[item for item in suggestions if item.unheard == unheard] for unheard in (True, False)]
    return [item for part in parts for item in _in_turn(part, lambda item: item.sentence.subtask)]


def _in_turn(items: Sequence[Item], kind: Callable[[Item], str]) -> list[Item]:
    """One of each kind, then a second of each, and so on.

    >>> _in_turn(["a1", "a2", "b1"], lambda item: item[0])
    ['a1', 'b1', 'a2']
    """
    groups: defaultdict[str, list[Item]] = defaultdict(list)
    for item in items:
        groups[kind(item)].append(item)
    return [item for turn in zip_longest(*groups.values()) for item in turn if item is not None]


def _shuffled(items: Sequence[Item], generator: np.random.Generator) -> list[Item]:
    return [items[place] for place in generator.permutation(len(items))]


def _number_of(scene: Scene) -> int:
    """A number that stands for a map, wherever the agent is."""
    return int.from_bytes(hashlib.sha256(scene.grid.tobytes()).digest()[:8], "little")

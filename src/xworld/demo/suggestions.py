"""Sentences of the teacher that fit a map: some of each type, those with unheard words first."""

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import numpy as np

from xworld.demo.agents import DemoAgent
from xworld.teacher.grammar import Sentence, find_subtask
from xworld.teacher.oracle import Possible
from xworld.teacher.subtask import SLOTS
from xworld.teacher.vocabulary import NOTHING, write_out
from xworld.world.scene import Scene

MAX_SUGGESTIONS = 8
"""Of each kind: commands, questions."""


@dataclass(frozen=True)
class Suggestion:
    """A sentence that the teacher could say, and its answer if it is a question."""

    sentence: Sentence
    answer: str | None
    unheard: bool
    """Whether training had no sentence like it."""

    def to_json(self) -> dict[str, Any]:
        """The format of answers."""
        return {
            "kind": "command" if self.answer is None else "question",
            "subtask": self.sentence.subtask,
            "text": write_out(self.sentence.tokens),
            **({} if self.answer is None else {"answer": self.answer}),
            **({"unheard": True} if self.unheard else {}),
        }


def suggest(agent: DemoAgent, scene: Scene) -> list[Suggestion]:
    """Up to eight commands and eight questions that are true on a map; the same map gives the same ones.

    >>> import numpy as np
    >>> from xworld.demo.agents import load_agents
    >>> grid = np.ones((7, 7), np.int16)
    >>> grid[0, 3] = 4
    >>> {item.sentence.subtask for item in suggest(load_agents()["standard"], Scene(7, grid, (5, 3)))}
    {...'nav_nr_obj'...}
    """
    generator = np.random.default_rng(_seed_of(scene))
    chosen: list[Suggestion] = []
    for possible in agent.oracle.possible_sentences(scene):
        shuffled = [possible[index] for index in generator.permutation(len(possible))]
        suggestions = [_word(item, agent, generator) for item in shuffled]
        suggestions.sort(key=lambda item: item.answer == NOTHING)  # questions about objects before those about floor
        chosen += _vary(suggestions)[:MAX_SUGGESTIONS]
    return chosen


def _word(item: Possible, agent: DemoAgent, generator: np.random.Generator) -> Suggestion:
    """One of the wordings of something that can be said."""
    forms = find_subtask(item.subtask).forms
    slots = {slot: getattr(item, slot) for slot in SLOTS if getattr(item, slot) is not None}
    tokens = forms[generator.integers(len(forms))].format(**slots).split()
    sentence = Sentence(item.subtask, tuple(tokens), **slots)
    return Suggestion(sentence, item.answer, agent.never_heard(sentence))


def _vary(suggestions: Sequence[Suggestion]) -> list[Suggestion]:
    """Unheard sentences first; within both parts one of each type, then a second of each, and so on."""
    groups: dict[bool, defaultdict[str, list[Suggestion]]] = {True: defaultdict(list), False: defaultdict(list)}
    for item in suggestions:
        groups[item.unheard][item.sentence.subtask].append(item)
    rounds = [taken for group in groups.values() for taken in zip_longest(*group.values())]
    return [item for taken in rounds for item in taken if item is not None]


def _seed_of(scene: Scene) -> int:
    """A seed that depends on the map, not on the agent's cell."""
    return int.from_bytes(hashlib.sha256(scene.grid.tobytes()).digest()[:8], "little")

"""A subtask is a type of sentence: when it is said, how it is worded, and what it refers to."""

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import product

SLOTS = ("object", "second", "location", "color")
"""The open places of a sentence: an object, a second one, one of the eight directions, a color."""

OBJECT_CODE, SECOND_CODE, LOCATION_CODE, COLOR_CODE = (-1 - place for place in range(len(SLOTS)))
"""What stands for an open place where words are numbers."""

BESIDE_AGENT, NEIGHBORS, ALIGNED = 1, 2, 4
"""What a scene must have for some types to apply at all: an object beside the agent, two objects beside each other,
two objects two cells apart in a line. Quick to tell, so that a type is not tried in vain."""

_SLOT = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Subtask:
    """One of the sixteen types of sentence.

    A surface form is a frame with a phrase put in: `{referent}` is a noun phrase ("object in the north"), `{predicate}`
    what can follow "which is" ("in the north").

    >>> Subtask("nav_obj", "C0 & C1", ("go to the {referent} .",), ("{object}",)).forms
    ('go to the {object} .',)
    """

    name: str
    condition: str
    frames: tuple[str, ...]
    referents: tuple[str, ...]
    predicates: tuple[str, ...] = ()
    objects_needed: int = 1
    """The fewest objects with which a command can be given."""
    scene_needs: int = 0
    """A sum of `BESIDE_AGENT`, `NEIGHBORS` and `ALIGNED`."""
    weight: float = 1.0
    """How much a question is preferred among those that apply: about as much as it applies more seldom."""

    @cached_property
    def forms(self) -> tuple[str, ...]:
        """Every wording, with the slots still open."""
        return tuple(
            frame.format(referent=referent, predicate=predicate)
            for frame in self.frames
            for referent, predicate in self._phrases(frame)
        )

    @cached_property
    def slots(self) -> tuple[str, ...]:
        """What has to be filled in, in the order of `SLOTS`."""
        named = set(_SLOT.findall(self.referents[0]))
        return tuple(slot for slot in SLOTS if slot in named)

    def _phrases(self, frame: str) -> list[tuple[str, str]]:
        if "{predicate}" in frame:
            return list(product([""], self.predicates))
        return list(product(self.referents, [""]))

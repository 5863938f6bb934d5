"""A subtask is a type of sentence. Here is its record, and the templates that types with the same wording share."""

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import product

SLOTS = ("object", "second", "location", "color")
"""The slots of a sentence: an object, a second one, one of the eight directions, a color."""

OBJECT_CODE, SECOND_CODE, LOCATION_CODE, COLOR_CODE = (-1 - place for place in range(len(SLOTS)))
"""The codes of slots among word numbers."""

BESIDE_AGENT, NEIGHBORS, ALIGNED = 1, 2, 4
"""Features of a scene that some types require: an object next to the agent, two objects next to each other, two objects
two cells apart in a line. They are quick to check, which saves trying types in vain."""

_SLOT = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Subtask:
    """One of the sixteen types of sentence.

    A form is a template with a phrase filled in: `{referent}` is a noun phrase ("object in the north"), `{predicate}`
    can follow "which is" ("in the north").

    >>> Subtask("nav_obj", "C0 & C1", ("go to the {referent} .",), ("{object}",)).forms
    ('go to the {object} .',)
    """

    name: str
    condition: str
    templates: tuple[str, ...]
    referents: tuple[str, ...]
    predicates: tuple[str, ...] = ()
    objects_needed: int = 1
    """The fewest objects on a map with which the command can be given."""
    scene_needs: int = 0
    """A sum of `BESIDE_AGENT`, `NEIGHBORS` and `ALIGNED`."""
    weight: float = 1.0
    """How strongly a question is preferred among those that apply; the rarer it applies, the higher."""

    @cached_property
    def forms(self) -> tuple[str, ...]:
        """All wordings, with open slots."""
        return tuple(
            template.format(referent=referent, predicate=predicate)
            for template in self.templates
            for referent, predicate in self._phrases(template)
        )

    @cached_property
    def slots(self) -> tuple[str, ...]:
        """The slots to fill, in the order of `SLOTS`."""
        named = set(_SLOT.findall(self.referents[0]))
        return tuple(slot for slot in SLOTS if slot in named)

    def _phrases(self, template: str) -> list[tuple[str, str]]:
        if "{predicate}" in template:
            return list(product([""], self.predicates))
        return list(product(self.referents, [""]))


OBJECT_SIDES = tuple(f"{{location}} {preposition} the {{object}}" for preposition in ("to", "of", "near", "by"))

_VERBS = ("go to the", "navigate to the", "move to the", "reach the")
_ENDS = ("destination", "target", "goal")
_IMPERATIVES = (
    "{verb} {{referent}} .",
    "{verb} {{referent}} please .",
    "can you {verb} {{referent}} ?",
    "could you please {verb} {{referent}} ?",
    "will you {verb} {{referent}} ?",
)

COMMAND_TEMPLATES = (
    "{referent} .",
    *(f"{{referent}} is the {end} ." for end in _ENDS),
    *(f"the {{referent}} is your {end} ." for end in _ENDS),
    *(template.format(verb=verb) for template in _IMPERATIVES for verb in _VERBS),
    "please go to the {referent} .",
    "please navigate to the {referent} .",
    "please move to the {referent} .",
    "please reach {referent} .",
)

ASK_NAME = (
    "what is the {referent} ?",
    "what is the name of the {referent} ?",
    "name the {referent} .",
    "identify the {referent} .",
    "please name the {referent} .",
    "please identify the {referent} .",
    "can you name the {referent} ?",
    "can you identify the {referent} ?",
    "could you name the {referent} ?",
    "could you identify the {referent} ?",
    "will you name the {referent} ?",
    "will you identify the {referent} ?",
    "tell the name of the {referent} .",
    "tell me the name of the {referent} .",
    "please tell the name of the {referent} .",
    "say the name of the {referent} .",
    "please say the name of the {referent} .",
    "find the name of the {referent} .",
    "tell me what the {referent} is .",
    "what is {predicate} ?",
    "what object is {predicate} ?",
    "which object is {predicate} ?",
    "what thing is {predicate} ?",
    "which thing is {predicate} ?",
    "which one is {predicate} ?",
    "identify the object which is {predicate} .",
    "identify the thing which is {predicate} .",
    "name the object which is {predicate} .",
    "name the thing which is {predicate} .",
    "tell me what is {predicate} .",
    "tell me which object is {predicate} .",
    "say what is {predicate} .",
    "say which object is {predicate} .",
    "please say what is {predicate} .",
    "please tell what is {predicate} .",
)

ASK_COLOR = (
    "what is the color of the {referent} ?",
    "what color does the {referent} have ?",
    "what color is the {referent} ?",
    "which color does the {referent} have ?",
    "which color is the {referent} ?",
    "tell the color of the {referent} .",
    "tell me the color of the {referent} .",
    "please tell the color of the {referent} .",
    "say the color of the {referent} .",
    "please say the color of the {referent} .",
    "name the color of the {referent} .",
    "identify the color of the {referent} .",
    "please identify the color of the {referent} .",
    "tell me what color the {referent} is .",
)

ASK_LOCATION = (
    "where is the {referent} ?",
    "where is the {referent} located ?",
    "what is the location of the {referent} ?",
    "what is the direction of the {referent} ?",
    "in which direction is the {referent} ?",
    "on which side is the {referent} ?",
    "tell me where the {referent} is .",
    "please tell me where the {referent} is .",
    "tell the location of the {referent} .",
    "tell me the location of the {referent} .",
    "say the location of the {referent} .",
    "locate the {referent} .",
    "please locate the {referent} .",
)

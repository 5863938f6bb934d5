"""A subtask is a type of sentence. Here is its record, and the templates that types with the same wording share."""

from dataclasses import dataclass
from functools import cached_property

SLOTS = ("object", "second", "location", "color")
"""The slots of a sentence: an object, a second one, one of the eight directions, a color."""

OBJECT_CODE, SECOND_CODE, LOCATION_CODE, COLOR_CODE = (-1 - place for place in range(len(SLOTS)))
"""The codes of slots among word numbers."""

BESIDE_AGENT, NEIGHBORS, ALIGNED = 1, 2, 4
"""Features of a scene that some types require: an object next to the agent, two objects next to each other, two objects
two cells apart in a line. They are quick to check, which saves trying types in vain."""


@dataclass(frozen=True)
class Subtask:
    """One of the sixteen types of sentence.

    A form is a template with a phrase filled in: `{referent}` is a noun phrase ("object in the north"), `{predicate}`
    can follow "which is" ("in the north").
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
            template.format(referent=phrase, predicate=phrase)
            for template in self.templates
            for phrase in (self.predicates if "{predicate}" in template else self.referents)
        )

    @cached_property
    def slots(self) -> tuple[str, ...]:
        """The slots to fill, in the order of `SLOTS`."""
        return tuple(slot for slot in SLOTS if f"{{{slot}}}" in self.referents[0])


OBJECT_BETWEEN = ("object between {object} and {second}",)
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
    *(f"please {verb} {{referent}} ." for verb in ("go to the", "navigate to the", "move to the", "reach")),
)

ASK_NAME = (
    "what is the {referent} ?",
    "what is the name of the {referent} ?",
    *(f"{verb} the {{referent}} ." for verb in ("name", "identify", "please name", "please identify")),
    *(f"{modal} you {verb} the {{referent}} ?" for modal in ("can", "could", "will") for verb in ("name", "identify")),
    *(
        f"{verb} the name of the {{referent}} ."
        for verb in ("tell", "tell me", "please tell", "say", "please say", "find")
    ),
    "tell me what the {referent} is .",
    "what is {predicate} ?",
    *(f"{which} {noun} is {{predicate}} ?" for noun in ("object", "thing") for which in ("what", "which")),
    "which one is {predicate} ?",
    *(f"{verb} the {noun} which is {{predicate}} ." for verb in ("identify", "name") for noun in ("object", "thing")),
    *(f"{verb} {what} is {{predicate}} ." for verb in ("tell me", "say") for what in ("what", "which object")),
    "please say what is {predicate} .",
    "please tell what is {predicate} .",
)

_COLOR_VERBS = ("tell", "tell me", "please tell", "say", "please say", "name", "identify", "please identify")

ASK_COLOR = (
    "what is the color of the {referent} ?",
    *(
        f"{which} color {verb} ?"
        for which in ("what", "which")
        for verb in ("does the {referent} have", "is the {referent}")
    ),
    *(f"{verb} the color of the {{referent}} ." for verb in _COLOR_VERBS),
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
    *(f"{verb} the location of the {{referent}} ." for verb in ("tell", "tell me", "say")),
    "locate the {referent} .",
    "please locate the {referent} .",
)

"""A subtask is a type of sentence. Here is its record, and the templates that types with the same wording share."""

from dataclasses import dataclass, field
from functools import cached_property

SLOTS = ("object", "second", "location", "color")
"""The slots of a sentence: an object, a second one, one of the eight directions, a color."""

OBJECT_CODE, SECOND_CODE, LOCATION_CODE, COLOR_CODE = (-1 - place for place in range(len(SLOTS)))
"""The codes of slots among word numbers."""

BESIDE_AGENT, NEIGHBORS, ALIGNED = 1, 2, 4
"""Features of a scene that some types require: an object next to the agent, two objects next to each other, two objects
two cells apart in a line. They are quick to check, which saves trying types in vain."""

ANY_ARRANGEMENT = -1


@dataclass(frozen=True)
class Subtask:
    """A type of sentence.

    A form is a template with a phrase filled in: `{referent}` is a noun phrase ("object in the north"), `{predicate}`
    can follow "which is" ("in the north"). A template may also have neither, and be a form itself.
    """

    name: str
    condition: str
    """When it is said, in a few words; C0 to C8 are the conditions of the paper."""
    templates: tuple[str, ...]
    referents: tuple[str, ...] = ()
    predicates: tuple[str, ...] = ()
    title: str = field(kw_only=True)
    """What it asks of the agent, in a few words."""
    why_not: str = field(default="this type of sentence does not apply here", kw_only=True)
    """Why the teacher does not say it on a map with all objects that it names."""
    answers: tuple[str, ...] = field(default=(), kw_only=True)
    """The answers to a question that are neither a class, a color nor a direction; see `choice.own_answer`."""

    @cached_property
    def forms(self) -> tuple[str, ...]:
        """All wordings, with open slots."""
        phrases = {"{referent}": self.referents, "{predicate}": self.predicates}
        return tuple(
            template.replace(place, phrase)
            for template in self.templates
            for place in [next((place for place in phrases if place in template), "")]
            for phrase in phrases.get(place, ("",))
        )

    @cached_property
    def slots(self) -> tuple[str, ...]:
        """The slots to fill, in the order of `SLOTS`."""
        return tuple(slot for slot in SLOTS if f"{{{slot}}}" in self.forms[0])

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of all forms, without those in the slots, and of the answers."""
        tokens = (token for form in self.forms for token in form.split() if not token.startswith("{"))
        return tuple(dict.fromkeys((*tokens, *self.answers)))


@dataclass(frozen=True)
class Command(Subtask):
    """A type of command, and what a map needs so that one can be given."""

    objects_needed: int = field(default=1, kw_only=True)
    """The fewest objects on the map."""
    arrangement: int = field(default=ANY_ARRANGEMENT, kw_only=True)
    """Where the objects are, one of the arrangements of `xworld.world.layout`; by default as the settings say."""
    look_alikes: bool = field(default=False, kw_only=True)
    """Whether the second object shares its class or its color with the first."""


@dataclass(frozen=True)
class Question(Subtask):
    """A type of question, and how often it is asked."""

    scene_needs: int = field(default=0, kw_only=True)
    """A sum of `BESIDE_AGENT`, `NEIGHBORS` and `ALIGNED`."""
    weight: float = field(default=1.0, kw_only=True)
    """How strongly it is preferred among those that apply; the rarer it applies, the higher."""


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

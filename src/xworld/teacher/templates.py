"""The frames of the teacher's sentences. A frame stands once here and serves every subtask that is worded like it."""

SIDES_OF_AN_OBJECT = tuple(f"{{location}} {preposition} the {{object}}" for preposition in ("to", "of", "near", "by"))

_VERBS = ("go to the", "navigate to the", "move to the", "reach the")
_ENDS = ("destination", "target", "goal")
_IMPERATIVES = (
    "{verb} {{referent}} .",
    "{verb} {{referent}} please .",
    "can you {verb} {{referent}} ?",
    "could you please {verb} {{referent}} ?",
    "will you {verb} {{referent}} ?",
)

COMMANDS = (
    "{referent} .",
    *(f"{{referent}} is the {end} ." for end in _ENDS),
    *(f"the {{referent}} is your {end} ." for end in _ENDS),
    *(frame.format(verb=verb) for frame in _IMPERATIVES for verb in _VERBS),
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

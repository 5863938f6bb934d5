"""What is special about a sentence: why the teacher would not use it here, and words that the agent never heard."""

from collections import Counter
from collections.abc import Iterable

from xworld.demo.parse import ParsedSentence
from xworld.demo.scene import name_and_color
from xworld.teacher.grammar import Sentence
from xworld.teacher.holdout import Holdout
from xworld.world.catalogue import Catalogue
from xworld.world.scene import Scene

_NO_WAY = "or there is no way there that does not cross another object"
_CONDITIONS = {
    "nav_obj": "there is no way there that does not cross another object, or the agent is there already",
    "nav_col_obj": (
        "she names a color only to tell one object from others of the same name or color, "
        "and only where there is a way that does not cross another object"
    ),
    "nav_nr_obj": f"that cell is not free floor, the agent is on it already, {_NO_WAY}",
    "nav_bw_obj": f"the two must be two cells apart in a line, with free floor between them, {_NO_WAY}",
    "rec_col2obj": "no object that can be seen is the only one of that color",
    "rec_obj2col": "its color has no word, or the agent stands on it",
    "rec_loc2obj": "there is neither an object nor free floor beside the agent on that side",
    "rec_obj2loc": "it is not beside the agent, and only then does its direction have a name",
    "rec_loc2col": "there is no object of a color with a word beside the agent on that side",
    "rec_col2loc": "the only object of that color would have to be beside the agent",
    "rec_loc_obj2obj": "there is neither an object nor free floor on that side of it",
    "rec_loc_obj2col": "there is no object of a color with a word on that side of it",
    "rec_col_obj2loc": (
        "the object would have to be beside the agent, the only one of its name and color, "
        "and others would have to share either"
    ),
    "rec_bw_obj2obj": "the two must be two cells apart in a line, with an object or free floor between them",
    "rec_bw_obj2loc": "the two must be two cells apart in a line, and the object between them beside the agent",
    "rec_bw_obj2col": "the two must be two cells apart in a line, with an object of a color with a word between them",
}
"""Per type of sentence: what fails if all objects that it names are there."""


def explain_refusal(parsed: ParsedSentence, scene: Scene, catalogue: Catalogue) -> str:
    """Why the teacher would not say this here. Only for sentences that she would not say.

    >>> import numpy as np
    >>> from xworld.demo.parse import parse_sentence
    >>> from xworld.teacher.grammar import Grammar
    >>> grammar = Grammar(Catalogue.load())
    >>> scene = Scene(7, np.ones((7, 7), np.int16), (0, 0))
    >>> explain_refusal(parse_sentence("go to the apple", grammar), scene, grammar.catalogue)
    'The teacher would not say this here: there is no apple on this map.'
    """
    if parsed.sentence is None:
        return "The teacher has no such sentence; the agent does what it can with it."
    return f"The teacher would not say this here: {_reason(parsed.sentence, scene, catalogue)}."


def _reason(sentence: Sentence, scene: Scene, catalogue: Catalogue) -> str:
    objects = {cell: name_and_color(catalogue, int(scene.grid[cell])) for cell in scene.objects}
    names = Counter(name for name, _ in objects.values())
    named = [name for name in (sentence.object, sentence.second) if name is not None]
    for name in named:
        if not names[name]:
            return f"there is no {name} on this map"
    fitting = [name for name, color in objects.values() if color == sentence.color and sentence.object in (None, name)]
    if sentence.color is not None and not fitting:
        return f"there is no {sentence.color} {sentence.object or 'object'} on this map"
    if sentence.color is None:
        for name in named:
            if names[name] > 1:
                return f"there is more than one {name} on this map"
    if len(set(named)) < len(named):
        return "it names the same object twice"
    under_agent, _ = objects.get(scene.at, ("", ""))
    if under_agent in named:
        return f"the agent is on the {under_agent}"
    return _CONDITIONS[sentence.subtask]


def unheard_words(parsed: ParsedSentence, holdout: Holdout, taught: Iterable[str] = ()) -> list[int]:
    """The positions of words that no training sentence of this kind had, alone or in this combination.

    Words that the agent was taught later were only ever answers, so they count as unheard.

    >>> from xworld.demo.parse import parse_sentence
    >>> from xworld.teacher.grammar import Grammar
    >>> parsed = parse_sentence("Go to the red apple.", Grammar(Catalogue.load()))
    >>> unheard_words(parsed, Holdout("NWNav", ("apple",))), unheard_words(parsed, Holdout("NWNav", ("cat",)))
    ([4], [])
    """
    words: set[str | None] = set(taught)
    if parsed.is_command or holdout.also_in_questions:
        words |= set(holdout.objects)
    if parsed.is_command and (command := parsed.sentence) is not None:
        together = {*holdout.object_locations, *holdout.object_colors, *holdout.object_pairs}
        together |= {(second, first) for first, second in holdout.object_pairs}
        for other in (command.location, command.color, command.second):
            if (command.object, other) in together:
                words |= {command.object, other}
    return [position for position, word in enumerate(parsed.words) if word in words]

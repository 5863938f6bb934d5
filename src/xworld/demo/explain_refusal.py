"""What is special about a sentence: why the teacher would not use it here, and words that the agent never heard."""

from collections import Counter
from collections.abc import Iterable

from xworld.demo.parse import ParsedSentence
from xworld.demo.scene import name_and_color
from xworld.teacher.grammar import Sentence, find_subtask
from xworld.teacher.holdout import Holdout
from xworld.world.catalogue import Catalogue
from xworld.world.scene import Scene


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
    return find_subtask(sentence.subtask).why_not


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

"""What is special about a sentence: why the teacher would not use it here, and words that the agent never heard."""

from collections.abc import Iterable

from xworld.demo.parse import ParsedSentence
from xworld.teacher.holdout import Holdout
from xworld.teacher.reasons import reason_against
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
    return f"The teacher would not say this here: {reason_against(parsed.sentence, scene, catalogue)}."


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

"""Which words of a sentence an agent never heard in training: those that make it a test of what was understood."""

from collections.abc import Iterable

from xworld.demo.parse import Said
from xworld.teacher.grammar import Sentence
from xworld.teacher.holdout import Holdout


def unheard_words(said: Said, holdout: Holdout, taught: Iterable[str] = ()) -> list[int]:
    """The places of words that no training sentence of that kind had, by themselves or together.

    Words that were taught later were answers alone.

    >>> from xworld.demo.parse import understand_text
    >>> from xworld.teacher.grammar import Grammar
    >>> from xworld.world.catalogue import Catalogue
    >>> said = understand_text("Go to the red apple.", Grammar(Catalogue.load()))
    >>> unheard_words(said, Holdout("NWNav", ("apple",))), unheard_words(said, Holdout("NWNav", ("cat",)))
    ([4], [])
    """
    words = set(taught)
    if said.is_command or holdout.also_in_questions:
        words |= set(holdout.objects)
    if said.is_command and said.sentence is not None:
        words |= _unheard_together(said.sentence, holdout)
    return [place for place, word in enumerate(said.words) if word in words]


def _unheard_together(command: Sentence, holdout: Holdout) -> set[str]:
    """The words of combinations that no command had."""
    combinations = {*holdout.object_locations, *holdout.object_colors, *holdout.object_pairs}
    combinations |= {(second, first) for first, second in holdout.object_pairs}
    others = command.location, command.color, command.second
    together = [(command.object, other) for other in others if (command.object, other) in combinations]
    return {word for pair in together for word in pair if word is not None}

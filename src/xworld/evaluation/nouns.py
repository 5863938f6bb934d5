"""Success noun by noun: an agent that fails often does so on a few words, and on those in one type of command."""

from collections.abc import Mapping

from xworld.evaluation.content_words import read_meanings
from xworld.evaluation.rate import Rate
from xworld.evaluation.sessions import SessionResults
from xworld.teacher.grammar import Grammar
from xworld.world.catalogue import Catalogue

NounRates = dict[str, Rate]
"""Success by type of command."""


def success_by_noun(outcomes: Mapping[str, SessionResults], catalogue: Catalogue) -> dict[str, NounRates]:
    """How often commands with each noun were obeyed, by their type; the noun with the worst type comes first.

    A command with two nouns counts for both. Types in which a noun did not occur are left out.
    """
    grammar = Grammar(catalogue)
    nouns: dict[str, NounRates] = {noun: {} for noun in catalogue.classes}
    for command, outcome in outcomes.items():
        meanings = read_meanings(outcome.commands, grammar)
        for place, noun in enumerate(catalogue.classes):
            named = (meanings.object == place) | (meanings.second == place)
            if named.any():
                nouns[noun][command] = Rate(int(outcome.arrived[named].sum()), int(named.sum()))
    heard = {noun: rates for noun, rates in nouns.items() if rates}
    return dict(sorted(heard.items(), key=lambda item: min(rate.value for rate in item[1].values())))

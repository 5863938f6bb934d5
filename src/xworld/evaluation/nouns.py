"""Success noun by noun: an agent that fails is often one that fails on a few words, and on those always."""

from collections.abc import Iterable

import numpy as np

from xworld.evaluation.intervals import Rate
from xworld.evaluation.meaning import read_meanings
from xworld.evaluation.sessions import Outcome
from xworld.teacher.grammar import Grammar
from xworld.world.catalogue import Catalogue


def success_by_noun(outcomes: Iterable[Outcome], catalogue: Catalogue) -> dict[str, Rate]:
    """How often commands with each noun were obeyed, the worst first. A command with two nouns counts for both."""
    walks, grammar = list(outcomes), Grammar(catalogue)
    arrived = np.concatenate([outcome.arrived for outcome in walks])
    meanings = read_meanings(np.concatenate([outcome.commands for outcome in walks]), grammar)
    rates = {}
    for place, noun in enumerate(catalogue.classes):
        named = (meanings.object == place) | (meanings.second == place)
        if named.any():
            rates[noun] = Rate(int(arrived[named].sum()), int(named.sum()))
    return dict(sorted(rates.items(), key=lambda item: item[1].value))

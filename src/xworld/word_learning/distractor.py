"""What a new thing does to all else by lying there: it is on the map, and nothing that is said names it.

The agent as it was cannot be tested on such maps, for it has no picture of the thing. So it is tested on the very same
maps with a known thing in that place: a stand-in of the same color, of a class that is not on the map already.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from xworld.agent.agent import Agent
from xworld.evaluation import TEST_SEED
from xworld.evaluation.report import EvaluationReport
from xworld.evaluation.sessions import SessionResults, begin_sessions, find_sessions, run_sessions
from xworld.evaluation.success import report_on
from xworld.teacher.simulator import Simulator
from xworld.word_learning.examination import Comparison
from xworld.word_learning.extended_agent import without_word
from xworld.word_learning.questions import have_class, only_an_answer, worlds_with
from xworld.word_learning.teach_word import Taught
from xworld.world.catalogue import COLORS
from xworld.world.state import FIRST_OBJECT

Seeds = Mapping[str, NDArray[np.uint64]]
"""Of sessions, by the type of their command."""


def examine_beside(taught: Taught, sessions: int = 2_000, seed: int = TEST_SEED) -> Comparison:
    """How well all else is obeyed and answered beside the new thing; before that, beside the stand-in.

    Both in about so many sessions of the same seeds: the same maps, commands and first questions. Questions to which
    the new word is the answer do not count.
    """
    seeds = find_beside(taught, sessions, seed)
    return Comparison(
        before=_test(without_stranger(taught), taught, seeds),
        after=_test(taught.agent, taught, seeds),
    )


def stand_in(taught: Taught) -> int:
    """The tile of the first known thing of the new thing's color; where there is none, of the first thing."""
    color, known = taught.catalogue.instance_color[-1], taught.base_catalogue.instance_color
    return FIRST_OBJECT + (known.index(color) if color in known else 0)


def without_stranger(taught: Taught) -> Agent:
    """The agent as it was before, to whom the new thing looks like the stand-in."""
    assert taught.catalogue.addition is not None
    picture = np.full((*taught.picture.shape[:2], 4), 255, np.uint8)
    picture[..., :3] = taught.base_catalogue.icons[stand_in(taught)]
    pictures = np.stack([picture] * len(taught.catalogue.addition.pictures))
    color = taught.catalogue.instance_color[-1]
    name = COLORS[color] if color >= 0 else ""
    return without_word(taught.agent, taught.base_catalogue.with_class(taught.word, pictures, name))


def find_beside(taught: Taught, sessions: int, seed: int) -> Seeds:
    """Sessions whose map has the new thing and no other of the stand-in's class, and whose command names neither."""
    settings, holdout = worlds_with(taught.catalogue), only_an_answer((taught.word,))
    new, known = (taught.catalogue.instance_class[tile - FIRST_OBJECT] for tile in (taught.tile, stand_in(taught)))

    def wanted(simulator: Simulator) -> NDArray[np.bool_]:
        return have_class(simulator, new) & ~have_class(simulator, known)

    each = -(-sessions // len(settings.commands))
    return {
        name: find_sessions(wanted, each, seed, taught.catalogue, replace(settings, commands=(name,)), holdout)
        for name in settings.commands
    }


def _test(agent: Agent, taught: Taught, seeds: Seeds) -> EvaluationReport:
    settings, holdout = worlds_with(taught.catalogue), only_an_answer((taught.word,))
    new_word = len(taught.agent.words.embeddings) - 1  # the last

    def lead(name: str) -> SessionResults:
        simulator = begin_sessions(seeds[name], taught.catalogue, replace(settings, commands=(name,)), holdout)
        return run_sessions(agent, simulator, ignored_answer=new_word)

    return report_on({name: lead(name) for name in seeds if len(seeds[name])}, settings)

"""Three kinds of sessions: for training, for every choice, and for what is reported.

A session depends on its seed alone, so disjoint ranges of seeds give disjoint sessions.
"""

from typing import Literal, cast

from xworld.world.checks import check_choice

SplitName = Literal["validation", "test"]
TRAINING = range(2**62, 2**63)
"""Seeds of the worlds that agents are trained in."""
VALIDATION = range(10**9, 2**61)
"""Seeds of the sessions on which everything is chosen: settings, agents, when to stop."""
TEST = range(2**61, 2**62)
"""Seeds of the sessions that are reported, once for each final agent."""
_SPLITS: dict[SplitName, range] = {"validation": VALIDATION, "test": TEST}


def first_seed(split: SplitName) -> int:
    """The seed of the first session of a split; the others follow."""
    return _SPLITS[cast(SplitName, check_choice("split", split, tuple(_SPLITS)))].start


def split_of(seed: int) -> str:
    """The split to which a session belongs by its seed.

    >>> split_of(first_seed("validation")), split_of(TEST[1_000]), split_of(0)
    ('validation', 'test', 'other')
    """
    ranges = ("training", TRAINING), *_SPLITS.items()
    return next((name for name, seeds in ranges if seed in seeds), "other")

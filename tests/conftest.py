"""What many tests need: the catalogue and the grammar of the built-in pack, read once."""

import signal

import pytest
from hypothesis import settings

from xworld.teacher.grammar import Grammar
from xworld.world.catalogue import Catalogue

# What a shell runs in the background ignores ctrl-C, and every process that tests start would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("xworld", deadline=None)  # the first example of a test may have to compile something
settings.load_profile("xworld")


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    return Catalogue.load()


@pytest.fixture(scope="session")
def grammar(catalogue: Catalogue) -> Grammar:
    return Grammar(catalogue)

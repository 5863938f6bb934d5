"""What many tests need: the catalogue and the grammar of the built-in pack, read once."""

import pytest
from hypothesis import settings

from xworld.teacher.grammar import Grammar
from xworld.world.catalogue import Catalogue

settings.register_profile("xworld", deadline=None)  # the first example of a test may have to compile something
settings.load_profile("xworld")


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    return Catalogue.load()


@pytest.fixture(scope="session")
def grammar(catalogue: Catalogue) -> Grammar:
    return Grammar(catalogue)

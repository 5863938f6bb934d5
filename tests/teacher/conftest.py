"""The teacher's whole language, enumerated once."""

import pytest

from xworld.teacher.grammar import Grammar, Sentence


@pytest.fixture(scope="session")
def everything(grammar: Grammar) -> list[Sentence]:
    return list(grammar.sentences())

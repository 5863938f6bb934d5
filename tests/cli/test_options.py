"""Options that several commands share."""

from pathlib import Path
from typing import get_args

import pytest

from xworld.cli.options import CommandType, QuestionType
from xworld.teacher.settings import COMMAND_NAMES, QUESTION_NAMES
from xworld.training.pretrained import PRETRAINED, find_weights


def test_the_listed_types_are_those_of_the_teacher() -> None:
    assert get_args(CommandType) == tuple(COMMAND_NAMES)
    assert get_args(QuestionType) == tuple(QUESTION_NAMES)


@pytest.mark.parametrize("name", ["Standard", "standard", "NWNavRec", "nwnavrec", "NWNAVREC"])
def test_a_bundled_agent_is_named_in_any_case(name: str) -> None:
    assert find_weights(name) in PRETRAINED.values()


def test_an_agent_may_be_a_file(tmp_path: Path) -> None:
    (tmp_path / "mine").touch()
    assert find_weights(str(tmp_path / "mine")) == tmp_path / "mine"
    with pytest.raises(ValueError, match="no agent 'foo': bundled are Standard, NWNavRec; or give a file"):
        find_weights("foo")

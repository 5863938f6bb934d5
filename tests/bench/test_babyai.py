"""MiniGrid's processes: a measurement that cannot succeed ends with an error."""

import functools
import os

import pytest

from xworld.bench import babyai


def test_a_process_that_dies_is_an_error_and_no_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(babyai, "_load_minigrid", functools.partial(os._exit, 1))
    with pytest.raises(ValueError, match="MiniGrid's process died"):
        babyai.babyai_speed("tiles", 0.1)

"""The memory of the environment."""

import sys

import pytest

from xworld.bench.environment import MemoryUnknown, measure_memory


def test_4096_worlds_fit_into_100_megabytes() -> None:
    assert measure_memory(4096) < 100


def test_where_memory_cannot_be_measured_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resource", None)
    with pytest.raises(MemoryUnknown, match="memory is measured on Linux and macOS only; on Windows, run this in WSL"):
        measure_memory(1)

"""`xworld bench env` measures both sides; the figures themselves are for people."""

import pytest

from xworld.bench.environment import Comparison, memory_of_worlds
from xworld.cli.main import main


def test_the_ratio_is_the_median_over_rounds() -> None:
    assert Comparison("tiles", (10.0, 30.0, 50.0), (1.0, 2.0, 2.0)).ratio == 15.0


def test_4096_worlds_fit_into_100_megabytes() -> None:
    assert memory_of_worlds(4096) < 100


def test_a_short_run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    assert main(["bench", "env", "--rounds", "1", "--seconds", "0.2"]) == 0
    out = capsys.readouterr().out
    assert "BabyAI-GoToLocal" in out
    assert out.count(" x\n") >= 2


def test_nonsense_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "env", "--rounds", "0"]) == 2
    assert "expected both above 0" in capsys.readouterr().err

"""`xworld bench` measures both sides; the figures themselves are for people."""

import functools
import importlib.util
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from xworld.bench import peer
from xworld.bench.environment import Comparison, memory_of_worlds
from xworld.cli.machine import describe_machine
from xworld.cli.main import main


def test_the_ratio_is_the_median_over_rounds() -> None:
    assert Comparison("tiles", (10.0, 30.0, 50.0), (1.0, 2.0, 2.0)).ratio == 15.0


def test_4096_worlds_fit_into_100_megabytes() -> None:
    assert memory_of_worlds(4096) < 100


def test_a_short_run_fits_into_80_columns(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["bench", "env", "--rounds", "2", "--seconds", "0.1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "BabyAI-GoToLocal" in lines[0]
    assert [line.split(":")[0] for line in lines[1:5]] == [
        f"{kind}, round {number} of 2" for kind in ("tiles", "pixels") for number in (1, 2)
    ]
    assert sum(line.endswith(" x") for line in lines) == 2
    assert all(len(line) <= 80 for line in lines[:-1])
    assert lines[-1].endswith(f"cores, Python {platform.python_version()}")


@pytest.mark.parametrize("what", ["env", "agent"])
@pytest.mark.parametrize("options", [["--rounds", "0"], ["--seconds", "0"], ["--seconds", "nan"], ["--seconds", "inf"]])
def test_nonsense_is_refused_in_one_line(what: str, options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", what, *options]) == 2
    error = capsys.readouterr().err
    assert "expected both above 0, and finite" in error
    assert error.count("\n") == 1


def test_no_sessions_are_refused_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "teach", "--sessions", "0"]) == 2
    assert capsys.readouterr().err == "xworld: --sessions 0: expected at least one\n"


def test_the_command_line_starts_without_torch() -> None:
    code = "import sys, xworld.cli.main; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_without_the_peer_it_says_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert main(["bench", "env"]) == 2
    assert "pip install minigrid" in capsys.readouterr().err


def test_a_peer_that_dies_is_an_error_and_no_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peer, "_load_peer", functools.partial(os._exit, 1))
    with pytest.raises(ValueError, match="MiniGrid's process died"):
        peer.peer_speed("tiles", 0.1)


def test_the_processor_is_named_where_the_system_tells(tmp_path: Path) -> None:
    (tmp_path / "cpuinfo").write_text("processor\t: 0\nmodel name\t: Abacus 3000\nprocessor\t: 1\n")
    assert describe_machine(tmp_path / "cpuinfo").startswith(f"Abacus 3000, {os.cpu_count()} cores, Python 3.")
    (tmp_path / "other").write_text("processor\t: 0\nBogoMIPS\t: 50\n")
    for file in ("other", "missing"):
        assert describe_machine(tmp_path / file).endswith(
            f", {os.cpu_count()} cores, Python {platform.python_version()}"
        )


def test_commands_start_where_memory_cannot_be_measured() -> None:
    code = """
import sys
sys.modules["resource"] = None
import xworld.cli.main
from xworld.bench.environment import memory_of_worlds
try:
    memory_of_worlds(1)
except ValueError as error:
    print(error)
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == "memory is measured on Linux and macOS only; on Windows, run this in WSL\n"

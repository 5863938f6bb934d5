"""`xworld bench` measures both sides; how fast they are depends on the machine."""

import importlib.util
import os
import platform
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from xworld.bench import agent as bench_agent
from xworld.bench import peers
from xworld.cli import bench
from xworld.cli.bench import describe_machine
from xworld.cli.main import main


def test_the_environment_beside_minigrid_in_80_columns(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # MiniGrid takes seconds to start, so one real measurement has to do.
    matches = [match if match.observation == "pixels" else unmeasured(match) for match in peers.MATCHES]
    monkeypatch.setattr(peers, "MATCHES", matches)
    lines = bench_env(["minigrid"], capsys, monkeypatch)
    assert "BabyAI-GoToLocal" in lines[1]
    assert [line.split(":")[0] for line in lines[2:4]] == [
        "tiles beside MiniGrid, 7 x 7, round 1 of 1",
        "pixels beside MiniGrid, 56 x 56, round 1 of 1",
    ]
    assert sum(line.endswith(" x") for line in lines) == 2
    assert lines[-1].endswith(f"cores, Python {platform.python_version()}")


def test_the_environment_beside_all_others(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "MATCHES", [unmeasured(match) for match in peers.MATCHES])
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: "installed")
    lines = bench_env(["minigrid", "navix", "xland"], capsys, monkeypatch)
    for name, line in zip(("BabyAI-GoToLocal", "Navix-GoToDoor", "XLand-MiniGrid"), lines[1:4], strict=True):
        assert name in line
    assert sum(line.endswith(" x") for line in lines) == len(peers.MATCHES)


def unmeasured(match: peers.Match) -> peers.Match:
    return replace(match, speed=lambda seconds: 10_000.0)


def bench_env(beside: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What `xworld bench env` prints in 80 columns; all of it but the processor's name fits."""
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["bench", "env", "--rounds", "1", "--seconds", "0.1", "--beside", *beside]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert all(len(line) <= 80 for line in lines[:-1])
    return lines


def test_the_agent_beside_the_dense_reference_in_80_columns(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(bench, "BATCHES", (2, 4))
    monkeypatch.setitem(bench_agent.MAX_DENSE, "training", 2)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # on a busy machine, two threads would wait for each other
    assert main(["bench", "agent", "--rounds", "2", "--seconds", "0.01"]) == 0
    torch.set_num_threads(threads)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines[1:9]] == [
        f"{work}, batch {batch}, round {number} of 2"
        for work in ("training", "acting")
        for batch in (2, 4)
        for number in (1, 2)
    ]
    assert sum(line.endswith(" x") for line in lines) == 4
    assert "dense, training step at 4: timed on 2 of the scenes, scaled up" in lines
    assert all(len(line) <= 80 for line in lines[:-1])


@pytest.mark.parametrize("what", ["env", "agent"])
@pytest.mark.parametrize("options", [["--rounds", "0"], ["--seconds", "0"], ["--seconds", "nan"], ["--seconds", "inf"]])
def test_nonsense_is_refused_in_one_line(what: str, options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", what, *options]) == 2
    error = capsys.readouterr().err
    assert "expected both above 0, and finite" in error
    assert error.count("\n") == 1


def test_nonsense_is_refused_before_teaching(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "teach", "--sessions", "0"]) == 2
    assert capsys.readouterr().err == "xworld: --sessions 0: expected a whole number from 1 to 2**63 - 1\n"
    assert main(["bench", "teach", "--seed", "-1"]) == 2
    assert "--seed -1" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("beside", "package", "extra"),
    [("minigrid", "minigrid", "bench"), ("navix", "navix", "peers"), ("xland", "xminigrid", "peers")],
)
def test_where_another_environment_is_missing_it_says_what_to_install(
    beside: str, package: str, extra: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert main(["bench", "env", "--beside", beside]) == 2
    assert capsys.readouterr().err == f"xworld: this command needs {package}: pip install 'xworld[{extra}]'\n"


def test_the_processor_is_named_where_the_system_tells(tmp_path: Path) -> None:
    (tmp_path / "cpuinfo").write_text("processor\t: 0\nmodel name\t: Abacus 3000\nprocessor\t: 1\n")
    assert describe_machine(tmp_path / "cpuinfo").startswith(f"Abacus 3000, {os.cpu_count()} cores, Python 3.")
    (tmp_path / "other").write_text("processor\t: 0\nBogoMIPS\t: 50\n")
    for file in ("other", "missing"):
        assert describe_machine(tmp_path / file).endswith(
            f", {os.cpu_count()} cores, Python {platform.python_version()}"
        )

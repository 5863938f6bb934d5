"""`xworld evaluate`, with the agent that comes with the package."""

import json
from pathlib import Path

import pytest

from xworld.cli.main import main
from xworld.learning.bundled import BUNDLED, load_agent


def test_the_agent_of_the_package_obeys_and_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    figures = tmp_path / "figures.json"
    assert main(["evaluate", "--sessions", "800", "--json", str(figures)]) == 0
    result = json.loads(figures.read_text())
    assert result["overall"]["trials"] == 800
    assert result["overall"]["high"] >= 0.98
    for name in ("nav_obj", "nav_col_obj", "nav_nr_obj", "nav_bw_obj"):
        assert result[name]["high"] >= 0.97, name
    assert result["recognition"]["rate"] > 0.99
    assert result["path_efficiency"] > 0.95
    out = capsys.readouterr().out
    assert "the agent of the package: condition Standard, seed 3" in out
    assert "success overall" in out


def test_nothing_is_overwritten_and_nothing_foreign_is_loaded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = tmp_path / "mine.json"
    mine.write_text("precious")
    assert main(["evaluate", "--json", str(mine)]) == 2
    assert "there is such a file already" in capsys.readouterr().err
    assert mine.read_text() == "precious"
    assert main(["evaluate", str(mine)]) == 2
    assert "mine.json" in capsys.readouterr().err
    assert main(["evaluate", str(tmp_path / "nowhere")]) == 2
    assert main(["evaluate", "--sessions", "1"]) == 2


def test_the_package_stays_small_and_says_where_its_agent_comes_from() -> None:
    _, provenance = load_agent()
    assert sum(path.stat().st_size for path in BUNDLED.values()) < 8 * 2**20
    assert {"condition", "seed", "frames", "recipe", "hardware", "curve"} <= set(provenance)
    assert provenance["curve"][-1]["success"] >= 98

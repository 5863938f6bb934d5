"""`xworld evaluate`, with the agent that comes with the package."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from blind import save_blind_agent
from xworld.cli.main import main
from xworld.teacher.grammar import Grammar
from xworld.teacher.holdout import Holdout
from xworld.training import pretrained
from xworld.training.checkpoint import save_weights
from xworld.training.pretrained import PRETRAINED, load_model
from xworld.world.catalogue import Catalogue

COMMANDS = "nav_obj", "nav_col_obj", "nav_nr_obj", "nav_bw_obj"


def save_again(path: Path, **provenance: object) -> None:
    """The agent of the package in another file, with other words about its origin."""
    catalogue = Catalogue.load()
    words = Grammar(catalogue).vocabulary.words
    save_weights(path, load_model()[0], {"model": "planner", **provenance}, catalogue.classes, words)


def test_the_agent_of_the_package_obeys_and_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    figures = tmp_path / "figures.json"
    assert main(["evaluate", "--sessions", "200", "--json", str(figures)]) == 0
    result = json.loads(figures.read_text())
    assert result["split"] == "validation"
    assert result["overall"]["trials"] == 200
    assert result["overall"]["high"] >= 0.98
    for name in COMMANDS:
        assert result[name]["high"] >= 0.97, name
    assert result["recognition"]["rate"] > 0.99
    assert result["path_efficiency"] > 0.95
    out = capsys.readouterr().out
    assert "bundled agent: model planner, condition Standard, seed 0" in out
    assert "success overall" in out
    assert "path efficiency: steps of the shortest paths round all objects / steps taken" in " ".join(out.split())
    assert "*" not in out
    assert not [
        key for key in result if key.startswith(("*", "minimal_pairs")) or key in ("holdout", "nouns", "failures")
    ]


def test_the_sessions_of_the_test_are_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    figures = tmp_path / "figures.json"
    assert main(["evaluate", "--sessions", "40", "--split", "test", "--json", str(figures)]) == 0
    assert json.loads(figures.read_text())["split"] == "test"
    assert "40 test sessions" in capsys.readouterr().out
    assert main(["evaluate", "--sessions", "40"]) == 0
    assert "40 validation sessions" in capsys.readouterr().out


def test_success_noun_by_noun(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    figures = tmp_path / "figures.json"
    assert main(["evaluate", "--sessions", "400", "--nouns", "--json", str(figures)]) == 0
    nouns = json.loads(figures.read_text())["nouns"]
    assert set(nouns) == set(Catalogue.load().classes)
    worst = [min(rate["rate"] for rate in rates.values()) for rates in nouns.values()]
    assert worst == sorted(worst)
    first_words = [line.split()[0] for line in capsys.readouterr().out.splitlines() if line.strip()]
    assert [word for word in first_words if word in nouns] == list(nouns)


@pytest.mark.parametrize(("condition", "shown"), [("NWNavRec", "2 words: apple, fish"), ("NC", "1 object and color")])
def test_commands_that_were_held_out_have_rows_of_their_own(
    condition: str, shown: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    holdout = Holdout("NWNavRec", objects=("fish", "apple"), also_in_questions=True)
    if condition == "NC":
        holdout = Holdout("NC", object_colors=(("apple", "red"),))
    save_again(tmp_path / "agent", condition=condition, seed=0, holdout=asdict(holdout))
    options = ["--sessions", "100", "--json", str(tmp_path / "figures.json")]
    assert main(["evaluate", str(tmp_path / "agent"), *options]) == 0
    result, out = json.loads((tmp_path / "figures.json").read_text()), capsys.readouterr().out
    assert Holdout.from_json(result["holdout"]) == holdout
    starred = COMMANDS if condition == "NWNavRec" else COMMANDS[:2]
    assert [key for key in result if key.startswith("*")] == [*(f"*{name}" for name in starred), "*overall"]
    for name in starred:
        assert result[f"*{name}"]["trials"] == 10
        assert result[f"*{name}"]["high"] > 0.9
        assert f"*{name} " in out
    assert shown in out


def test_pairs_on_demand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    figures = tmp_path / "figures.json"
    assert main(["evaluate", "--sessions", "100", "--minimal-pairs", "--json", str(figures)]) == 0
    result, out = json.loads(figures.read_text()), capsys.readouterr().out
    assert "told apart" in out
    for name in COMMANDS:
        assert result[f"pairs_{name}"]["trials"] == result[f"pairs_{name}_both"]["trials"] == 10
        assert result[f"pairs_{name}_single"]["trials"] == 20
        assert result[f"pairs_{name}"]["rate"] <= result[f"pairs_{name}_both"]["rate"]
        assert result[f"pairs_{name}"]["high"] > 0.9


def test_failures_by_cause_with_a_picture_of_each(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    figures, folder, blind = tmp_path / "figures.json", tmp_path / "new" / "failures", str(tmp_path / "blind")
    save_blind_agent(Path(blind))
    assert main(["evaluate", blind, "--sessions", "200", "--failures", str(folder), "--json", str(figures)]) == 0
    failures, out = json.loads(figures.read_text())["failures"], capsys.readouterr().out
    assert "went back and forth" in out
    assert "13 and more" in out
    causes = failures["causes"]
    occurred = {f"{cause}.png" for cause, shares in causes.items() if shares["overall"]["rate"] > 0}
    assert {path.name for path in folder.iterdir()} == occurred >= {"back_and_forth.png"}
    assert all(f"{folder / name}  " in out for name in occurred)
    assert list(causes["back_and_forth"]) == ["overall", *COMMANDS]
    assert causes["back_and_forth"]["overall"]["rate"] == pytest.approx(0.26, abs=0.1)
    assert causes["back_and_forth"]["overall"]["trials"] == 200
    assert sum(rate["trials"] for rate in failures["shortest_path"].values()) == 200
    assert main(["evaluate", "--failures", str(folder)]) == 2
    assert "this folder is not empty; name another" in capsys.readouterr().err
    assert main(["evaluate", "--failures", str(figures)]) == 2
    assert "this is a file; name a folder" in capsys.readouterr().err


def test_failures_without_a_folder_are_only_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["evaluate", "standard", "--failures", "--sessions", "4"]) == 0
    assert "why it failed" in capsys.readouterr().out
    assert not list(tmp_path.iterdir())


def test_agents_of_the_package_go_by_their_conditions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", "NC", "--sessions", "4"]) == 2
    assert "no agent 'NC': bundled are Standard, NWNavRec; or give a file" in capsys.readouterr().err
    holdout = Holdout("NC", object_locations=(("cat", "north"),))
    save_again(tmp_path / "another", condition="NC", seed=5, holdout=asdict(holdout))
    monkeypatch.setattr(pretrained, "PRETRAINED", {**PRETRAINED, "NC": tmp_path / "another"})
    assert main(["evaluate", "NC", "--sessions", "4"]) == 0
    out = capsys.readouterr().out
    assert "bundled agent: model planner, condition NC, seed 5" in out
    assert "*nav_nr_obj" in out
    assert main(["evaluate", "NWNavRec", "--sessions", "4"]) == 0
    out = capsys.readouterr().out
    assert "condition NWNavRec" in out
    assert "4 words: " in out
    assert "*nav_obj" in out
    assert main(["evaluate", "standard", "--sessions", "4"]) == 0
    assert "bundled agent: model planner, condition Standard, seed 0" in capsys.readouterr().out


def test_nothing_is_overwritten_and_nothing_foreign_is_loaded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = tmp_path / "mine.json"
    mine.write_text("precious")
    assert main(["evaluate", "--json", str(mine)]) == 2
    assert "this file exists already" in capsys.readouterr().err
    assert mine.read_text() == "precious"
    assert main(["evaluate", str(mine)]) == 2
    assert "mine.json" in capsys.readouterr().err
    assert main(["evaluate", str(tmp_path / "nowhere")]) == 2
    assert main(["evaluate", "--sessions", "1"]) == 2
    for options in (["--split", "training"], ["--seed", "3"]):
        with pytest.raises(SystemExit):
            main(["evaluate", *options])


@pytest.mark.parametrize("condition", PRETRAINED)
def test_agents_of_the_package_are_small_and_say_where_they_come_from(condition: str) -> None:
    _, provenance = load_model(PRETRAINED[condition])
    assert PRETRAINED[condition].stat().st_size <= 8_000_000
    assert {"condition", "seed", "global_step", "config", "hardware", "curve"} <= set(provenance)
    assert provenance["condition"] == condition
    assert provenance["curve"][-1]["success"] >= 97


def test_a_type_of_question_that_never_came_up_has_no_rate(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "--sessions", "4"]) == 0
    out = capsys.readouterr().out
    assert [line for line in out.splitlines() if line.split()[:1] == ["rec_bw_obj2col"] and line.split()[1] == "0"]
    assert "nan" not in out


def test_an_agent_that_cannot_be_loaded_leaves_no_folder_behind(tmp_path: Path) -> None:
    folders = ["--failures", str(tmp_path / "pictures"), "--json", str(tmp_path / "numbers" / "result.json")]
    assert main(["evaluate", "nobody", *folders]) == 2
    assert not list(tmp_path.iterdir())

"""`xworld figures`: which files it makes, and what it refuses."""

from pathlib import Path

import pytest

from xworld.agent.agent import Agent
from xworld.baselines.registry import make_model
from xworld.cli.main import main
from xworld.teacher.grammar import Grammar
from xworld.training.checkpoint import save_weights
from xworld.training.pretrained import PRETRAINED
from xworld.world.catalogue import Catalogue


def test_a_figure_and_a_film_and_the_same_film_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    film = ["film", "--seed", "5", "--commands", "nav_bw_obj"]
    assert main(["figures", "program", *film, "--png", "--folder", str(tmp_path / "first")]) == 0
    out = capsys.readouterr().out
    starts = {
        "program.pdf": b"%PDF-",
        "program.svg": b"<?xml",
        "program.png": b"\x89PNG",
        "film-nav_bw_obj.gif": b"GIF8",
    }
    assert {path.name for path in (tmp_path / "first").iterdir()} == set(starts)
    for name, start in starts.items():
        assert (tmp_path / "first" / name).read_bytes().startswith(start)
        assert f"{tmp_path / 'first' / name}  " in out
    assert main(["figures", *film, "--agent", "standard", "--folder", str(tmp_path / "second")]) == 0
    films = [(tmp_path / folder / "film-nav_bw_obj.gif").read_bytes() for folder in ("first", "second")]
    assert films[0] == films[1]


def test_what_is_there_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def make(files: list[str], agent: Agent, catalogue: Catalogue, seed: int) -> dict[str, bytes]:
        return dict.fromkeys(files, b"drawn")

    monkeypatch.setattr("xworld.figures.files.make_files", make)
    folder = tmp_path / "figures"
    monkeypatch.chdir(tmp_path)
    folder.mkdir()
    mine = folder / "walls.svg"
    mine.write_text("precious")
    assert main(["figures"]) == 2
    assert "figures has walls.svg already; --overwrite replaces them" in capsys.readouterr().err
    assert [path.name for path in folder.iterdir()] == ["walls.svg"]
    assert mine.read_text() == "precious"
    assert main(["figures", "--overwrite"]) == 0
    assert mine.read_bytes() == b"drawn"
    vectors = {
        f"{name}.{kind}" for name in ("overview", "attention", "program", "plan", "walls") for kind in ("svg", "pdf")
    }
    films = {f"film-nav_{kind}.gif" for kind in ("obj", "col_obj", "nr_obj", "bw_obj")}
    assert {path.name for path in folder.iterdir()} == vectors | films | {"sessions.gif"}
    assert main(["figures"]) == 2
    assert "and 12 more already" in capsys.readouterr().err
    assert main(["figures", "walls", "--png", "--no-vector"]) == 0
    assert (folder / "walls.png").read_bytes() == b"drawn"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--seed", "-1"], "--seed -1: expected a whole number from 0"),
        (["--no-vector"], "leaves no format"),
        (["--folder", "a_file"], "--folder a_file: this is a file"),
        (["--agent", "nowhere"], "no agent 'nowhere': bundled are"),
        (["--agent", "a_file"], "a_file"),
        (["--agent", "damaged"], "damaged is damaged: its content does not match"),
        (["--agent", "san"], "san holds the model 'san'; needed is planner or framework"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_line(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a_file").write_text("no checkpoint")
    if arguments[-1] == "damaged":
        data = bytearray(PRETRAINED["Standard"].read_bytes())
        data[-1000] ^= 1
        (tmp_path / "damaged").write_bytes(data)
    if arguments[-1] == "san":
        save_other_model(tmp_path / "san")
    before = sorted(tmp_path.iterdir())
    assert main(["figures", *arguments]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == before


def save_other_model(path: Path) -> None:
    import torch

    catalogue = Catalogue.load()
    words = Grammar(catalogue).vocabulary.words
    model = make_model("san", len(words), torch.from_numpy(catalogue.atlas()))
    save_weights(path, model, {"model": "san"}, catalogue.classes, words)


def test_a_type_that_does_not_exist_is_refused_with_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["figures", "film", "--commands", "nav_up"])
    assert "nav_nr_obj" in capsys.readouterr().err

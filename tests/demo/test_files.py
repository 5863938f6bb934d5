"""Agents from files beside those of the package: trained ones, and such as were taught words."""

import base64
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
import safetensors.torch
import torch

from demo.conftest import serving
from new_things import KEY, STRIPES
from xworld.baselines.registry import make_model
from xworld.cli.main import main
from xworld.demo.agents import DemoAgent, load_agents
from xworld.teacher.grammar import Grammar
from xworld.teacher.holdout import Holdout
from xworld.training.checkpoint import save_state, save_weights
from xworld.training.pretrained import PRETRAINED, load_model
from xworld.word_learning import TaughtAgent, read_image, save_taught, teach
from xworld.world.catalogue import Catalogue

LLAMA = ["#ff00ff", "#00ff00"] * 72
FAULTS = (
    "missing",
    "cut short",
    "altered",
    "no checkpoint",
    "from elsewhere",
    "a training state",
    "another model",
    "an odd condition",
)


@pytest.fixture(scope="module")
def zebra(agent: DemoAgent) -> TaughtAgent:
    return teach(agent.model, agent.catalogue, "zebra", STRIPES)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory, zebra: TaughtAgent) -> Path:
    """An agent that was taught a zebra and a yellow key, as `xworld teach` writes it."""
    path, (_, provenance) = tmp_path_factory.mktemp("agents") / "zoo.safetensors", load_model()
    save_taught(path, teach(zebra.agent, zebra.catalogue, "key", KEY, "yellow"), provenance)
    return path


@pytest.fixture(scope="module")
def zoo(file: Path) -> Iterator[httpx.Client]:
    """A client of a server that was started with that file."""
    with serving(load_agents([file])) as url, httpx.Client(base_url=url, timeout=300) as client:
        yield client


def test_it_is_listed_with_what_it_was_taught(zoo: httpx.Client) -> None:
    *pretrained, taught = zoo.get("/about").json()["agents"]
    assert [agent["key"] for agent in pretrained] == [title.lower() for title in PRETRAINED]
    assert [agent["taught"] for agent in pretrained] == [[]] * len(pretrained)
    assert (taught["key"], taught["title"], taught["condition"], taught["held_out"]) == ("zoo", "zoo", "Standard", [])
    assert taught["note"].endswith(
        " with all words and all combinations of them. Then taught zebra and key, only as answers."
    )
    assert [(thing["word"], thing["color"]) for thing in taught["taught"]] == [("zebra", ""), ("key", "yellow")]
    for thing, picture in zip(taught["taught"], (STRIPES, KEY), strict=True):
        assert np.array_equal(read_image(base64.b64decode(thing["picture"]["png"])), picture)


def test_its_words_are_understood(zoo: httpx.Client) -> None:
    grid = [[1] * 7 for _ in range(7)]
    grid[0][3], grid[6][0] = 118, 119
    fields: dict[str, Any] = {"agent": "zoo", "scene": {"size": 7, "grid": grid, "at": [4, 3]}}
    heard = zoo.post("/understand", json={**fields, "sentence": "go to the zebra"}).json()
    assert (heard["target"], heard["note"], heard["unheard"]) == ([0, 3], None, [3])
    heard = zoo.post("/understand", json={**fields, "sentence": "what color is the key"}).json()
    assert heard["answer"] == "yellow"
    assert any(item.get("unheard") for item in zoo.post("/suggest", json=fields).json()["suggestions"])
    assert zoo.post("/suggest", json={**fields, "agent": "standard"}).status_code == 400


def test_its_words_are_obeyed_on_maps_that_are_wished_for(zoo: httpx.Client) -> None:
    found = 0
    for seed in range(10):
        word, tile = ("zebra", 118) if seed % 2 else ("key", 119)
        wish = {"agent": "zoo", "with_word": word, "command": "nav_obj", "seed": seed}
        laid = zoo.post("/scene", json=wish).json()
        assert word in laid["command"]["text"].lower()
        assert any(tile in row for row in laid["scene"]["grid"])
        said = {"agent": "zoo", "scene": laid["scene"], "sentence": laid["command"]["text"]}
        place = divmod(int(np.argmax(zoo.post("/understand", json=said).json()["attention"])), 13)
        found += [at + seen - 6 for at, seen in zip(laid["scene"]["at"], place, strict=True)] == laid["command"][
            "target"
        ]
    assert found >= 8


def test_it_is_taught_on(zoo: httpx.Client) -> None:
    lesson = {"agent": "zoo", "word": "llama", "picture": {"pixels": LLAMA}}
    with zoo.stream("POST", "/teach", json=lesson) as answer:
        line = next(line for line in answer.iter_lines() if "taught" in line)
    assert '"words": ["zebra", "key", "llama"]' in line
    assert '"tile": 120' in line


@pytest.mark.parametrize(
    "holdout",
    [
        Holdout("NC", object_pairs=(("cat", "dog"),), object_colors=(("apple", "red"),)),
        Holdout("NWNav", ("cat",)),
        Holdout("NWNavRec", ("cat", "dog"), also_in_questions=True),
    ],
)
def test_what_was_held_out_and_what_was_taught_are_two_things(
    holdout: Holdout, zebra: TaughtAgent, tmp_path: Path
) -> None:
    provenance = {"model": "planner", "condition": holdout.condition, "holdout": asdict(holdout)}
    save_taught(tmp_path / "zebra.safetensors", zebra, provenance)
    loaded = load_agents([tmp_path / "zebra.safetensors"])["zebra"]
    assert (loaded.holdout, loaded.taught) == (holdout, ("zebra",))
    assert loaded.note.endswith(" Then taught zebra, only as an answer.")
    assert loaded.never_heard(loaded.grammar.read("Where is the zebra?"))
    assert loaded.never_heard(loaded.grammar.read("Go to the grid between cat and dog."))
    assert not loaded.never_heard(loaded.grammar.read("Go to the owl."))


def test_a_run_is_called_by_its_folder(agent: DemoAgent, tmp_path: Path) -> None:
    path = tmp_path / "My Run" / "agent.safetensors"
    path.parent.mkdir()
    path.write_bytes(PRETRAINED["Standard"].read_bytes())
    assert load_agents([path])["my-run"].title == "My Run"


def damage(kind: str, path: Path, catalogue: Catalogue) -> None:
    """Write a file that is no agent of the demo."""
    words, sound = Grammar(catalogue).vocabulary.words, PRETRAINED["Standard"].read_bytes()
    if kind == "cut short":
        path.write_bytes(sound[: len(sound) // 2])
    elif kind == "altered":
        path.write_bytes(sound[:-100] + bytes(100))
    elif kind == "no checkpoint":
        path.write_text("hello")
    elif kind == "from elsewhere":
        path.write_bytes(safetensors.torch.save({"weight": torch.zeros(2)}))
    elif kind == "a training state":
        save_state(path, {}, {}, {})
    elif kind == "another model":
        model = make_model("vis_lstm", len(words), torch.from_numpy(catalogue.atlas()))
        save_weights(path, model, {"model": "vis_lstm"}, catalogue.classes, words)
    elif kind == "an odd condition":
        save_weights(path, load_model()[0], {"model": "planner", "condition": "Sometimes"}, catalogue.classes, words)


@pytest.mark.parametrize("kind", FAULTS)
def test_other_files_are_refused_in_a_line(
    kind: str, catalogue: Catalogue, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "odd.safetensors"
    damage(kind, path, catalogue)
    assert main(["demo", str(path), "--port", "0", "--no-browser"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("xworld: ")
    assert str(path) in error
    assert error.count("\n") == 1

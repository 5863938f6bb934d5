"""What the page gets: agents, scenes, suggestions, and everything about a sentence on a map."""

import io
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from PIL import Image

from make_pack import make_pack
from xworld.demo.about import draw_tiles
from xworld.demo.agents import DemoAgent, describe_training, load_agents
from xworld.evaluation.zero_shot import holdout_of
from xworld.teacher.holdout import Holdout
from xworld.teacher.settings import COMMAND_NAMES, QUESTION_NAMES
from xworld.training.pretrained import PRETRAINED
from xworld.world.catalogue import Catalogue

Post = Callable[..., httpx.Response]


def test_about_tells_the_page_all_it_needs(client: httpx.Client, catalogue: Catalogue) -> None:
    about = client.get("/about").json()
    assert "standard" in [agent["key"] for agent in about["agents"]]
    assert [tile["id"] for tile in about["tiles"]] == list(range(catalogue.tiles))
    assert about["tiles"][4] == {"id": 4, "name": "red apple", "class": "apple", "color": "red", "category": "fruit"}
    assert [kind["name"] for kind in about["commands"]] == COMMAND_NAMES
    assert [kind["name"] for kind in about["questions"]] == QUESTION_NAMES
    assert all(kind["title"] and kind["example"] for kind in about["commands"] + about["questions"])
    words = [word for kind in about["words"].values() for word in kind]
    assert len(words) == len(set(words)) == 104 - 2  # all but the two closing marks
    assert about["actions"] == ["up", "down", "left", "right"]
    assert about["rewards"] == {"step": -0.1, "wall": -0.2, "wrong_object": -1.0, "target": 1.0}


def test_tiles_are_rows_of_pictures(client: httpx.Client, catalogue: Catalogue) -> None:
    answer, columns = client.get("/tiles.png"), client.get("/about").json()["tile_columns"]
    assert answer.headers["content-type"] == "image/png"
    picture = np.asarray(Image.open(io.BytesIO(answer.content)).convert("RGB"))
    for tile, icon in enumerate(catalogue.icons):
        top, left = 96 * (tile // columns), 96 * (tile % columns)
        assert np.array_equal(picture[top : top + 96, left : left + 96], icon), tile
    assert max(picture.shape) <= 96 * 11


def test_many_tiles_make_a_picture_that_browsers_show(tmp_path: Path) -> None:
    catalogue = Catalogue.load(make_pack(tmp_path / "pack", classes=100, instances=4))
    assert Image.open(io.BytesIO(draw_tiles(catalogue))).size == (96 * 21, 96 * 20)


def test_the_page_and_its_files_are_served(client: httpx.Client) -> None:
    page = client.get("/")
    assert page.headers["content-type"].startswith("text/html")
    assert client.get("/static/index.html").content == page.content
    for path in ("/static/nothing.js", "/static/../server.py", "/static/%2e%2e/server.py", "/static", "/docs"):
        assert client.get(path).status_code in (404, 405), path


def test_a_seed_is_a_scene(post: Post) -> None:
    first, again, other = (post("/scene", seed=seed).json() for seed in (5, 5, 6))
    assert first == again
    assert first["scene"] != other["scene"]
    assert post("/scene").json()["seed"] != post("/scene").json()["seed"]
    optional = dict.fromkeys(("size", "objects", "walls", "command", "with_word"))
    assert post("/scene", seed=5, **optional).json() == first  # null is the same as nothing


@pytest.mark.parametrize("command", COMMAND_NAMES)
def test_scenes_are_as_wished(post: Post, command: str) -> None:
    for seed in range(4):
        laid = post("/scene", seed=seed, size=5, objects=4, walls=3, command=command).json()
        grid = np.array(laid["scene"]["grid"])
        assert laid["scene"]["size"] == 5
        assert np.count_nonzero(grid >= 4) == 4
        assert np.count_nonzero(grid == 2) == 49 - 25 + 3
        assert laid["command"]["subtask"] == command
        heard = post("/understand", scene=laid["scene"], sentence=laid["command"]["text"]).json()
        assert (heard["target"], heard["subtask"], heard["note"]) == (laid["command"]["target"], command, None)


def test_sizes_of_a_range_all_occur(post: Post) -> None:
    sizes = Counter(post("/scene", seed=seed, size=[3, 5]).json()["scene"]["size"] for seed in range(30))
    assert set(sizes) == {3, 4, 5}


def test_a_scene_with_a_word_has_it_on_the_map_and_in_the_command(post: Post, agent: DemoAgent) -> None:
    for seed, command in enumerate(("nav_obj", "nav_col_obj", "nav_nr_obj", None)):
        laid = post("/scene", seed=seed, with_word="apple", command=command).json()
        assert "apple" in laid["command"]["text"].lower()
        assert any("apple" in agent.catalogue.describe_tile(tile) for row in laid["scene"]["grid"] for tile in row)
    assert "two objects" in post("/scene", with_word="owl", command="nav_bw_obj").json()["error"]


def test_maps_that_cannot_be_are_refused(post: Post) -> None:
    answer = post("/scene", size=3, objects=8, walls=20, command="nav_bw_obj")
    assert (answer.status_code, "map" in answer.json()["error"]) == (400, True)


def test_understanding_is_whole(post: Post, scene: dict[str, Any]) -> None:
    heard = post("/understand", scene=scene, sentence="Please go to the apple").json()
    words = ["please", "go", "to", "the", "apple", "."]
    assert (heard["kind"], heard["words"], heard["target"], heard["answer"]) == ("command", words, [0, 3], None)
    for name, shape in {
        "word_attention": (3, 6),
        "gates": (3,),
        "found": (3, 13, 13),
        "moved": (3, 13, 13),
        "kept": (3, 13, 13),
        "attention": (13, 13),
        "environment": (13, 13),
        "policy": (4,),
    }.items():
        assert np.array(heard[name]).shape == shape
    assert heard["attention"] == heard["kept"][-1]
    assert divmod(int(np.argmax(heard["attention"])), 13) == (6 - 5, 6)  # the apple, seen from the agent
    assert sum(heard["policy"]) == pytest.approx(1, abs=1e-3)
    assert len(heard["answers"]) == 5
    assert heard["shortest"] == 5


def test_outcomes_are_those_of_the_world(post: Post, scene: dict[str, Any]) -> None:
    scene["at"] = [1, 4]  # below the wall, beside the apple's column
    outcomes = post("/understand", scene=scene, sentence="go to the apple").json()["outcomes"]
    assert outcomes[0] == {"at": [1, 4], "reward": -0.3, "reached": False, "bumped": True}
    assert outcomes[2] == {"at": [1, 3], "reward": -0.1, "reached": False, "bumped": False}
    scene["at"] = [1, 3]
    outcomes = post("/understand", scene=scene, sentence="go to the apple").json()["outcomes"]
    assert outcomes[0] == {"at": [0, 3], "reward": 0.9, "reached": True, "bumped": False}
    outcomes = post("/understand", scene=scene, sentence="go to the dog").json()["outcomes"]
    assert outcomes[0] == {"at": [0, 3], "reward": -1.1, "reached": False, "bumped": False}


def test_a_walk_leads_to_the_target(post: Post) -> None:
    arrived = 0
    for seed in range(10):
        laid = post("/scene", seed=seed).json()
        scene, told_at, steps = laid["scene"], laid["scene"]["at"], 0
        while steps < 28:
            heard = post("/understand", scene=scene, sentence=laid["command"]["text"], told_at=told_at).json()
            assert heard["target"] == laid["command"]["target"]  # wherever the agent is by now
            outcome = heard["outcomes"][heard["choice"]]
            scene, steps = {**scene, "at": outcome["at"]}, steps + 1
            if outcome["reached"]:
                arrived += 1
                break
    assert arrived >= 8


def test_questions_are_answered(post: Post, scene: dict[str, Any]) -> None:
    heard = post("/understand", scene=scene, sentence="What color is the apple").json()
    assert (heard["kind"], heard["words"][-1], heard["answer"], heard["target"]) == ("question", "?", "red", None)
    assert heard["answers"][0]["word"] == "red"


@pytest.mark.parametrize(
    ("sentence", "at", "reason"),
    [
        ("go to the dog", [5, 3], "there is no dog on this map"),
        ("go to the green apple", [5, 3], "there is no green apple on this map"),
        ("go to the apple", [0, 3], "the agent is on the apple"),
        ("reach the east of the apple", [5, 3], "not free floor"),
        ("go to the red apple", [5, 3], "to tell one object from others"),
        ("where is the apple", [5, 3], "not beside the agent"),
        ("what is in the north", [0, 2], "on that side"),
        ("go to the grid between apple and apple", [5, 3], "names the same object twice"),
        ("apple apple apple", [5, 3], "has no such sentence"),
    ],
)
def test_a_note_says_why_the_teacher_would_not(
    post: Post, scene: dict[str, Any], sentence: str, at: list[int], reason: str
) -> None:
    heard = post("/understand", scene={**scene, "at": at}, sentence=sentence).json()
    assert (heard["target"], heard["answer"]) == (None, None)
    assert reason in heard["note"]


def test_what_training_left_out_is_told(catalogue: Catalogue) -> None:
    provenance = {"condition": "NWNav", "global_step": 2_000_000, "holdout": {"condition": "NWNav", "objects": ["cat"]}}
    holdout = holdout_of(provenance)
    assert holdout == Holdout("NWNav", ("cat",))
    assert describe_training(provenance, holdout) == "Trained for 2.0 million steps; no command ever named cat."
    several = Holdout("NWNav", ("cat", "dog", "owl"))
    assert describe_training({}, several) == "Trained; no command ever named cat, dog and owl."


def test_files_are_listed_after_bundled_agents_under_keys_of_their_own(tmp_path: Path) -> None:
    copy = tmp_path / "standard.safetensors"
    copy.write_bytes(PRETRAINED["Standard"].read_bytes())
    agents = load_agents([copy, copy])
    assert list(agents) == ["standard", "nwnavrec", "standard-2", "standard-3"]
    assert [agent.key for agent in agents.values()] == list(agents)


def test_a_bundled_agent_that_is_named_comes_first_and_only_once() -> None:
    assert list(load_agents([PRETRAINED["NWNavRec"]])) == ["nwnavrec", "standard"]

"""Other people's icons, and what is wrong with some of them."""

from collections.abc import Callable
from pathlib import Path

import gymnasium as gym
import numpy as np
import pytest
from PIL import Image

import xworld
from xworld.teacher.grammar import Grammar
from xworld.teacher.holdout import Holdout
from xworld.teacher.simulator import Simulator
from xworld.teacher.vocabulary import WordError
from xworld.world.catalogue import Catalogue
from xworld.world.pack import BUILT_IN, load_pack
from xworld.world.picture import PackError

assert xworld.__version__


def add_icon(root: Path, path: str, color: tuple[int, int, int] = (200, 30, 30)) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (40, 30), color).save(root / path)


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """Three classes and five instances, three of them with a color."""
    for path in ("goal/toy/robot_1.png", "goal/toy/robot_2.jpg", "goal/food/bun_1.jpeg", "goal/food/egg_1.png"):
        add_icon(tmp_path, path)
    add_icon(tmp_path, "goal/food/egg_2.PNG")
    (tmp_path / "properties.txt").write_text(
        "// colors of the toys\ngoal/toy/robot_1.png red\n\ngoal/toy/robot_2.jpg GREEN // another\n"
        "goal/food/bun_1.jpeg brown\n"
    )
    return tmp_path


def test_classes_instances_and_colors(pack: Path) -> None:
    catalogue = Catalogue.load(pack)
    assert catalogue.classes == ("bun", "egg", "robot")
    assert catalogue.instance_class == (0, 1, 1, 2, 2)
    assert [catalogue.describe_tile(tile) for tile in range(4, 9)] == [
        "brown bun", "egg", "egg", "red robot", "green robot",
    ]  # fmt: skip
    assert catalogue.colors == ("green", "red", "blue", "yellow", "brown")
    assert catalogue.atlas(12).shape == (9, 12, 12, 3)


def test_the_vocabulary_and_the_counts_follow(pack: Path) -> None:
    grammar = Grammar(Catalogue.load(pack))
    assert grammar.vocabulary.objects == ("bun", "egg", "robot")
    assert grammar.count("nav_obj") == 31 * 3
    assert grammar.count("nav_col_obj") == 31 * 3
    assert grammar.read("Where is the egg?").object == "egg"


def test_a_world_is_made_of_it(pack: Path) -> None:
    env = gym.make("XWorld-v0", pack=str(pack), observation="tiles")
    seen = set()
    for seed in range(50):
        observation, info = env.reset(seed=seed)
        assert observation["tiles"].max() < 9
        seen.add(info["command_type"])
    assert seen == {"nav_obj", "nav_col_obj", "nav_nr_obj", "nav_bw_obj"}


def test_pictures_of_agent_and_wall_are_optional(pack: Path) -> None:
    assert load_pack(pack).agent.is_relative_to(BUILT_IN)
    add_icon(pack, "agent/me.png", (1, 2, 3))
    add_icon(pack, "block/wood.png", (4, 5, 6))
    catalogue = Catalogue.load(pack)
    assert (catalogue.icons[3, 12:84] == (1, 2, 3)).all(), "a picture that is not square keeps its shape"
    assert np.array_equal(catalogue.icons[3, :12], catalogue.icons[1, :12])
    assert (catalogue.icons[2] == (4, 5, 6)).all(), "a wall fills its cell"


def test_transparent_icons_show_the_floor(pack: Path) -> None:
    Image.new("RGBA", (12, 12), (0, 0, 0, 0)).save(pack / "goal/food/egg_1.png")
    catalogue = Catalogue.load(pack)
    assert np.array_equal(catalogue.icons[5], catalogue.icons[1])


def one_class(root: Path) -> None:
    for path in root.rglob("*_?.*"):
        if "bun" not in path.name:
            path.unlink()
    (root / "properties.txt").write_text("")


def test_a_single_class_without_colors_still_makes_a_world(pack: Path) -> None:
    one_class(pack)
    env = gym.make("XWorld-v0", pack=pack, observation="tiles")
    kinds = {env.reset(seed=seed)[1]["command_type"] for seed in range(20)}
    assert kinds == {"nav_obj", "nav_nr_obj"}


def test_the_colors_of_a_pack_are_words(pack: Path) -> None:
    add_icon(pack, "goal/food/orange_1.png")
    add_icon(pack, "goal/food/bun_2.png")
    with (pack / "properties.txt").open("a") as file:
        for line in ("egg_1.png mauve", "bun_2.png mauve", "egg_2.PNG na", "orange_1.png orange"):
            file.write(f"goal/food/{line}\n")
    catalogue = Catalogue.load(pack)
    assert catalogue.colors == ("green", "red", "blue", "yellow", "brown", "mauve"), "orange names a fruit"
    grammar = Grammar(catalogue)
    assert grammar.read("Go to the mauve egg.").color == "mauve"
    assert grammar.vocabulary.words[-2:] == ("brown", "mauve")
    simulator = Simulator(2000, catalogue)
    simulator.reset(range(2000))
    brown, mauve = grammar.vocabulary.numbers(["brown", "mauve"])
    for word in (brown, mauve):
        assert (simulator.commands == word).any()
        assert (simulator.questions == word).any()
        assert (simulator.sessions["answer"] == word).any()
    taught = Grammar(catalogue.with_class("zebra", np.full((96, 96, 4), 255, np.uint8), "mauve"))
    assert taught.vocabulary.words == (*grammar.vocabulary.words, "zebra")
    held_out = Holdout("NC", object_colors=(("bun", "brown"),))
    simulator = Simulator(2000, catalogue, held_out)
    simulator.reset(range(2000))
    assert not (simulator.commands == brown).any()
    assert (simulator.commands == mauve).any()


def test_too_many_colors_are_refused(pack: Path) -> None:
    for place in range(14):
        add_icon(pack, f"goal/toy/robot_{place + 3}.png")
    lines = [f"goal/toy/robot_{place + 3}.png {chr(97 + place)}ish\n" for place in range(14)]
    (pack / "properties.txt").write_text("".join(lines))
    with pytest.raises(PackError, match="18 colors are too many; the maximum is 16"):
        Catalogue.load(pack)


def write(text: str) -> Callable[[Path], object]:
    return lambda root: (root / "properties.txt").write_text(text)


@pytest.mark.parametrize(
    ("break_it", "message"),
    [
        (lambda root: (root / "properties.txt").unlink(), r"properties\.txt is missing"),
        (lambda root: (root / "properties.txt").write_bytes(b"\xff\xfe\x00"), r"properties\.txt is not text in UTF-8"),
        (write("goal/toy/robot_1.png\n"), r"properties\.txt, line 1: expected '<path> <color>'"),
        (write("// fine\ngoal/toy/robot_1.png very red\n"), "line 2: expected"),
        (write("goal/food/egg_1.png red\n\ngoal/food/egg_1.png blue\n"), "line 3: .* already has a color.* line 1"),
        (lambda root: (root / "goal/food/egg_1.png").write_bytes(b"no picture"), r"egg_1\.png is not a picture"),
        (lambda root: (root / "goal/food/egg_1.png").write_bytes(b""), r"egg_1\.png is not a picture"),
        (lambda root: add_icon(root, "goal/pan_1.png"), r"pan_1\.png: .*goal/<category>/"),
        (lambda root: add_icon(root, "goal/toy/egg_1.png"), "are both egg_1"),
    ],
)
def test_a_bad_pack_is_refused_by_file_and_line(pack: Path, break_it: Callable[[Path], object], message: str) -> None:
    break_it(pack)
    with pytest.raises(PackError, match=message):
        _ = Catalogue.load(pack).icons


def test_what_cannot_be_used_is_left_out_and_logged_in_one_line(pack: Path, caplog: pytest.LogCaptureFixture) -> None:
    for name in ("egg", "3_1", "guinea pig_1", "area51_1", "éclair_1"):
        add_icon(pack, f"goal/food/{name}.jpg")
    (pack / "properties.txt").write_text(
        "\ufeff// as people write it\ngoal/toy/robot_1.png, red\n./goal/toy/robot_2.jpg,green\n"
        "goal/food/guinea pig_1.jpg, brown\ngoal/food/egg_1.png   na\ngoal/toy/robot_9.png red\ndummy/none.jpg blue\n",
        encoding="utf-8",
    )
    catalogue = Catalogue.load(pack)
    assert catalogue.classes == ("bun", "egg", "robot")
    assert [catalogue.describe_tile(tile) for tile in range(5, 9)] == ["egg", "egg", "red robot", "green robot"]
    (record,) = caplog.records
    assert record.getMessage() == (
        f"{pack}: left out, not named <class>_<k> with a class of letters: 3_1.jpg, area51_1.jpg, egg.jpg, "
        f"guinea pig_1.jpg, éclair_1.jpg; in properties.txt, but not there: goal/toy/robot_9.png, dummy/none.jpg"
    )


def test_things_with_different_words_that_look_the_same_are_named(pack: Path, caplog: pytest.LogCaptureFixture) -> None:
    colors = [(200, 30, 30), (0, 0, 250), (0, 250, 0), (90, 90, 90), (91, 90, 90)]
    icons = ("toy/robot_1.png", "toy/robot_2.jpg", "food/bun_1.jpeg", "food/egg_1.png", "food/egg_2.PNG")
    for icon, color in zip(icons, colors, strict=True):
        add_icon(pack, f"goal/{icon}", color)
    _ = Catalogue.load(pack).icons
    assert not caplog.records, "two eggs may look the same"
    add_icon(pack, "goal/toy/robot_1.png", (90, 90, 91))
    _ = Catalogue.load(pack).icons
    (record,) = caplog.records
    assert record.getMessage() == (
        f"{pack}: look the same at 12 pixels: egg_1.png and robot_1.png, egg_2.PNG and robot_1.png"
    )


def test_a_truncated_picture_is_refused(pack: Path) -> None:
    file = pack / "goal/food/egg_1.png"
    Image.effect_noise((40, 40), 90).save(file)
    file.write_bytes(file.read_bytes()[:200])
    with pytest.raises(PackError, match=r"egg_1\.png is not a picture"):
        _ = Catalogue.load(pack).icons


def test_an_empty_or_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PackError, match="no such folder"):
        load_pack(tmp_path / "nowhere")
    (tmp_path / "properties.txt").write_text("")
    with pytest.raises(PackError, match="holds no pictures"):
        load_pack(tmp_path)


def test_a_class_named_like_another_word_is_refused(pack: Path) -> None:
    add_icon(pack, "goal/toy/green_1.png")
    with pytest.raises(WordError, match="green"):
        gym.make("XWorld-v0", pack=pack)

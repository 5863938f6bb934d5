"""Sessions as asked for: `reset(options=...)` gives exactly that map and that command, or says why it cannot."""

import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import referee
from scenes import scene_of
from xworld.envs.single import XWorldEnv
from xworld.envs.vector import XWorldVectorEnv
from xworld.teacher.grammar import find_subtask
from xworld.teacher.holdout import Holdout
from xworld.teacher.settings import COMMAND_NAMES, TeacherSettings
from xworld.teacher.simulator import Simulator
from xworld.world.catalogue import Catalogue
from xworld.world.scene import Scene, SceneError

SCENES = int(os.environ.get("XWORLD_SCENES", "40"))
"""Set it to 1000 to try harder."""
WORLDS = 32
SMALL = Scene.make(agent=(2, 2), objects={(0, 0): "red apple", (0, 2): "dog"}, walls=[(1, 1)], size=3)


def scene_in(simulator: Simulator, world: int) -> Scene:
    return Scene.of_world(simulator.worlds[world])


def test_every_command_on_random_scenes_as_the_referee_has_it() -> None:
    generator, given = np.random.default_rng(0), set[str]()
    drawn = Simulator(SCENES, settings=TeacherSettings(objects=(1, 6), map_size=(3, 7)), curriculum_sessions=SCENES)
    drawn.set_progress(0.7)
    drawn.reset(range(SCENES))
    envs = XWorldVectorEnv(WORLDS, observation="tiles")
    for world in range(SCENES):
        scene, judged = scene_in(drawn, world), scene_of(drawn, world)
        commands = sorted(referee.applicable_commands(judged), key=str)
        for start in range(0, len(commands), WORLDS):
            given |= check(envs, scene, commands[start : start + WORLDS], generator)
    assert given == set(COMMAND_NAMES)


def check(
    envs: XWorldVectorEnv, scene: Scene, commands: list[referee.Command], generator: np.random.Generator
) -> set[str]:
    """ResetOptions for these commands in the first worlds, and for nothing in the others."""
    texts = [word(command, generator) for command in commands]
    nothing = [None] * (WORLDS - len(texts))
    options = {"scene": [*[scene] * len(texts), *nothing], "command": [*texts, *nothing]}
    observation, _ = envs.reset(seed=int(generator.integers(2**32)), options=options)
    simulator = envs.simulator
    for world, (command, text) in enumerate(zip(commands, texts, strict=True)):
        np.testing.assert_array_equal(simulator.worlds["grid"][world], scene.grid)
        assert scene_in(simulator, world).at == scene.at
        assert tokens(envs, observation["command"][world]) == text.split()
        target = simulator.worlds["target_row"][world], simulator.worlds["target_column"][world]
        assert target == command[-1]
        if observation["question"][world].any():
            question, judged = tokens(envs, observation["question"][world]), scene_of(simulator, world)
            answer = simulator.grammar.vocabulary.words[simulator.sessions["answer"][world]]
            assert referee.judge_question(judged, question).answer == answer
    return {command[0] for command in commands}


def word(command: referee.Command, generator: np.random.Generator) -> str:
    name, location, color, first, second, _ = command
    forms = find_subtask(name).forms
    form = forms[generator.integers(len(forms))]
    return form.format(location=location, color=color, object=first, second=second)


def tokens(envs: XWorldVectorEnv, sentence: Any) -> list[str]:
    words = envs.simulator.grammar.vocabulary.words
    return [words[number] for number in sentence if number]


@pytest.mark.parametrize("name", COMMAND_NAMES)
def test_a_type_of_command(name: str) -> None:
    env = XWorldEnv(observation="tiles")
    types = {env.reset(seed=seed, options={"command_type": name})[1]["command_type"] for seed in range(20)}
    assert types == {name}


@pytest.mark.parametrize(
    "command",
    ["Go to the dog.", "Green apple.", "Please move to the northeast of the cat.", "Grid between fish and owl."],
)
def test_a_command_finds_a_map_where_it_is_true(command: str) -> None:
    env = XWorldEnv(observation="tiles")
    observation, info = env.reset(seed=1, options={"command": command})
    assert info["command"] == command
    again, _ = env.reset(seed=1, options={"command": command})
    np.testing.assert_array_equal(observation["tiles"], again["tiles"])
    other, _ = env.reset(seed=2, options={"command": command})
    assert (observation["tiles"] != other["tiles"]).any()
    done = False
    while not done:
        _, _, done, truncated, info = env.step(env.oracle_action())
        assert not truncated
    assert info["is_success"]


def test_a_scene_without_a_command_gets_one_that_is_true() -> None:
    env, said = XWorldEnv(observation="tiles"), set[str]()
    for seed in range(30):
        _, info = env.reset(seed=seed, options={"scene": SMALL})
        said.add(info["command_type"])
        np.testing.assert_array_equal(env.simulator.worlds["grid"][0], SMALL.grid)
    assert said == {"nav_obj", "nav_nr_obj"}  # no way between the two avoids them


def test_other_worlds_are_as_without_options() -> None:
    envs, plain = XWorldVectorEnv(3, observation="tiles"), XWorldVectorEnv(3, observation="tiles")
    envs.reset(seed=5, options={"scene": [None, SMALL, None]})
    plain.reset(seed=5)
    for world in (0, 2):
        assert envs.simulator.worlds[world] == plain.simulator.worlds[world]
    np.testing.assert_array_equal(envs.simulator.worlds["grid"][1], SMALL.grid)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (
            {"scene": SMALL, "command": "Go to the cat."},
            "would not say this here: there is no cat on this map",
        ),
        ({"scene": SMALL, "command_type": "nav_col_obj"}, "none of the commands nav_col_obj can be given on this map"),
        ({"command": "Go to the dog.", "command_type": "nav_bw_obj"}, "is of type nav_obj, not nav_bw_obj"),
        ({"command": "Where is the dog?"}, "this is a question"),
        ({"command": "Go dog."}, "the teacher has no sentence 'Go dog.'"),
        ({"command": "Go to the dgo."}, "no word 'dgo'; did you mean"),
        ({"command": 7}, "command=7: expected"),
        ({"command_type": "nav_moon"}, "command_type='nav_moon': expected 'nav_obj'"),
        ({"scene": "here"}, "scene='here': expected Scene"),
        ({"scene": Scene(3, np.zeros((7, 7), np.int16), (3, 3))}, "tile 0 on the map"),
        ({"map": SMALL}, "no option 'map'; expected 'scene'"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(options: dict[str, Any], complaint: str) -> None:
    env = XWorldEnv(observation="tiles")
    env.reset(seed=3)
    before = env.simulator.worlds.copy(), env.simulator.sessions.copy()
    with pytest.raises(ValueError, match=re.escape(complaint)):
        env.reset(options=options)
    assert (env.simulator.worlds == before[0]).all()
    assert (env.simulator.sessions == before[1]).all()


def test_what_is_held_out_is_not_said() -> None:
    env = XWorldEnv(condition=Holdout("NWNav", ("dog",)))
    with pytest.raises(ValueError, match=r"holds it out \(NWNav\); make one under the condition Standard"):
        env.reset(seed=0, options={"command": "Go to the dog."})


def test_a_vector_takes_options_for_each_world() -> None:
    envs = XWorldVectorEnv(2)
    with pytest.raises(ValueError, match="expected a list with one for each of the 2 worlds"):
        envs.reset(seed=0, options={"command": "Go to the dog."})


def test_options_for_a_world_that_goes_on_are_refused() -> None:
    envs = XWorldVectorEnv(2, observation="tiles")
    envs.reset(seed=0)
    before = envs.simulator.worlds.copy()
    options = {"scene": [None, SMALL], "reset_mask": np.array([True, False])}
    with pytest.raises(ValueError, match="world 1 has options, but reset_mask leaves it out"):
        envs.reset(options=options)
    assert (envs.simulator.worlds == before).all()


class TestScenes:
    def test_a_text_a_file_and_a_link(self, tmp_path: Path) -> None:
        (tmp_path / "scene.txt").write_text(SMALL.to_text())
        (tmp_path / "scene.json").write_text(str(SMALL.to_json()).replace("'", '"'))
        digits = "".join(np.base_repr(int(tile), 36).rjust(2, "0").lower() for tile in SMALL.grid.flat)
        link = f"http://127.0.0.1:8080/#agent=standard&size=3&at=4.4&map={digits}&say=go"
        scenes = [Scene.load(tmp_path / "scene.txt"), Scene.load(tmp_path / "scene.json"), Scene.from_link(link)]
        for scene in scenes:
            assert (scene.size, scene.at) == (SMALL.size, SMALL.at)
            np.testing.assert_array_equal(scene.grid, SMALL.grid)

    def test_what_an_environment_prints_can_be_read(self) -> None:
        env = XWorldEnv(render_mode="ansi")
        for seed in range(20):
            env.reset(seed=seed)
            scene = Scene.from_text(env.render())
            assert scene.at == scene_in(env.simulator, 0).at
            names = [described(scene), described(scene_in(env.simulator, 0))]
            assert names[0] == names[1]

    @pytest.mark.parametrize(
        ("text", "complaint"),
        [
            ("", "the text is no map"),
            (". .\n. @", "the text is no map"),
            (". . .\n. @ .\n. .", "the text is no map"),
            (". . .\n. . .\n. . .", "there are 0 agents"),
            ("@ . .\n. @ .\n. . .", "there are 2 agents"),
            ("@ . Ap\n. . .\n. . .", "the sign 'Ap' is not explained"),
            ("@ . Ap\n. . .\n. . .\nAp apple   Ap dog", "the sign 'Ap' is explained twice"),
            ("@ . Ap\n. . .\n. . .\nAp rocket", "no object 'rocket'"),
        ],
    )
    def test_texts_that_are_no_scene(self, text: str, complaint: str) -> None:
        with pytest.raises(SceneError, match=complaint):
            Scene.from_text(text)

    def test_cells_that_are_not_on_the_map(self) -> None:
        with pytest.raises(SceneError, match=r"cell \(0, 3\): expected a row and a column from 0 to 2"):
            Scene.make(agent=(0, 0), objects={(0, 3): "apple"}, size=3)
        with pytest.raises(SceneError, match="the agent is in a wall"):
            Scene.make(agent=(0, 0), objects={}, walls=[(0, 0)])
        with pytest.raises(SceneError, match="there are 9 objects"):
            Scene.make(agent=(6, 6), objects={(row, column): "dog" for row in range(3) for column in range(3)})

    def test_links_and_files_that_hold_none(self, tmp_path: Path) -> None:
        with pytest.raises(SceneError, match="is no link of the demo"):
            Scene.from_link("http://127.0.0.1:8080/#agent=standard")
        (tmp_path / "odd.json").write_text('{"size": 3}')
        with pytest.raises(SceneError, match="is no scene: expected size, grid and at"):
            Scene.load(tmp_path / "odd.json")


def described(scene: Scene) -> list[str]:
    """What is where, in words: a text does not tell icons of one name and color apart."""
    catalogue = Catalogue.load()
    return [catalogue.describe_tile(int(tile)) for tile in scene.grid.flat]

"""One's own pictures, all the way: packs of one class and of hundreds, in sessions, in training and in files."""

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

import xworld
from make_pack import make_pack
from xworld.cli.main import main
from xworld.demo.about import describe
from xworld.demo.agents import load_agents
from xworld.demo.app import warm_up
from xworld.experiments.result import Result
from xworld.teacher.settings import TeacherSettings
from xworld.teacher.simulator import Simulator
from xworld.training.checked_file import CheckpointError
from xworld.training.configs import DEFAULT
from xworld.training.pretrained import PRETRAINED, load_model
from xworld.training.run_folder import RunFolder
from xworld.training.trainer import Trainer
from xworld.word_learning import load_taught, save_taught, teach
from xworld.world.catalogue import Catalogue
from xworld.world.checks import SettingsError
from xworld.world.pack import BUILT_IN

SHORT = replace(DEFAULT, num_envs=16, buffer_size=64, batches_per_iteration=2, total_steps=32)
ORIGIN = {"model": "planner"}
SIZES = (1, 41, 119, 300)


@pytest.fixture(scope="module", params=SIZES)
def pack(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_pack(tmp_path_factory.mktemp("packs") / f"{request.param}", classes=request.param)


def seen_classes(catalogue: Catalogue, settings: TeacherSettings, worlds: int = 4000) -> set[int]:
    simulator = Simulator(worlds, catalogue, settings=settings)
    simulator.reset(range(worlds))
    present = np.arange(simulator.worlds["object_class"].shape[1]) < simulator.worlds["objects"][:, None]
    return set(simulator.worlds["object_class"][present].tolist())


def test_every_class_of_a_pack_appears(pack: Path) -> None:
    catalogue = Catalogue.load(pack)
    assert len(catalogue.classes) == int(pack.name)
    assert seen_classes(catalogue, TeacherSettings()) == set(range(len(catalogue.classes)))


def test_settings_may_name_fewer_classes_and_more_are_all(pack: Path) -> None:
    catalogue = Catalogue.load(pack)
    assert seen_classes(catalogue, TeacherSettings(classes=(1, 20))) == set(range(min(20, len(catalogue.classes))))
    assert seen_classes(catalogue, TeacherSettings(classes=(4, 500))) == set(range(len(catalogue.classes)))


def repaint(pack: Path, folder: Path) -> Catalogue:
    """The catalogue of a pack with the same classes, and other pictures."""
    return Catalogue.load(make_pack(folder, classes=int(pack.name), seed=1))


def test_training_saves_what_its_own_pack_loads_and_others_do_not(pack: Path, tmp_path: Path) -> None:
    trainer = Trainer(SHORT, pack=pack)
    trainer.train_iteration()
    trainer.save_weights(tmp_path / "agent", ORIGIN)
    agent, _ = load_model(tmp_path / "agent", Catalogue.load(pack))
    assert torch.equal(agent.atlas, trainer.agent.atlas)
    other = repaint(pack, tmp_path / pack.name)
    with pytest.raises(CheckpointError, match=f"agent was trained with other pictures of .*{other.fingerprint}"):
        load_model(tmp_path / "agent", other)
    with pytest.raises(CheckpointError, match=f"other classes: .*{trainer.catalogue.fingerprint}"):
        load_model(tmp_path / "agent")


def test_bundled_agents_belong_to_the_built_in_pack(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(BUILT_IN, copy)
    load_model(None, Catalogue.load(copy))
    shutil.copy(copy / "goal/fruit/apple_2.png", copy / "goal/fruit/apple_1.png")
    with pytest.raises(CheckpointError, match="other pictures of apple, avocado"):
        load_model(None, Catalogue.load(copy))


def test_taught_words_leave_the_fingerprint_alone(tmp_path: Path) -> None:
    pack = make_pack(tmp_path / "5", classes=5)
    trainer, picture = Trainer(SHORT, pack=pack), np.full((96, 96, 4), 255, np.uint8)
    taught = teach(trainer.agent, trainer.catalogue, "zebra", picture)
    assert taught.catalogue.fingerprint == trainer.catalogue.fingerprint
    save_taught(tmp_path / "zebra", taught, ORIGIN)
    assert load_taught(tmp_path / "zebra", pack)[0].word == "zebra"
    with pytest.raises(CheckpointError, match="other classes"):
        load_taught(tmp_path / "zebra")


def test_the_demo_shows_agents_of_a_pack_alone(tmp_path: Path) -> None:
    pack = make_pack(tmp_path / "5", classes=5)
    Trainer(SHORT, pack=pack).save_weights(tmp_path / "mine.safetensors", ORIGIN)
    agents = load_agents([tmp_path / "mine.safetensors"], pack)
    assert list(agents) == ["mine"]
    warm_up(agents.values())
    assert len(describe(agents.values())["commands"]) == 4
    with pytest.raises(SettingsError, match="name the file of an agent"):
        load_agents([], pack)
    with pytest.raises(CheckpointError, match="other classes"):
        load_agents([PRETRAINED["Standard"]], pack)


def test_the_demo_lists_no_commands_that_a_pack_without_colors_does_not_allow(tmp_path: Path) -> None:
    pack = make_pack(tmp_path / "5", classes=5)
    (pack / "properties.txt").write_text("")
    Trainer(SHORT, pack=pack).save_weights(tmp_path / "mine.safetensors", ORIGIN)
    about = describe(load_agents([tmp_path / "mine.safetensors"], pack).values())
    assert [command["name"] for command in about["commands"]] == ["nav_obj", "nav_nr_obj", "nav_bw_obj"]


SETTINGS = """
    --device cpu --num-envs 16 --buffer-size 64 --batches-per-iteration 2 --total-steps 64
    --sessions 8 --minimal-pairs 4 --validation-sessions 4
""".split()


def test_a_run_records_its_pack_and_every_command_takes_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pack = make_pack(tmp_path / "mine", classes=3)
    monkeypatch.chdir(tmp_path)
    assert main(["train", "tiny", "--pack", "mine", *SETTINGS]) == 0
    folder = RunFolder.open(tmp_path / "runs" / "mine-tiny-Standard-0")
    assert folder.settings["pack"] == str(pack)
    assert Result.read(folder.path).evaluation
    assert main(["train", "--resume", str(folder.path)]) == 0
    weights = str(folder.weights_path)
    assert main(["evaluate", weights, "--pack", "mine", "--sessions", "8"]) == 0
    assert main(["figures", "program", "--agent", weights, "--pack", "mine", "--no-vector", "--png"]) == 0
    assert main(["evaluate", weights, "--sessions", "8"]) == 2


def test_what_is_wrong_with_a_pack_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    pack = make_pack(tmp_path / "stray", classes=3)
    with (pack / "properties.txt").open("a") as file:
        file.write("\ngoal/things/unicorn_1.png red\n")
    monkeypatch.chdir(tmp_path)
    assert main(["train", "default", "--pack", "stray", *SETTINGS]) == 0
    assert [record.message for record in caplog.records if "unicorn" in record.message] == [
        f"{pack}: in properties.txt, but not there: goal/things/unicorn_1.png"
    ]


def test_a_pack_of_one_class_is_tested_with_the_commands_it_allows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_pack(tmp_path / "one", classes=1, instances=1)
    monkeypatch.chdir(tmp_path)
    assert main(["train", "default", "--pack", "one", *SETTINGS]) == 0
    evaluation = Result.read(tmp_path / "runs" / "one-default-Standard-0").evaluation
    assert {name for name in evaluation if name.startswith("nav_")} == {"nav_obj", "nav_nr_obj"}


def test_the_front_door_takes_a_pack(tmp_path: Path) -> None:
    pack = make_pack(tmp_path / "41", classes=41)
    agent = xworld.train("tiny", pack=pack, num_envs=8, buffer_size=64, total_steps=32, device="cpu")
    agent.save(tmp_path / "agent.safetensors")
    loaded = xworld.load_agent(tmp_path / "agent.safetensors", pack)
    assert loaded.catalogue == agent.catalogue == Catalogue.load(pack)
    report = xworld.evaluate(
        loaded, sessions=8, settings=TeacherSettings(map_size=(3, 3), objects=(2, 2), walls=(0, 0))
    )
    assert report.overall.trials == 8
    with pytest.raises(CheckpointError, match="was trained with other classes"):
        xworld.load_agent(tmp_path / "agent.safetensors")

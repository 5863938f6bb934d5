"""Trained agents that take what the environments give: one or many observations, pixels or tiles."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

import xworld
from new_things import STRIPES
from xworld.agent.model import Model
from xworld.baselines.registry import MODEL_NAMES, ModelError, make_model
from xworld.envs.observation import Observation
from xworld.evaluation.responders import PolicyError
from xworld.training.checked_file import CheckpointError
from xworld.world.catalogue import Catalogue
from xworld.world.checks import SettingsError


@pytest.fixture(scope="module")
def agent() -> xworld.TrainedAgent:
    return xworld.load_agent("STANDARD")


def observe(kind: str, worlds: int, seed: int = 0) -> Observation:
    envs = xworld.XWorldVectorEnv(worlds, observation=kind)
    return envs.reset(seed=seed)[0]


def one(observation: Observation, world: int) -> Observation:
    return {name: values[world] for name, values in observation.items()}


def test_pixels_and_tiles_give_the_same_actions_and_answers_in_1_000_scenes(agent: xworld.TrainedAgent) -> None:
    pixels, tiles = observe("pixels", 1000), observe("tiles", 1000)
    np.testing.assert_array_equal(agent.act(pixels), agent.act(tiles))
    assert agent.answer(pixels) == agent.answer(tiles)


@pytest.mark.usefixtures("narrow_image_models")
@pytest.mark.parametrize("name", MODEL_NAMES)
def test_every_model_sees_pixels_as_it_sees_tiles(name: str, catalogue: Catalogue) -> None:
    torch.manual_seed(0)
    model = make_model(name, 105, torch.from_numpy(catalogue.atlas()), temperature=5.0)
    agent = xworld.TrainedAgent(model.eval(), catalogue, {})
    pixels, tiles = observe("pixels", 20), observe("tiles", 20)
    np.testing.assert_array_equal(agent.act(pixels), agent.act(tiles))
    assert agent.answer(pixels) == agent.answer(tiles)


@pytest.mark.parametrize("kind", ["pixels", "tiles"])
def test_one_observation_and_many(agent: xworld.TrainedAgent, kind: str) -> None:
    many = observe(kind, 8)
    actions, answers = agent.act(many), agent.answer(many)
    assert [agent.act(one(many, world)) for world in range(8)] == actions.tolist()
    assert [agent.answer(one(many, world)) for world in range(8)] == answers
    assert [bool(answer) for answer in answers] == many["question"].any(axis=1).tolist()


def test_a_picture_that_is_in_no_catalogue_can_be_looked_at(agent: xworld.TrainedAgent) -> None:
    noisy = observe("pixels", 4)
    noisy["pixels"] = np.random.default_rng(0).integers(256, size=noisy["pixels"].shape, dtype=np.uint8)
    assert set(agent.act(noisy)) <= {0, 1, 2, 3}


def test_thoughts_are_the_same_for_pixels_and_tiles(agent: xworld.TrainedAgent) -> None:
    thoughts = [agent.explain(one(observe(kind, 1), 0)) for kind in ("pixels", "tiles")]
    np.testing.assert_allclose(thoughts[0].attention, thoughts[1].attention, atol=1e-6)
    assert thoughts[0].words == thoughts[1].words
    with pytest.raises(PolicyError, match="2 observations: explain one at a time"):
        agent.explain(observe("tiles", 2))
    with pytest.raises(PolicyError, match="an observation of tiles: expected pixels or tiles, and a command"):
        agent.act({"tiles": observe("tiles", 1)["tiles"]})


class Deciding:
    """A policy that is the agent itself, but known only by what it does."""

    def __init__(self, agent: xworld.TrainedAgent) -> None:
        self.answer, self.decide = agent.answer, agent.act

    def __call__(self, observation: Observation) -> NDArray[np.int64]:
        actions: NDArray[np.int64] = self.decide(observation)
        return actions


def test_an_agent_does_as_well_when_only_its_conduct_is_known(agent: xworld.TrainedAgent) -> None:
    known = xworld.evaluate(agent, sessions=80, minimal_pairs=True)
    for kind in ("tiles", "pixels"):
        assert xworld.evaluate(Deciding(agent), sessions=80, minimal_pairs=True, observation=kind) == known, kind
    assert known.overall_recognition.trials > 80


@pytest.mark.parametrize(
    ("policy", "complaint"),
    [
        (7, "7 is no policy: expected a function of observations, or act() or predict()"),
        (lambda seen: np.zeros(len(seen["command"])), "float64 of shape (4,): expected 4 whole numbers"),
        (lambda _: [0], "int64 of shape (1,): expected 4 whole numbers"),
        (lambda seen: np.full(len(seen["command"]), 4), "actions up to 4: expected 0 to 3"),
    ],
)
def test_what_is_no_policy_is_refused(policy: Any, complaint: str) -> None:
    with pytest.raises(PolicyError) as error:
        xworld.evaluate(policy, sessions=16, observation="tiles")
    assert complaint in str(error.value)


def test_a_policy_may_answer_in_numbers_or_in_words_that_nobody_knows(agent: xworld.TrainedAgent) -> None:
    def rate(answer: Any) -> float:
        policy = Deciding(agent)
        policy.answer = answer
        return xworld.evaluate(policy, sessions=40, observation="tiles").overall_recognition.value

    number = agent.vocabulary.number
    numbers = rate(lambda seen: [number(word) if word else 0 for word in agent.answer(seen)])
    assert numbers > 0.95
    assert rate(lambda seen: ["gavagai"] * len(seen["command"])) == 0.0


def test_a_taught_agent_is_saved_and_loaded(agent: xworld.TrainedAgent, tmp_path: Path) -> None:
    taught = xworld.teach(agent, "zebra", STRIPES)
    taught.save(tmp_path / "zebra.safetensors")
    loaded = xworld.load_agent(tmp_path / "zebra.safetensors")
    assert loaded.catalogue.classes == (*agent.catalogue.classes, "zebra")
    with pytest.raises(FileExistsError, match="exists already; name another file"):
        taught.save(tmp_path / "zebra.safetensors")
    agent.save(tmp_path / "same.safetensors")
    tiles = observe("tiles", 50)
    np.testing.assert_array_equal(xworld.load_agent(tmp_path / "same.safetensors").act(tiles), agent.act(tiles))


def test_observations_of_what_it_does_not_know_are_refused(agent: xworld.TrainedAgent) -> None:
    seen = observe("tiles", 2)
    with pytest.raises(PolicyError, match="the tiles of an observation: expected whole numbers from 0 to 117"):
        agent.act({**seen, "tiles": seen["tiles"] + 118})
    with pytest.raises(PolicyError, match="the command of an observation: expected whole numbers from 0 to 104"):
        agent.act({**seen, "command": seen["command"] / 2})


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"sessions": 0}, "sessions=0: expected a whole number from 1"),
        ({"settings": "tiny"}, "settings='tiny': expected TeacherSettings"),
        ({"catalogue": "my_pack"}, "catalogue='my_pack': expected Catalogue"),
        ({"holdout": "NC"}, "holdout='NC': expected Holdout"),
    ],
)
def test_tests_that_make_no_sense_are_refused(arguments: dict[str, Any], complaint: str) -> None:
    with pytest.raises(SettingsError, match=complaint):
        xworld.evaluate(lambda _: 0, **arguments)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"epochs": 3}, "setting='epochs': expected 'name', 'num_envs'"),
        ({"config": 7}, "config=7: expected TrainingConfig"),
        ({"device": "tpu"}, "device='tpu': expected 'auto', 'cuda' or 'cpu'"),
    ],
)
def test_trainings_that_make_no_sense_are_refused(arguments: dict[str, Any], complaint: str) -> None:
    with pytest.raises(SettingsError, match=complaint):
        xworld.train(**{"config": "tiny", **arguments})


def test_an_agent_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="no agent 'standart': bundled are Standard, NWNavRec; or give a file"):
        xworld.load_agent("standart")


def test_a_run_in_a_folder_is_kept(tmp_path: Path) -> None:
    small: dict[str, Any] = {"num_envs": 8, "buffer_size": 64, "total_steps": 32}
    agent = xworld.train("tiny", seed=1, folder=tmp_path / "run", device="cpu", **small)
    kept = xworld.load_agent(tmp_path / "run" / "agent.safetensors")
    assert agent.provenance == kept.provenance
    assert agent.provenance["seed"] == 1
    assert (tmp_path / "run" / "state.safetensors").exists()


@pytest.mark.parametrize(
    ("name", "model", "complaint"),
    [
        ("san", Model, "there is already a model 'san'"),
        ("my model", Model, "expected a name of letters"),
        ("mine", dict, "expected a subclass of xworld.agent.model.Model"),
    ],
)
def test_models_that_cannot_be_registered(name: str, model: Any, complaint: str) -> None:
    with pytest.raises(ModelError, match=complaint):
        xworld.register_model(name, model)

"""The oracle's sessions in a dataset, as Minari's own loader reads them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import xworld
from xworld.cli.main import main
from xworld.envs.demonstrations import write_dataset
from xworld.envs.registration import ENVIRONMENTS
from xworld.teacher.oracle import shortest_paths
from xworld.world.checks import SettingsError

assert xworld.__version__
minari = pytest.importorskip("minari", reason="Minari is not installed: pip install 'xworld[data]'")

SESSIONS, SEED = 12, 5


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    return minari.load_dataset


@pytest.mark.parametrize("observation", ["tiles", "pixels"])
def test_a_dataset_has_the_sessions_that_the_oracle_solves(observation: str, tmp_path: Path, load: Any) -> None:
    arguments = ["--sessions", str(SESSIONS), "--seed", str(SEED), "--observation", observation]
    assert main(["demonstrate", *arguments, "--condition", "NC", "--folder", str(tmp_path)]) == 0
    dataset = load(f"xworld/oracle-nc-{observation}-v0")
    assert dataset.total_episodes == SESSIONS
    env = dataset.recover_environment()
    assert env.observation_space == dataset.observation_space
    assert env.unwrapped.simulator.holdout.condition == "NC"
    for seed, session in enumerate(dataset, SEED):
        seen, info = env.reset(seed=seed)
        assert len(session) == shortest_paths(env.unwrapped.simulator)[0]
        for step, action in enumerate(session.actions):
            assert all(np.array_equal(session.observations[name][step], seen[name]) for name in seen)
            assert session.infos["answer_id"][step] == info["answer_id"]
            assert session.infos["question"][step].decode() == info["question"]
            seen, reward, terminated, truncated, info = env.step(action)
            assert session.rewards[step] == reward
            assert (session.terminations[step], session.truncations[step]) == (terminated, truncated)
        assert terminated
        assert all(np.array_equal(session.observations[name][-1], seen[name]) for name in seen)


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_a_dataset_recovers_the_environment_it_was_made_in(name: str, tmp_path: Path, load: Any) -> None:
    write_dataset(gym.make(name, observation="tiles"), [SEED], "mine-v0", tmp_path)
    dataset = load("mine-v0")
    env = dataset.recover_environment()
    assert env.spec.id == name
    seen, _ = env.reset(seed=SEED)
    assert all(np.array_equal(dataset[0].observations[part][0], seen[part]) for part in seen)


def test_the_metadata_of_sessions_has_their_seeds(tmp_path: Path, load: Any) -> None:
    write_dataset(gym.make("XWorld-v0", observation="tiles"), [7, 3], "mine-v0", tmp_path)
    assert [data["seed"] for data in load("mine-v0").storage.get_episode_metadata([0, 1])] == [7, 3]


def test_a_dataset_is_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["demonstrate", "--sessions", "1", "--id", "mine-v0", "--folder", str(tmp_path)]
    assert main(command) == 0
    assert f"minari.load_dataset('mine-v0'), with MINARI_DATASETS_PATH={tmp_path}" in capsys.readouterr().out
    data = tmp_path / "mine-v0" / "data" / "main_data.hdf5"
    before = data.read_bytes()
    assert main(command) == 2
    assert "mine-v0: this dataset exists already; name another or move it away" in capsys.readouterr().err
    assert data.read_bytes() == before


def test_nothing_is_left_of_a_dataset_that_fails(tmp_path: Path) -> None:
    def seeds() -> Iterator[int]:
        yield 0
        raise KeyboardInterrupt

    env = gym.make("XWorld-v0", observation="tiles")
    with pytest.raises(KeyboardInterrupt):
        write_dataset(env, seeds(), "mine-v0", tmp_path)
    with pytest.raises(SettingsError, match="seed=-1"):
        write_dataset(env, [-1], "mine-v0", tmp_path)
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("arguments", [["--id", "../mine"], ["--sessions", "0"], ["--seed", "-1"]])
def test_nonsense_is_refused(arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demonstrate", "--folder", str(tmp_path), *arguments]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert not any(tmp_path.iterdir())

"""The oracle's sessions as a Minari dataset, to learn to obey and to answer from demonstrations."""

import os
import shutil
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np

import xworld
from xworld.world.checks import SettingsError

_ROOT = "MINARI_DATASETS_PATH"
"""The environment variable that tells Minari where datasets are."""
_DESCRIPTION = "Sessions of XWORLD on shortest paths. infos/answer_id[t] answers the question in observations[t]."


def dataset_path(dataset_id: str, folder: Path | None = None) -> Path:
    """Where Minari keeps a dataset: in a folder of datasets, or in its own; a dataset that exists is refused."""
    from minari.dataset.minari_dataset import parse_dataset_id
    from minari.storage.datasets_root_dir import get_dataset_path

    parse_dataset_id(dataset_id)  # refuses what is none
    path = Path(get_dataset_path(dataset_id)) if folder is None else folder / dataset_id
    if path.exists():
        raise SettingsError(f"{path}: this dataset exists already; name another or move it away")
    return path


def write_dataset(env: gym.Env[Any, Any], seeds: Iterable[int], dataset_id: str, folder: Path | None = None) -> Any:
    """Write a session for each seed, one after the other, and return the dataset; if that fails, nothing is left."""
    from minari import create_dataset_from_buffers

    path = dataset_path(dataset_id, folder)
    try:
        with _datasets_in(folder), warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # it asks for an author and an address
            return create_dataset_from_buffers(
                dataset_id,
                (_record(env, number, seed) for number, seed in enumerate(seeds)),
                env=env,
                algorithm_name="oracle",
                description=_DESCRIPTION,
                requirements=[f"xworld=={xworld.__version__}"],
                jpeg_encoding=False,  # an agent must see what it will see in the world
            )
    except BaseException:
        shutil.rmtree(path, ignore_errors=True)
        raise


def _record(env: gym.Env[Any, Any], number: int, seed: int) -> Any:
    """One session as Minari stores it: a list for each part, with one observation and info more than steps."""
    from minari.data_collector import EpisodeBuffer

    observation, info = env.reset(seed=seed)
    observations, infos, steps, over = [observation], [info], [], False
    while not over:
        action = env.unwrapped.oracle_action()  # type: ignore[attr-defined]
        observation, reward, terminated, truncated, info = env.step(action)
        observations.append(observation)
        infos.append(info)
        steps.append((action, reward, terminated, truncated))
        over = terminated or truncated
    actions, rewards, terminations, truncations = zip(*steps, strict=True)
    return EpisodeBuffer(
        id=number,
        seed=seed,
        observations={name: np.stack([each[name] for each in observations]) for name in observations[0]},
        actions=np.array(actions, np.int64),
        rewards=list(rewards),
        terminations=list(terminations),
        truncations=list(truncations),
        infos={name: [each[name] for each in infos] for name in infos[0]},
    )


@contextmanager
def _datasets_in(folder: Path | None) -> Iterator[None]:
    """Let Minari keep its datasets in a folder."""
    before = os.environ.get(_ROOT)
    if folder is not None:
        os.environ[_ROOT] = str(folder)
    try:
        yield
    finally:
        os.environ.pop(_ROOT, None)
        if before is not None:
            os.environ[_ROOT] = before

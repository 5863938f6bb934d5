"""`xworld demonstrate`: the oracle's sessions as a dataset to learn from."""

import importlib.util
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import gymnasium as gym
from rich.console import Console
from rich.progress import track

from xworld.cli.display import say
from xworld.teacher.holdout import Condition
from xworld.world.checks import check_seed, check_whole


@dataclass(frozen=True)
class DemonstrateCommand:
    """Write sessions that the oracle solves on shortest paths, with all answers, as a Minari dataset."""

    sessions: int = 1000
    """Number of sessions."""
    seed: int = 0
    """Seed of the first session; each further one has the next."""
    observation: Literal["tiles", "pixels"] = "tiles"
    """What is seen: tiles, or pixels, which take 73 kB a step."""
    condition: Condition = "Standard"
    """The condition, which says what is held out."""
    id: str | None = None
    """The dataset's id; by default xworld/oracle-<condition>-<observation>-v0. An existing one is not overwritten."""
    folder: Path | None = None
    """Folder of datasets; by default Minari's own."""

    def run(self) -> int:
        """Write the dataset, and say how to load it."""
        check_whole("--sessions", self.sessions, 1)
        check_seed("--seed", self.seed)
        for package in ("minari", "h5py"):
            if importlib.util.find_spec(package) is None:  # Minari's own errors do not name the extra
                raise ModuleNotFoundError(name=package)
        from xworld.envs.demonstrations import write_dataset

        console = Console(highlight=False)
        name = self.id or f"xworld/oracle-{self.condition.lower()}-{self.observation}-v0"
        env = gym.make("XWorld-v0", observation=self.observation, condition=self.condition, disable_env_checker=True)
        seeds = range(self.seed, self.seed + self.sessions)
        bar = track(seeds, "", console=console, transient=True, disable=not console.is_terminal)
        dataset = write_dataset(env, bar, name, self.folder)
        size = f"{dataset.total_episodes:,} sessions, {dataset.total_steps:,} steps"
        say(console, f"{dataset.storage.data_path}  {size}, {dataset.storage.get_size():.1f} MB")
        root = "" if self.folder is None else f", with MINARI_DATASETS_PATH={self.folder}"
        say(console, f"to load it: minari.load_dataset('{name}'){root}")
        return 0

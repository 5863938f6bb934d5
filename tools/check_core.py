"""Try xworld as `pip install xworld` leaves it, without any extra: the environments run, other commands name theirs."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import gymnasium
import numpy as np

import xworld

EXTRAS = "torch", "safetensors", "tensorboard", "matplotlib", "fastapi", "uvicorn", "minigrid", "ray", "minari"
NEEDS = (
    ("evaluate", "train"),
    ("train", "train"),
    ("demo", "demo"),
    ("figures", "figures"),
    ("bench env", "bench"),
    ("demonstrate", "data"),
)
"""Commands and the extras that they need."""
XWORLD = str(Path(sys.executable).parent / "xworld")


def main() -> None:
    there = [name for name in EXTRAS if importlib.util.find_spec(name)]
    assert not there, f"the core must do without {', '.join(there)}"
    try_environments()
    try_commands()
    print(f"xworld {xworld.__version__}: the core works without its extras")


def try_environments() -> None:
    for name in (name for name in gymnasium.registry if name.startswith("XWorld")):
        env = gymnasium.make(name, render_mode="rgb_array")
        _, info = env.reset(seed=0)
        assert info["command"]
        *_, info = env.step(env.unwrapped.oracle_action())  # type: ignore[attr-defined]
        assert isinstance(env.render(), np.ndarray)
        envs = gymnasium.make_vec(name, num_envs=64, observation="tiles")
        envs.reset(seed=0)
        observation, *_ = envs.step(envs.action_space.sample())
        assert observation["tiles"].shape == (64, 13, 13)


def try_commands() -> None:
    assert "256,832" in run("sentences")
    assert "--seed" in run("play", "--help")
    for command, extra in NEEDS:
        assert f"xworld[{extra}]" in run(*command.split(), expect=2), f"{command} must name the extra that it needs"


def run(*arguments: str, expect: int = 0) -> str:
    done = subprocess.run([XWORLD, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == expect, f"xworld {' '.join(arguments)}: {done.stdout}{done.stderr}"
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


if __name__ == "__main__":
    main()

"""The native vector environment for Stable-Baselines3. Only those who import this module need Stable-Baselines3."""

import time
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.error import DependencyNotInstalled
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from xworld.envs.arguments import check_options
from xworld.envs.observation import Observation
from xworld.world.checks import SettingsError

try:
    from stable_baselines3.common.monitor import Monitor
    from stable_baselines3.common.vec_env import VecEnv
except ImportError as error:
    raise DependencyNotInstalled("xworld.envs.sb3 needs Stable-Baselines3: pip install stable-baselines3") from error

Info = dict[str, Any]


class SB3VecEnv(VecEnv):  # type: ignore[misc]
    """A vector environment as Stable-Baselines3 expects it, with the infos of its `Monitor`.

    The worlds share one environment: attributes and methods are those of the whole vector.

    >>> from xworld.envs.vector import XWorldVectorEnv
    >>> envs = SB3VecEnv(XWorldVectorEnv(4, observation="tiles"))
    >>> observation = envs.reset()
    >>> observation, rewards, dones, infos = envs.step(np.zeros(4, np.int64))
    >>> infos[0]["TimeLimit.truncated"]
    False
    """

    def __init__(self, envs: gym.vector.VectorEnv[Observation, Any, NDArray[Any]]) -> None:
        if (mode := envs.metadata["autoreset_mode"]) is not AutoresetMode.SAME_STEP:
            raise SettingsError(f"autoreset_mode={mode.value!r}: Stable-Baselines3 expects 'SameStep'")
        self.envs = envs
        self._actions: Any = None
        self._returns, self._lengths = np.zeros(envs.num_envs), np.zeros(envs.num_envs, np.int64)
        self._start = time.time()
        super().__init__(envs.num_envs, envs.single_observation_space, envs.single_action_space)

    def reset(self) -> Observation:
        """Begin a session in every world, with the seeds that `seed` has set."""
        for options in self._options:
            check_options(options)
        observations, info = self.envs.reset(seed=None if None in self._seeds else self._seeds)
        self._reset_seeds()
        self._reset_options()
        self.reset_infos = _split(info, self.num_envs)
        self._returns[:], self._lengths[:] = 0, 0
        return observations

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Keep the actions for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[Observation, NDArray[np.float32], NDArray[np.bool_], list[Info]]:
        """Step every world; where a session ends, the next one begins."""
        observations, rewards, terminated, truncated, info = self.envs.step(self._actions)
        self._returns += rewards
        self._lengths += 1
        infos, done = _split(info, self.num_envs), terminated | truncated
        if done.any():
            self._end_sessions(np.flatnonzero(done), infos, info)
        for each, out_of_time in zip(infos, (truncated & ~terminated).tolist()):
            each["TimeLimit.truncated"] = out_of_time
        return observations, rewards.astype(np.float32), done, infos

    def _end_sessions(self, worlds: NDArray[np.intp], infos: list[Info], info: Info) -> None:
        """Make infos those of the sessions that ended; `reset_infos` has those of the next ones."""
        final, seconds = _split(info["final_info"], self.num_envs), round(time.time() - self._start, 6)
        for world in worlds:
            self.reset_infos[world] = infos[world].copy()
            episode = {"r": round(float(self._returns[world]), 6), "l": int(self._lengths[world]), "t": seconds}
            infos[world] |= final[world] | {"terminal_observation": info["final_obs"][world], "episode": episode}
        self._returns[worlds], self._lengths[worlds] = 0, 0

    def close(self) -> None:
        """Close the environment."""
        self.envs.close()

    def get_images(self) -> list[Any]:
        """A picture of each world."""
        return list(self.envs.render() or ())

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute of the vector, for each world."""
        return [getattr(self.envs.unwrapped, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute of the vector."""
        self._check_all(indices)
        setattr(self.envs.unwrapped, attr_name, value)

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """Call a method of the vector, once; the result is repeated for each world."""
        self._check_all(indices)
        return [getattr(self.envs.unwrapped, method_name)(*method_args, **method_kwargs)] * self.num_envs

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        """Whether worlds have a wrapper. No world has one, but infos are those of `Monitor`."""
        return [wrapper_class is Monitor for _ in self._get_indices(indices)]

    def _check_all(self, indices: Any) -> None:
        if len(list(self._get_indices(indices))) != self.num_envs:
            raise SettingsError(f"indices={indices}: expected None, because the worlds share one environment")


def _split(info: Info, count: int) -> list[Info]:
    """The info of each world, without what belongs to sessions that ended."""
    infos: list[Info] = [{} for _ in range(count)]
    for name in info:
        if not name.startswith(("_", "final_")):
            for each, value, counts in zip(infos, info[name].tolist(), info[f"_{name}"].tolist()):
                if counts:
                    each[name] = value
    return infos

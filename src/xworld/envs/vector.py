"""Thousands of worlds as one Gymnasium vector environment."""

from collections.abc import Sequence
from operator import index
from pathlib import Path
from typing import Any, ClassVar

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from xworld.envs.making import make_simulator
from xworld.envs.observation import Observation, Observer, final_numbers, session_ids
from xworld.envs.picture import Painter
from xworld.envs.single import FRAMES_A_SECOND
from xworld.teacher.holdout import Holdout
from xworld.teacher.oracle import expert_actions
from xworld.teacher.settings import TeacherSettings
from xworld.teacher.simulator import SEEDS
from xworld.world.cells import ACTIONS

Flags = NDArray[np.bool_]


class XWorldVectorEnv(gym.vector.VectorEnv[Observation, NDArray[np.int64], NDArray[Any]]):
    """Many XWORLDs stepped in one call. World i with seed s lives as a single environment with seed s + i does.

    A session that ends is followed by the next in the same step; its last observation is in `info["final_obs"]` and
    its result in `info["final_info"]`. Infos hold numbers; `text` turns those of sentences into words.

    >>> envs = XWorldVectorEnv(64, observation="tiles")
    >>> observation, info = envs.reset(seed=0)
    >>> observation, rewards, terminated, truncated, info = envs.step(envs.action_space.sample())
    >>> observation["tiles"].shape, info["answer_id"].shape
    ((64, 13, 13), (64,))
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "render_modes": ["rgb_array"],
        "render_fps": FRAMES_A_SECOND,
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        observation: str = "pixels",
        condition: str | Holdout = "Standard",
        holdout_seed: int = 0,
        curriculum_sessions: int = 0,
        settings: TeacherSettings | None = None,
        pack: str | Path | None = None,
        threads: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"render_mode={render_mode!r}: a vector environment renders as 'rgb_array' only")
        self.simulator = make_simulator(num_envs, condition, holdout_seed, curriculum_sessions, settings, pack, threads)
        self._observer = Observer(self.simulator, observation)
        self.num_envs = num_envs
        self.single_observation_space = self._observer.space
        self.single_action_space = spaces.Discrete(len(ACTIONS))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.render_mode = render_mode
        self._painter = Painter(self.simulator) if render_mode is not None else None
        self._begun = False

    def reset(
        self, *, seed: int | Sequence[int | None] | NDArray[Any] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a session in every world, or in those of `options["reset_mask"]`.

        A seed s gives world i the seed s + i; a list gives each its own.
        """
        first = None if seed is None or isinstance(seed, Sequence | np.ndarray) else index(seed)
        super().reset(seed=first)
        chosen = (options or {}).get("reset_mask")
        if chosen is not None and not self._begun:
            raise gym.error.ResetNeeded("the first reset() begins all worlds; leave reset_mask out of it")
        self.simulator.reset(self._seeds(seed), chosen)
        self._begun = True
        everywhere = np.ones(self.num_envs, np.bool_)
        given = everywhere if chosen is None else np.asarray(chosen)
        return self._observer.observe(), _with_masks(session_ids(self.simulator.sessions), given)

    def step(self, actions: NDArray[np.int64]) -> tuple[Observation, NDArray[np.float64], Flags, Flags, dict[str, Any]]:
        """Step every world; sessions that end are followed by the next at once."""
        if not self._begun:
            raise gym.error.ResetNeeded("call reset() before the first step()")
        rewards, terminated, truncated = self.simulator.step(actions)
        info = _with_masks(session_ids(self.simulator.sessions), np.ones(self.num_envs, np.bool_))
        done = terminated | truncated
        if done.any():
            info |= self._final(done, terminated)
        return self._observer.observe(), rewards, terminated, truncated, info

    def text(self, sentences: NDArray[np.integer[Any]]) -> list[str]:
        """The words of numbered sentences, (worlds, 12), such as the observation's `command`."""
        return [self.simulator.grammar.vocabulary.text(sentence) for sentence in sentences]

    def oracle_actions(self) -> NDArray[np.int64]:
        """The first step of a shortest way to the target, in every world."""
        return expert_actions(self.simulator)

    def set_progress(self, progress: float | None) -> None:
        """Fix how far the curriculum is, from 0 to 1, for sessions that begin from now on; None: each world counts."""
        self.simulator.set_progress(progress)

    def render(self) -> tuple[NDArray[np.uint8], ...] | None:
        """A picture of each world."""
        if self._painter is None:
            gym.logger.warn('render() without a render mode; make the environment with render_mode="rgb_array"')
            return None
        return tuple(self._painter.draw(world) for world in range(self.num_envs))

    def _final(self, done: Flags, terminated: Flags) -> dict[str, Any]:
        lessons = self.simulator.final_sessions[done]
        results = session_ids(lessons) | final_numbers(lessons, terminated[done])
        spread = {key: _place(values, done) for key, values in results.items()}
        return {
            "final_obs": self._observer.observe_final(done),
            "_final_obs": done,
            "final_info": _with_masks(spread, done),
            "_final_info": done,
        }

    def _seeds(self, seed: int | Sequence[int | None] | NDArray[Any] | None) -> list[Any] | None:
        """A seed for every world; none, for worlds that have begun, lets them live on."""
        if seed is None:
            return None if self._begun else self._draw_seeds()
        if isinstance(seed, Sequence | np.ndarray):
            drawn = self._draw_seeds()
            return [drawn[i % self.num_envs] if given is None else given for i, given in enumerate(seed)]
        return [(index(seed) + i) % SEEDS for i in range(self.num_envs)]

    def _draw_seeds(self) -> list[int]:
        return [int(number) for number in self.np_random.integers(2**63, size=self.num_envs)]


def _place(values: NDArray[Any], which: Flags) -> NDArray[Any]:
    """The values of some worlds in an array for all, zeros elsewhere."""
    everywhere = np.zeros(len(which), values.dtype)
    everywhere[which] = values
    return everywhere


def _with_masks(values: dict[str, NDArray[Any]], which: Flags) -> dict[str, Any]:
    """Values and, under a name with an underscore, where they count, as Gymnasium's vector infos have it."""
    return {**values, **{f"_{key}": which.copy() for key in values}}

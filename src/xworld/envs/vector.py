"""Thousands of worlds as one Gymnasium vector environment."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from xworld.envs.arguments import (
    SESSION_OPTIONS,
    check_autoreset_mode,
    check_options,
    check_render_mode,
    load_world,
    read_session_options,
)
from xworld.envs.observation import Observation, Observer, final_numbers, session_ids
from xworld.envs.rendering import RENDER_FPS, Renderer
from xworld.teacher.holdout import Holdout
from xworld.teacher.oracle import expert_actions
from xworld.teacher.reset_options import reset_with_options
from xworld.teacher.settings import TeacherSettings
from xworld.teacher.simulator import Simulator
from xworld.world.cells import ACTIONS
from xworld.world.checks import check_seed, is_list

Flags = NDArray[np.bool_]


class XWorldVectorEnv(gym.vector.VectorEnv[Observation, NDArray[np.int64], NDArray[Any]]):
    """Many XWORLDs stepped in one call. World i with seed s behaves like a single environment with seed s + i.

    When a session ends, the next one begins in the same step; the last observation is in `info["final_obs"]` and the
    result in `info["final_info"]`. With `autoreset_mode="NextStep"`, it begins in the step after, whose action is
    ignored; with "Disabled", when `reset` is called for the worlds that ended. The result is then in the info itself.
    Infos hold numbers only; `text` turns numbered sentences into words.

    >>> envs = XWorldVectorEnv(64, observation="tiles")
    >>> observation, info = envs.reset(seed=0)
    >>> observation, rewards, terminated, truncated, info = envs.step(envs.action_space.sample())
    >>> observation["tiles"].shape, info["answer_id"].shape
    ((64, 13, 13), (64,))
    """

    metadata: dict[str, Any] = {  # noqa: RUF012, because an instance has its own
        "render_modes": ["rgb_array"],
        "render_fps": RENDER_FPS,
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
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
    ) -> None:
        self.autoreset_mode = check_autoreset_mode(autoreset_mode)
        self.metadata = self.metadata | {"autoreset_mode": self.autoreset_mode}
        self.render_mode = check_render_mode(render_mode, self.metadata)
        world = load_world(condition, holdout_seed, pack)
        self.simulator = Simulator(num_envs, *world, settings, curriculum_sessions, threads)
        self._observer = Observer(self.simulator, observation)
        self.num_envs = len(self.simulator)
        self.single_observation_space = self._observer.space
        self.single_action_space = spaces.Discrete(len(ACTIONS))
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._renderer = Renderer(self.simulator) if render_mode is not None else None
        self._begun = False
        self._over = np.zeros(self.num_envs, np.bool_)  # sessions that ended, where the next one has yet to begin

    def reset(
        self, *, seed: int | Sequence[int | None] | NDArray[Any] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a session in every world, or in those of `options["reset_mask"]`.

        A seed s gives world i the seed s + i; a list gives each its own. Further options are lists that say what the
        session of each world should be like: `scene`, `command` and `command_type`.
        """
        given = check_options(options, ("reset_mask", *SESSION_OPTIONS))
        mask, wanted = given.get("reset_mask"), read_session_options(given, self.num_envs)
        if mask is not None and not self._begun:
            raise gym.error.ResetNeeded("the first reset() begins all worlds; call it without reset_mask")
        seeds = self._seeds(seed)
        reset_with_options(self.simulator, wanted, seeds, mask)
        super().reset(seed=seeds[0] if isinstance(seeds, range) else None)  # last: a refused reset changes nothing
        self._begun = True
        reset = np.ones(self.num_envs, np.bool_) if mask is None else np.asarray(mask)
        self._over = self._over & ~reset
        return self._observer.observe(), _with_masks(session_ids(self.simulator.sessions), reset)

    def step(self, actions: NDArray[np.int64]) -> tuple[Observation, NDArray[np.float64], Flags, Flags, dict[str, Any]]:
        """Step every world; where a session ends, the next one begins as the autoreset mode says."""
        self._check_step()
        same_step = self.autoreset_mode is AutoresetMode.SAME_STEP
        rewards, terminated, truncated = self.simulator.step(actions, same_step, self._over)
        info = _with_masks(session_ids(self.simulator.sessions), np.ones(self.num_envs, np.bool_))
        done = terminated | truncated
        if done.any():
            info |= self._final(done, terminated) if same_step else self._results(done, terminated)
        if not same_step:
            self._over = done
        return self._observer.observe(), rewards, terminated, truncated, info

    def text(self, sentences: NDArray[np.integer[Any]]) -> list[str]:
        """The words of numbered sentences, (worlds, 12), such as the observation's `command`."""
        return [self.simulator.grammar.vocabulary.text(sentence) for sentence in sentences]

    def oracle_actions(self) -> NDArray[np.int64]:
        """The first step of a shortest path to the target, in every world."""
        return expert_actions(self.simulator)

    def set_progress(self, progress: float | None) -> None:
        """Fix the progress of the curriculum, from 0 to 1, for later sessions; None counts each world's sessions."""
        self.simulator.set_progress(progress)

    def render(self) -> tuple[NDArray[np.uint8], ...] | None:
        """A picture of each world."""
        if self._renderer is None:
            gym.logger.warn('render() without a render mode; make the environment with render_mode="rgb_array"')
            return None
        if not self._begun:
            raise gym.error.ResetNeeded("call reset() before the first render()")
        return tuple(self._renderer.draw(world) for world in range(self.num_envs))

    def _check_step(self) -> None:
        if not self._begun:
            raise gym.error.ResetNeeded("call reset() before the first step()")
        if self.autoreset_mode is AutoresetMode.DISABLED and self._over.any():
            raise gym.error.ResetNeeded(
                f"the sessions of {self._over.sum()} world(s) are over, the first of them {self._over.argmax()}; "
                f'call reset(options={{"reset_mask": terminated | truncated}}) to begin the next ones'
            )

    def _final(self, done: Flags, terminated: Flags) -> dict[str, Any]:
        """The last observations and infos of sessions that ended in worlds where the next one has begun."""
        sessions = self.simulator.final_sessions
        numbers = session_ids(sessions) | final_numbers(sessions, terminated)
        return {
            "final_obs": self._observer.observe_final(done),
            "_final_obs": done,
            "final_info": _with_masks(_where(done, numbers), done),
            "_final_info": done,
        }

    def _results(self, done: Flags, terminated: Flags) -> dict[str, Any]:
        """What the infos of sessions that ended have in addition, where the next one has not begun."""
        return _with_masks(_where(done, final_numbers(self.simulator.sessions, terminated)), done)

    def _seeds(self, seed: int | Sequence[int | None] | NDArray[Any] | None) -> Sequence[Any] | None:
        """A seed for every world; None lets worlds that have begun continue their random streams."""
        if seed is None:
            return None if self._begun else self._draw_seeds()
        if is_list(seed):
            drawn = self._draw_seeds()
            return [drawn[i % self.num_envs] if given is None else given for i, given in enumerate(seed)]
        first = check_seed("seed", seed)
        return range(first, first + self.num_envs)

    def _draw_seeds(self) -> list[int]:
        return [int(number) for number in self.np_random.integers(2**63, size=self.num_envs)]


def _where(which: Flags, values: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Values where they count, and 0 elsewhere."""
    return {key: array * which for key, array in values.items()}


def _with_masks(values: dict[str, NDArray[Any]], which: Flags) -> dict[str, Any]:
    """Values and, under the same name with an underscore, where they count, as in all vector infos of Gymnasium."""
    return {**values, **{f"_{key}": which.copy() for key in values}}

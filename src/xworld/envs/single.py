"""One world as a Gymnasium environment."""

from pathlib import Path
from typing import Any, ClassVar

import gymnasium as gym
import numpy as np
from gymnasium import Space, spaces

from xworld.envs.arguments import SESSION_OPTIONS, check_options, check_render_mode, load_world, read_session_options
from xworld.envs.observation import Observation, Observer, final_numbers, session_ids, session_words
from xworld.envs.rendering import RENDER_FPS, Renderer, Window, write_map
from xworld.teacher.holdout import Holdout
from xworld.teacher.oracle import expert_actions
from xworld.teacher.reset_options import reset_with_options
from xworld.teacher.settings import TeacherSettings
from xworld.teacher.simulator import Simulator
from xworld.world.cells import ACTIONS
from xworld.world.checks import check_seed


class XWorldEnv(gym.Env[Observation, np.int64]):
    """XWORLD: the agent goes where the teacher says and hears a question at every step. An episode is one session.

    Observations are a dictionary: `pixels` (156, 156, 3) or `tiles` (13, 13), and `command` and `question` as twelve
    word numbers each, 0 where there is no word. Actions are 0 up, 1 down, 2 left, 3 right. The info holds the sentences
    as text, the types of command and question, and the correct answer.

    >>> env = XWorldEnv(observation="tiles")
    >>> observation, info = env.reset(seed=0)
    >>> observation["tiles"].shape, info["command_type"]
    ((13, 13), 'nav_obj')
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "render_modes": ["human", "rgb_array", "ansi"],
        "render_fps": RENDER_FPS,
    }

    def __init__(
        self,
        observation: str = "pixels",
        condition: str | Holdout = "Standard",
        holdout_seed: int = 0,
        curriculum_sessions: int = 0,
        settings: TeacherSettings | None = None,
        pack: str | Path | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.render_mode = check_render_mode(render_mode, self.metadata)
        self.simulator = Simulator(1, *load_world(condition, holdout_seed, pack), settings, curriculum_sessions)
        self._observer = Observer(self.simulator, observation)
        self.observation_space: Space[Observation] = self._observer.space
        self.action_space = spaces.Discrete(len(ACTIONS))
        self._renderer = Renderer(self.simulator) if render_mode in ("rgb_array", "human") else None
        self._window = Window("xworld", RENDER_FPS) if render_mode == "human" else None
        self._begun = False
        self._over = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a session; with a seed, start the world's random stream again.

        Options say what it should be like: `scene`, an `xworld.Scene`; `command`, a sentence; `command_type`.
        """
        wanted = read_session_options(check_options(options, SESSION_OPTIONS))
        super().reset(seed=None if seed is None else check_seed("seed", seed))
        if seed is None and not self._begun:
            seed = int(self.np_random.integers(2**63))
        reset_with_options(self.simulator, wanted, None if seed is None else [seed])
        self._begun, self._over = True, False
        return self._observe()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Take one step: up, down, left or right."""
        if not self._begun:
            raise gym.error.ResetNeeded("call reset() before the first step()")
        if self._over:
            raise gym.error.ResetNeeded("the session is over; call reset() to begin the next one")
        rewards, terminated, truncated = self.simulator.step([action], autoreset=False)
        observation, info = self._observe()
        self._over = bool(terminated[0] or truncated[0])
        if self._over:
            final = final_numbers(self.simulator.sessions, terminated)
            info |= {key: value[0].item() for key, value in final.items()}
        return observation, float(rewards[0]), bool(terminated[0]), bool(truncated[0]), info

    def set_progress(self, progress: float | None) -> None:
        """Fix the progress of the curriculum, from 0 to 1, for later sessions; None counts sessions."""
        self.simulator.set_progress(progress)

    def oracle_action(self) -> int:
        """The first step of a shortest path to the target."""
        return int(expert_actions(self.simulator)[0])

    def render(self) -> Any:
        """A picture or a text; None with `human`, whose window shows it already."""
        if self.render_mode is None:
            gym.logger.warn('render() without a render mode; make the environment with render_mode="rgb_array"')
            return None
        if not self._begun:
            raise gym.error.ResetNeeded("call reset() before the first render()")
        if self.render_mode == "ansi":
            return write_map(self.simulator)
        return self._renderer.draw() if self._renderer and self.render_mode == "rgb_array" else None

    def close(self) -> None:
        """Close the window if there is one."""
        if self._window is not None:
            self._window.close()

    def _observe(self) -> tuple[Observation, dict[str, Any]]:
        """The observation and the info; a window shows the world too."""
        if self._window is not None and self._renderer is not None:
            self._window.show(self._renderer.draw())
        ids = {key: value[0].item() for key, value in session_ids(self.simulator.sessions).items()}
        observation = {key: value[0] for key, value in self._observer.observe().items()}
        return observation, session_words(self.simulator, 0) | ids

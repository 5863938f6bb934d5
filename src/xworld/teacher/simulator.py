"""The simulator: any number of worlds, each with its teacher, stepped together in one call."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from xworld.teacher.curriculum import BY_SESSIONS
from xworld.teacher.grammar import Grammar
from xworld.teacher.holdout import Holdout
from xworld.teacher.rules import Rules, make_rules
from xworld.teacher.session import SESSION, reset, step
from xworld.teacher.settings import TeacherSettings
from xworld.teacher.vocabulary import SENTENCE_LENGTH
from xworld.world.catalogue import Catalogue
from xworld.world.cells import ACTIONS, VIEW
from xworld.world.checks import SettingsError, as_array, check_flag, check_kind, check_number, check_seeds, check_whole
from xworld.world.kernel import Record, ThreadPool, announce_compilation, default_threads, entry, kernel
from xworld.world.kernel_error import compiling
from xworld.world.movement import out_of_time
from xworld.world.rng import seed_streams
from xworld.world.state import WORLD
from xworld.world.view import see

MAX_ENVS, MAX_THREADS = 2**20, 1024
"""Beyond these, memory or the system would give out, with errors that do not say why."""

_SMALLEST_SLICE = 128
"""Fewer worlds than this are not worth a thread of their own."""


class Simulator:
    """Worlds and their sessions, with the verbs of Gymnasium: `reset` begins sessions, `step` moves the agents.

    `tiles`, `commands` and `questions` hold what each agent sees and hears. Every call replaces these arrays, so that
    earlier ones stay unchanged. `worlds` and `sessions` are the full state, which `set_state` restores. World i depends
    on its own seed only, and not on the number of worlds or threads.

    >>> simulator = Simulator(2, settings=TeacherSettings(question_rate=0.5))
    >>> simulator.reset(seeds=[7, 8])
    >>> rewards, terminated, truncated = simulator.step([0, 3])
    >>> simulator.tiles.shape, rewards.shape
    ((2, 13, 13), (2,))
    """

    def __init__(
        self,
        num_envs: int,
        catalogue: Catalogue | None = None,
        holdout: Holdout | None = None,
        settings: TeacherSettings | None = None,
        curriculum_sessions: int = 0,
        threads: int | None = None,
    ) -> None:
        num_envs = check_whole("num_envs", num_envs, 1, MAX_ENVS)
        workers = default_threads() if threads is None else check_whole("threads", threads, 1, MAX_THREADS)
        self.settings = TeacherSettings() if settings is None else check_kind("settings", settings, TeacherSettings)
        self.holdout = Holdout("Standard") if holdout is None else check_kind("holdout", holdout, Holdout)
        self.grammar = Grammar(Catalogue.load() if catalogue is None else check_kind("catalogue", catalogue, Catalogue))
        self.rules: Rules = make_rules(self.grammar, self.holdout, self.settings, curriculum_sessions)
        self.progress = BY_SESSIONS
        self.pool = ThreadPool(workers)
        self.worlds = np.zeros(num_envs, WORLD)
        self.sessions = np.zeros(num_envs, SESSION)
        self.tiles = np.zeros((num_envs, VIEW, VIEW), np.int16)
        self.commands = np.zeros((num_envs, SENTENCE_LENGTH), np.int16)
        self.questions = np.zeros_like(self.commands)
        self.final_tiles = np.zeros_like(self.tiles)
        self.final_sessions = np.zeros_like(self.sessions)
        self._begun = np.zeros(num_envs, np.bool_)

    def __len__(self) -> int:
        return len(self.worlds)

    def set_progress(self, progress: float | None) -> None:
        """Fix the progress of the curriculum, from 0 to 1, for later sessions; None counts each world's sessions."""
        self.progress = BY_SESSIONS if progress is None else check_number("progress", progress, 0, 1)

    def reset(self, seeds: ArrayLike | None = None, mask: ArrayLike | None = None) -> None:
        """Begin a session in every world, or in those of a mask. Seeds, one per world, restart the random streams."""
        chosen = np.ones(len(self), np.bool_) if mask is None else self._check_mask(mask)
        if not chosen.any():
            raise SettingsError(f"an empty mask: expected {len(self)} truth values, at least one of them true")
        if seeds is None and not self._begun[chosen].all():
            raise SettingsError("the first session of a world needs a seed: call reset(seeds=[...])")
        if seeds is not None:
            worlds = self.worlds[chosen]
            seed_streams(worlds, check_seeds(seeds, len(self))[chosen])
            self.worlds[chosen] = worlds
            self.sessions["count"][chosen] = 0
        self._run(_reset_all, chosen, *self._new_arrays())
        self._begun |= chosen

    def set_state(self, worlds: NDArray[np.void], sessions: NDArray[np.void]) -> None:
        """Continue from copies of the `worlds` and `sessions` of a simulator with the same rules."""
        for name, given, own in (("worlds", worlds, self.worlds), ("sessions", sessions, self.sessions)):
            if check_kind(name, given, np.ndarray).shape != own.shape or given.dtype != own.dtype:
                raise SettingsError(f"{name} of shape {given.shape}: expected {own.shape}, with this version's fields")
        self.worlds[:], self.sessions[:] = worlds, sessions
        self._begun[:] = True
        self._run(_reset_all, np.zeros(len(self), np.bool_), *self._new_arrays())

    def step(
        self, actions: ArrayLike | list[Any], autoreset: bool = True, reset_mask: ArrayLike | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_]]:
        """Step every world; returns rewards, terminated (target reached) and truncated (out of time).

        With `autoreset`, the next session begins in the same call; the last view and sentences of the one that ended
        are then in `final_tiles` and `final_sessions`. The worlds of `reset_mask` take no step: they begin their next
        session, with reward 0.
        """
        moves = self._check_actions(actions)
        begins = np.zeros(len(self), np.bool_) if reset_mask is None else self._check_mask(reset_mask)
        if not self._begun.all():
            raise SettingsError("call reset(seeds=[...]) before the first step")
        rewards = np.empty(len(self), np.float64)
        terminated, truncated = np.empty(len(self), np.bool_), np.empty(len(self), np.bool_)
        results = (rewards, terminated, truncated, self.final_tiles, self.final_sessions)
        self._run(_step_all, moves, begins, *self._new_arrays(), *results, extra=(check_flag("autoreset", autoreset),))
        return rewards, terminated, truncated

    def _new_arrays(self) -> tuple[NDArray[Any], ...]:
        """The state, and new arrays for what agents see and hear: the earlier ones belong to the caller."""
        self.tiles = np.empty_like(self.tiles)
        self.commands, self.questions = np.empty_like(self.commands), np.empty_like(self.questions)
        return self.worlds, self.sessions, self.tiles, self.commands, self.questions

    def _check_mask(self, mask: ArrayLike) -> NDArray[np.bool_]:
        chosen = as_array("mask", mask)
        if chosen.shape != (len(self),) or chosen.dtype != np.bool_:
            raise SettingsError(f"a mask of {chosen.dtype} and shape {chosen.shape}: expected {len(self)} truth values")
        return chosen

    def _check_actions(self, actions: ArrayLike | list[Any]) -> NDArray[np.int64]:
        given = as_array("actions", actions)
        if given.shape != (len(self),):
            raise SettingsError(f"actions of shape {given.shape}: expected one for each of the {len(self)} worlds")
        if given.dtype.kind not in "iu":
            raise SettingsError(f"actions of type {given.dtype}: expected whole numbers, 0 to {len(ACTIONS) - 1}")
        if given.min() < 0 or given.max() >= len(ACTIONS):
            wrong = given[(given < 0) | (given >= len(ACTIONS))][0]
            names = ", ".join(f"{number} {name}" for number, name in enumerate(ACTIONS))
            raise SettingsError(f"no action {wrong}; there are {names}")
        return given.astype(np.int64)

    def _run(self, function: Callable[..., int], *arrays: NDArray[Any], extra: tuple[Any, ...] = ()) -> None:
        """Run a kernel, which returns the number of worlds where it failed, over all worlds on all threads."""

        def run(part: slice) -> int:
            return function(*(array[part] for array in arrays), self.rules, self.progress, *extra)

        with announce_compilation(), compiling():
            failures = sum(self.pool.map_slices(run, len(self), _SMALLEST_SLICE))
        if failures:
            raise SettingsError(
                f"in {failures} world(s) no layout allowed any of the commands {self.settings.commands}; "
                f"allow more commands, objects or classes, fewer walls, or hold less out"
            )


@entry
def _reset_all(
    chosen: NDArray[np.bool_],
    worlds: NDArray[np.void],
    sessions: NDArray[np.void],
    tiles: NDArray[np.int16],
    commands: NDArray[np.int16],
    questions: NDArray[np.int16],
    rules: Rules,
    progress: float,
) -> int:
    failures = 0
    for i in range(len(worlds)):
        if chosen[i]:
            failures += not reset(worlds[i], sessions[i], rules, progress)
        see(worlds[i], tiles[i])
        _copy_sentences(sessions[i], commands[i], questions[i])
    return failures


@entry
def _step_all(
    actions: NDArray[np.int64],
    reset_mask: NDArray[np.bool_],
    worlds: NDArray[np.void],
    sessions: NDArray[np.void],
    tiles: NDArray[np.int16],
    commands: NDArray[np.int16],
    questions: NDArray[np.int16],
    rewards: NDArray[np.float64],
    terminated: NDArray[np.bool_],
    truncated: NDArray[np.bool_],
    final_tiles: NDArray[np.int16],
    final_sessions: NDArray[np.void],
    rules: Rules,
    progress: float,
    autoreset: bool,
) -> int:
    failures = 0
    for i in range(len(worlds)):
        world, session, begins = worlds[i], sessions[i], reset_mask[i]
        rewards[i], terminated[i], truncated[i] = 0.0, False, False
        if not begins:
            rewards[i] = step(world, session, rules, actions[i])
            terminated[i], truncated[i] = world.reached, out_of_time(world)
            begins = autoreset and (terminated[i] or truncated[i])
        if begins:
            see(world, final_tiles[i])
            final_sessions[i] = session
            failures += not reset(world, session, rules, progress)
        see(world, tiles[i])
        _copy_sentences(session, commands[i], questions[i])
    return failures


@kernel
def _copy_sentences(session: Record, command: NDArray[np.int16], question: NDArray[np.int16]) -> None:
    for place in range(SENTENCE_LENGTH):
        command[place] = session.command[place]
        question[place] = session.question[place]

"""The simulator: any number of worlds, each with its teacher, stepped together in one call."""

import os
from collections.abc import Callable, Iterable
from operator import index
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from xworld.teacher.curriculum import BY_SESSIONS
from xworld.teacher.grammar import Grammar
from xworld.teacher.holdout import Holdout
from xworld.teacher.rules import Rules, make_rules
from xworld.teacher.session import SESSION, reset, step
from xworld.teacher.settings import SettingsError, TeacherSettings
from xworld.teacher.vocabulary import SENTENCE_LENGTH
from xworld.world.catalogue import Catalogue
from xworld.world.cells import ACTIONS, VIEW
from xworld.world.kernel import Record, ThreadPool, announce_compilation, entry, kernel
from xworld.world.movement import out_of_time
from xworld.world.rng import seed_streams
from xworld.world.state import WORLD
from xworld.world.view import see

SEEDS = 2**64
"""Seeds are whole numbers below this."""

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
        if num_envs < 1:
            raise SettingsError(f"num_envs={num_envs}: expected at least one")
        if settings is not None and not isinstance(settings, TeacherSettings):
            raise SettingsError(f"settings={settings!r}: expected TeacherSettings(...)")
        if threads is not None and threads < 1:
            raise SettingsError(f"threads={threads}: expected at least one")
        self.grammar = Grammar(catalogue or Catalogue.load())
        self.holdout = holdout or Holdout("Standard")
        self.settings = settings or TeacherSettings()
        self.rules: Rules = make_rules(self.grammar, self.holdout, self.settings, curriculum_sessions)
        self.progress = BY_SESSIONS
        self.pool = ThreadPool(threads or os.cpu_count() or 1)
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
        if progress is not None and not 0 <= progress <= 1:
            raise SettingsError(f"progress={progress}: expected a number from 0 to 1, or None")
        self.progress = BY_SESSIONS if progress is None else float(progress)

    def reset(self, seeds: Iterable[Any] | None = None, mask: ArrayLike | None = None) -> None:
        """Begin a session in every world, or in those of a mask. Seeds, one per world, restart the random streams."""
        chosen = self._check_mask(mask)
        if seeds is None and not self._begun[chosen].all():
            raise SettingsError("the first session of a world needs a seed: call reset(seeds=[...])")
        if seeds is not None:
            worlds = self.worlds[chosen]
            seed_streams(worlds, _as_seeds(seeds, len(self))[chosen])
            self.worlds[chosen] = worlds
            self.sessions["count"][chosen] = 0
        self._begun |= chosen
        self._run(_reset_all, chosen, *self._new_arrays())

    def set_state(self, worlds: NDArray[np.void], sessions: NDArray[np.void]) -> None:
        """Continue from copies of the `worlds` and `sessions` of a simulator with the same rules."""
        for name, given, own in (("worlds", worlds, self.worlds), ("sessions", sessions, self.sessions)):
            if given.shape != own.shape or given.dtype != own.dtype:
                raise SettingsError(f"{name} of shape {given.shape}: expected {own.shape}, with this version's fields")
        self.worlds[:], self.sessions[:] = worlds, sessions
        self._begun[:] = True
        self._run(_reset_all, np.zeros(len(self), np.bool_), *self._new_arrays())

    def step(
        self, actions: ArrayLike, autoreset: bool = True
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_]]:
        """Step every world; returns rewards, terminated (target reached) and truncated (out of time).

        With `autoreset`, the next session begins in the same call; the last view and sentences of the one that ended
        are then in `final_tiles` and `final_sessions`.
        """
        moves = self._check_actions(actions)
        if not self._begun.all():
            raise SettingsError("call reset(seeds=[...]) before the first step")
        rewards = np.empty(len(self), np.float64)
        terminated, truncated = np.empty(len(self), np.bool_), np.empty(len(self), np.bool_)
        results = (rewards, terminated, truncated, self.final_tiles, self.final_sessions)
        self._run(_step_all, moves, *self._new_arrays(), *results, extra=(autoreset,))
        return rewards, terminated, truncated

    def _new_arrays(self) -> tuple[NDArray[Any], ...]:
        """The state, and new arrays for what agents see and hear: the earlier ones belong to the caller."""
        self.tiles = np.empty_like(self.tiles)
        self.commands, self.questions = np.empty_like(self.commands), np.empty_like(self.questions)
        return self.worlds, self.sessions, self.tiles, self.commands, self.questions

    def _check_mask(self, mask: ArrayLike | None) -> NDArray[np.bool_]:
        if mask is None:
            return np.ones(len(self), np.bool_)
        chosen = np.asarray(mask)
        if chosen.shape != (len(self),) or chosen.dtype != np.bool_ or not chosen.any():
            raise SettingsError(
                f"a mask of {chosen.dtype} and shape {chosen.shape}: expected {len(self)} truth values, "
                f"at least one of them true"
            )
        return chosen

    def _check_actions(self, actions: ArrayLike) -> NDArray[np.int64]:
        given = np.asarray(actions)
        if given.shape != (len(self),):
            raise ValueError(f"actions of shape {given.shape}: expected one for each of the {len(self)} worlds")
        if not np.issubdtype(given.dtype, np.integer):
            raise ValueError(f"actions of type {given.dtype}: expected whole numbers, 0 to {len(ACTIONS) - 1}")
        moves = given.astype(np.int64)
        if moves.min() < 0 or moves.max() >= len(ACTIONS):
            wrong = moves[(moves < 0) | (moves >= len(ACTIONS))][0]
            names = ", ".join(f"{number} {name}" for number, name in enumerate(ACTIONS))
            raise ValueError(f"no action {wrong}; there are {names}")
        return moves

    def _run(self, function: Callable[..., int], *arrays: NDArray[Any], extra: tuple[Any, ...] = ()) -> None:
        """Run a kernel, which returns the number of worlds where it failed, over all worlds on all threads."""

        def run(part: slice) -> int:
            return function(*(array[part] for array in arrays), self.rules, self.progress, *extra)

        with announce_compilation():
            failures = sum(self.pool.map_slices(run, len(self), _SMALLEST_SLICE))
        if failures:
            raise SettingsError(
                f"in {failures} world(s) no layout allowed any of the commands {self.settings.commands}; "
                f"allow more commands, objects or classes, fewer walls, or hold less out"
            )


def _as_seeds(seeds: Iterable[Any], count: int) -> NDArray[np.uint64]:
    """Check and convert `count` seeds. Nothing is rounded or wrapped."""
    try:
        numbers = [index(seed) for seed in seeds]
    except TypeError as error:
        raise SettingsError(f"seeds={seeds!r}: expected whole numbers, one for each world") from error
    if len(numbers) != count:
        raise SettingsError(f"{len(numbers)} seeds: expected one for each of the {count} worlds")
    if not all(0 <= number < SEEDS for number in numbers):
        raise SettingsError(f"seeds={seeds!r}: expected whole numbers from 0 to 2**64 - 1")
    return np.array(numbers, np.uint64)


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
        world, session = worlds[i], sessions[i]
        rewards[i] = step(world, session, rules, actions[i])
        terminated[i] = world.reached
        truncated[i] = out_of_time(world)
        if autoreset and (terminated[i] or truncated[i]):
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

"""Sessions from their first step to their last, with the greedy policy: what an agent makes of a simulator."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from xworld.agent.model import Model
from xworld.teacher.holdout import Holdout
from xworld.teacher.oracle import shortest_paths
from xworld.teacher.settings import QUESTION_NAMES, TeacherSettings
from xworld.teacher.simulator import Simulator
from xworld.teacher.vocabulary import PADDING
from xworld.world.catalogue import Catalogue
from xworld.world.cells import SIDE

NOWHERE = -1
"""The cell of a session that is over."""
AT_A_TIME = 512
"""Scenes that a model is shown at once: a minibatch of training, so that who could be trained can be tested."""


@dataclass(frozen=True)
class SessionResults:
    """How sessions went, one after the other."""

    commands: NDArray[np.int16]
    """(sessions, 12) What was commanded, in word numbers."""
    arrived: NDArray[np.bool_]
    """(sessions,) Whether the target was terminated in time."""
    shortest: NDArray[np.int64]
    """(sessions,) The least number of steps that would have done."""
    trail: NDArray[np.int64]
    """(sessions, steps) The cell after each step, row x 7 + column; `NOWHERE` once a session is over."""
    right: NDArray[np.int64]
    """Right answers by type of question."""
    asked: NDArray[np.int64]
    """Questions by their type."""

    @property
    def steps(self) -> NDArray[np.int64]:
        """(sessions,) How many steps were taken."""
        return np.array(np.count_nonzero(self.trail != NOWHERE, axis=1), np.int64)


def begin_sessions(
    seeds: Iterable[Any], catalogue: Catalogue | None, settings: TeacherSettings, holdout: Holdout | None = None
) -> Simulator:
    """A simulator with one world for each seed, its session begun; nothing is held out unless a hold-out is given.

    >>> simulator = begin_sessions([7, 9], None, TeacherSettings(commands=("nav_obj",)))
    >>> len(simulator)
    2
    """
    chosen = list(seeds)
    simulator = Simulator(len(chosen), catalogue, holdout, settings)
    simulator.reset(chosen)
    return simulator


def without_questions(settings: TeacherSettings, command: str) -> TeacherSettings:
    """Settings for sessions of one type of command in which only the way counts.

    Questions are chosen after the command, so a seed gives the same map and the same command with and without them.
    """
    return replace(settings, commands=(command,), question_rate=0.0)


@torch.no_grad()
def run_sessions(agent: Model, simulator: Simulator, uncounted: int = PADDING) -> SessionResults:
    """Lead all sessions of a simulator to their end at once. One that has ended is asked nothing more.

    Questions to which the word of the number `uncounted` is the answer do not count.
    """
    sessions, commands = len(simulator), simulator.commands.copy()
    shortest, trail = shortest_paths(simulator), []
    going, arrived = np.ones(sessions, np.bool_), np.zeros(sessions, np.bool_)
    right, asked = np.zeros(len(QUESTION_NAMES), np.int64), np.zeros(len(QUESTION_NAMES), np.int64)
    while going.any():
        actions, answers = np.zeros(sessions, np.int64), np.zeros(sessions, np.int64)
        # On a GPU all respond, also where a session has ended: new sizes cost more there than they save.
        asking = np.ones_like(going) if agent.atlas.is_cuda else going
        actions[asking], answers[asking] = respond(agent, simulator, np.flatnonzero(asking))
        kinds = simulator.sessions["question_type"]
        counted = going & (kinds >= 0) & (simulator.sessions["answer"] != uncounted)
        asked += np.bincount(kinds[counted], minlength=len(asked))
        right += np.bincount(kinds[counted & (answers == simulator.sessions["answer"])], minlength=len(right))
        _, terminated, truncated = simulator.step(actions, autoreset=False)
        trail.append(np.where(going, _cells_of_agents(simulator), NOWHERE))
        arrived |= going & terminated
        going &= ~(terminated | truncated)
    return SessionResults(commands, arrived, shortest, np.stack(trail, axis=1), right, asked)


def respond(
    agent: Model, simulator: Simulator, worlds: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The greedy action and the likeliest answer in some worlds; where questions are never asked, no word."""
    parts = [
        _respond(agent, simulator, worlds[start : start + AT_A_TIME]) for start in range(0, len(worlds), AT_A_TIME)
    ]
    actions, answers = zip(*parts, strict=True)
    return np.concatenate(actions), np.concatenate(answers)


def _respond(
    agent: Model, simulator: Simulator, worlds: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    device = agent.atlas.device
    tiles, commands, questions = (
        torch.from_numpy(array[worlds]).to(device)
        for array in (simulator.tiles, simulator.commands, simulator.questions)
    )
    if simulator.settings.question_rate == 0:
        logits, _ = agent.act(tiles, commands)
        return logits.argmax(dim=1).cpu().numpy(), np.full(len(worlds), PADDING)
    logits, _, scores, *_ = agent.respond(tiles, commands, questions)
    return logits.argmax(dim=1).cpu().numpy(), scores.argmax(dim=1).cpu().numpy()


def _cells_of_agents(simulator: Simulator) -> NDArray[np.int64]:
    cells: NDArray[np.int64] = simulator.worlds["agent_row"] * SIDE + simulator.worlds["agent_column"]
    return cells

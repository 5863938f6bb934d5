"""Test sessions: how often the agent arrives in time, how direct its ways are, and how often it answers rightly."""

from dataclasses import dataclass, replace

import numpy as np
import torch

from xworld.agent.agent import Agent
from xworld.evaluation import TEST_SEED
from xworld.evaluation.intervals import Rate
from xworld.teacher.oracle import shortest_paths
from xworld.teacher.school import School
from xworld.teacher.settings import QUESTION_NAMES, TeacherSettings
from xworld.world.catalogue import Catalogue


@dataclass(frozen=True)
class Report:
    """The outcome of test sessions at full difficulty, with the greedy policy."""

    success: dict[str, Rate]
    """By type of command."""
    recognition: dict[str, Rate]
    """By type of question."""
    path_efficiency: float
    """Steps of the shortest ways over steps taken, in sessions that succeeded."""

    @property
    def overall(self) -> Rate:
        """Success over all sessions; they are balanced over the types."""
        return sum(self.success.values(), start=Rate(0, 0))

    @property
    def overall_recognition(self) -> Rate:
        """Right answers over all questions."""
        return sum(self.recognition.values(), start=Rate(0, 0))


def evaluate(
    agent: Agent,
    sessions: int = 10_000,
    seed: int = TEST_SEED,
    catalogue: Catalogue | None = None,
    settings: TeacherSettings | None = None,
) -> Report:
    """Test an agent in sessions that are balanced over the types of command."""
    settings = settings or TeacherSettings()
    each = -(-sessions // len(settings.commands))
    parts = {
        name: _test_one(agent, each, seed, catalogue, replace(settings, commands=(name,))) for name in settings.commands
    }
    return Report(
        success={name: part.success for name, part in parts.items()},
        recognition={
            name: sum((part.recognition[name] for part in parts.values()), start=Rate(0, 0))
            for name in settings.questions
        },
        path_efficiency=sum(part.shortest for part in parts.values())
        / max(1, sum(part.taken for part in parts.values())),
    )


@dataclass(frozen=True)
class _Part:
    success: Rate
    recognition: dict[str, Rate]
    shortest: int
    taken: int


@torch.no_grad()
def _test_one(agent: Agent, sessions: int, seed: int, catalogue: Catalogue | None, settings: TeacherSettings) -> _Part:
    """Sessions of one type of command, all at once. A session that has ended is asked nothing more."""
    school = School(sessions, catalogue, settings=settings)
    school.begin(range(seed, seed + sessions))
    shortest = shortest_paths(school)
    going, arrived = np.ones(sessions, np.bool_), np.zeros(sessions, np.bool_)
    steps = np.zeros(sessions, np.int64)
    right, asked = np.zeros(len(QUESTION_NAMES), np.int64), np.zeros(len(QUESTION_NAMES), np.int64)
    while going.any():
        actions, answers = np.zeros(sessions, np.int64), np.zeros(sessions, np.int64)
        # On a GPU all respond, also where a session has ended: new sizes cost more there than they save.
        asking = np.ones_like(going) if agent.atlas.is_cuda else going
        actions[asking], answers[asking] = _respond(agent, school, np.flatnonzero(asking))
        kinds = school.lessons["question_type"]
        counted = going & (kinds >= 0)
        asked += np.bincount(kinds[counted], minlength=len(asked))
        right += np.bincount(kinds[counted & (answers == school.lessons["answer"])], minlength=len(right))
        _, reached, late = school.step(actions, autoreset=False)
        steps += going
        arrived |= going & reached
        going &= ~(reached | late)
    return _Part(
        success=Rate(int(arrived.sum()), sessions),
        recognition={
            name: Rate(int(hits), int(trials)) for name, hits, trials in zip(QUESTION_NAMES, right, asked, strict=True)
        },
        shortest=int(shortest[arrived].sum()),
        taken=int(steps[arrived].sum()),
    )


def _respond(agent: Agent, school: School, worlds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The greedy action and the likeliest answer in some worlds."""
    device = agent.atlas.device
    tiles, commands, questions = (
        torch.from_numpy(array[worlds]).to(device) for array in (school.tiles, school.commands, school.questions)
    )
    logits, _, scores = agent.act_and_answer(tiles, commands, questions)
    return logits.argmax(dim=1).cpu().numpy(), scores.argmax(dim=1).cpu().numpy()

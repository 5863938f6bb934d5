"""Test sessions: how often the agent arrives in time, how direct its ways are, and how often it answers rightly."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from xworld.agent.model import Model
from xworld.evaluation import TEST_SEED
from xworld.evaluation.minimal_pairs import PairRates
from xworld.evaluation.nouns import NounRates, success_by_noun
from xworld.evaluation.rate import Rate
from xworld.evaluation.sessions import SessionResults, begin_sessions, run_sessions
from xworld.teacher.settings import QUESTION_NAMES, TeacherSettings
from xworld.world.catalogue import Catalogue


@dataclass(frozen=True)
class EvaluationReport:
    """The outcome of test sessions at full difficulty, with the greedy policy."""

    success: dict[str, Rate]
    """By type of command."""
    recognition: dict[str, Rate]
    """By type of question."""
    path_efficiency: float
    """Steps of the shortest ways over steps taken, in sessions that succeeded."""
    nouns: Mapping[str, NounRates] = field(default_factory=dict)
    """By noun of the command, if asked for; see `nouns`."""
    starred: Mapping[str, Rate] = field(default_factory=dict)
    """Success by type of command, in sessions whose commands were held out of training; see `zero_shot`."""
    minimal_pairs: Mapping[str, PairRates] = field(default_factory=dict)
    """By type of command, in pairs of sessions that differ in one noun; see `minimal_pairs`."""

    @property
    def overall(self) -> Rate:
        """Success over all sessions; they are balanced over the types."""
        return sum(self.success.values(), start=Rate(0, 0))

    @property
    def overall_recognition(self) -> Rate:
        """Right answers over all questions."""
        return sum(self.recognition.values(), start=Rate(0, 0))


def evaluate(
    agent: Model,
    sessions: int = 10_000,
    seed: int = TEST_SEED,
    catalogue: Catalogue | None = None,
    settings: TeacherSettings | None = None,
    nouns: bool = False,
) -> EvaluationReport:
    """Test an agent in sessions that are balanced over the types of command; if wished, also noun by noun.

    >>> from xworld.training.pretrained import load_agent
    >>> agent, provenance = load_agent()
    >>> evaluate(agent, sessions=40).overall
    Rate(hits=40, trials=40)
    """
    catalogue, settings = catalogue or Catalogue.load(), settings or TeacherSettings()
    each = -(-sessions // len(settings.commands))
    outcomes = {
        name: run_sessions(
            agent, begin_sessions(range(seed, seed + each), catalogue, replace(settings, commands=(name,)))
        )
        for name in settings.commands
    }
    by_noun = success_by_noun(outcomes, catalogue) if nouns else {}
    return replace(report_on(outcomes, settings), nouns=by_noun)


def report_on(outcomes: Mapping[str, SessionResults], settings: TeacherSettings) -> EvaluationReport:
    """What came of sessions, by the type of their command."""
    answers = _count_answers(list(outcomes.values()))
    ways = [(outcome.shortest[outcome.arrived], outcome.steps[outcome.arrived]) for outcome in outcomes.values()]
    return EvaluationReport(
        success={name: Rate(int(outcome.arrived.sum()), len(outcome.arrived)) for name, outcome in outcomes.items()},
        recognition={name: answers[name] for name in settings.questions},
        path_efficiency=int(sum(shortest.sum() for shortest, _ in ways))
        / max(1, int(sum(taken.sum() for _, taken in ways))),
    )


def _count_answers(outcomes: list[SessionResults]) -> dict[str, Rate]:
    """Right answers by type of question, over all sessions."""
    right = np.sum([outcome.right for outcome in outcomes], axis=0)
    asked = np.sum([outcome.asked for outcome in outcomes], axis=0)
    return {name: Rate(int(hits), int(trials)) for name, hits, trials in zip(QUESTION_NAMES, right, asked, strict=True)}

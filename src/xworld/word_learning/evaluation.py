"""The effects of teaching a word: success with the new word, and what the agent forgot.

A new object can also distract: it is on the map, and no sentence names it. The original agent has no picture of it, so
its baseline is the same map with a stand-in: a known object of the same color, of a class that is not on the map.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray

from xworld.agent.agent import Agent
from xworld.evaluation.rate import Rate
from xworld.evaluation.report import EvaluationReport
from xworld.evaluation.sessions import begin_sessions, find_sessions, run_sessions
from xworld.evaluation.splits import SplitName, first_seed
from xworld.evaluation.success import evaluate, report_on
from xworld.evaluation.zero_shot import evaluate_zero_shot
from xworld.teacher.rules import available_command_types
from xworld.teacher.settings import TeacherSettings
from xworld.teacher.simulator import Simulator
from xworld.word_learning.questions import answer_only_holdout, has_class
from xworld.word_learning.taught_agent import TaughtAgent
from xworld.world.state import FIRST_OBJECT


@dataclass(frozen=True)
class ForgettingReport:
    """Commands and questions without the new word, before and after teaching, in the same sessions."""

    before: EvaluationReport
    after: EvaluationReport

    @property
    def drops(self) -> dict[str, float]:
        """The drop of each type of command and question in percentage points; negative for a gain."""
        before, after = ({**report.success, **report.recognition} for report in (self.before, self.after))
        return {name: _drop(rate, after[name]) for name, rate in before.items() if rate.trials and after[name].trials}

    @property
    def largest_drop(self) -> tuple[str, float]:
        """The type with the largest drop, and the drop."""
        return max(self.drops.items(), key=lambda drop: drop[1])

    @property
    def overall_drop(self) -> float:
        """The drop of all commands or of all answers, whichever is larger; negative if both gained."""
        before, after = ((report.overall, report.overall_recognition) for report in (self.before, self.after))
        pairs = zip(before, after, strict=True)
        return max(_drop(was, now) for was, now in pairs if was.trials and now.trials)


def _drop(before: Rate, after: Rate) -> float:
    return 100 * (before.value - after.value)


def evaluate_word(taught: TaughtAgent, sessions: int = 300, split: SplitName = "validation") -> dict[str, Rate]:
    """Success by type of command, over sessions whose command has the new word, which no command had before."""
    return evaluate_zero_shot(taught.agent, answer_only_holdout((taught.word,)), sessions, split, taught.catalogue)


def evaluate_forgetting(
    taught: TaughtAgent, sessions: int = 2_000, split: SplitName = "validation", before: EvaluationReport | None = None
) -> ForgettingReport:
    """All other commands and questions, on maps without the new object.

    Only answers can drop there. For commands on maps with it, see `evaluate_distractor`. To save time, pass the report
    from before teaching, over as many sessions of the same split.
    """
    base = taught.base_catalogue
    commands = available_command_types(base, TeacherSettings())
    known = TeacherSettings(classes=(1, len(base.classes)), commands=tuple(commands))  # no map has the new object
    return ForgettingReport(
        before=before or evaluate(taught.base, sessions, split, base, known),
        after=evaluate(taught.agent, sessions, split, taught.catalogue, known),
    )


def evaluate_distractor(
    taught: TaughtAgent, sessions: int = 2_000, split: SplitName = "validation"
) -> ForgettingReport:
    """All other commands and questions, on maps with the new object; before teaching, with the stand-in.

    Both in about `sessions` sessions from the same seeds: the same maps, commands and first questions. Questions whose
    answer is the new word do not count.
    """
    seeds = find_distractor_sessions(taught, sessions, first_seed(split))
    agents = base_with_stand_in(taught), taught.agent
    return ForgettingReport(*(_run_sessions(agent, taught, seeds, split) for agent in agents))


def base_with_stand_in(taught: TaughtAgent) -> Agent:
    """The agent before teaching; to it, every picture of the new object looks like the stand-in."""
    agent, pictures = taught.base, taught.catalogue.tiles - taught.tile
    agent.atlas = torch.cat([agent.atlas, agent.atlas[[taught.stand_in_tile] * pictures]])
    return agent


def find_distractor_sessions(taught: TaughtAgent, sessions: int, seed: int) -> dict[str, NDArray[np.uint64]]:
    """By type of command, seeds of sessions with the new object and nothing of the stand-in's class on the map."""
    settings, holdout = TeacherSettings(), answer_only_holdout((taught.word,))
    new, known = (taught.catalogue.instance_class[tile - FIRST_OBJECT] for tile in (taught.tile, taught.stand_in_tile))

    def wanted(simulator: Simulator) -> NDArray[np.bool_]:
        return has_class(simulator, new) & ~has_class(simulator, known)

    commands = available_command_types(taught.catalogue, settings)
    count = -(-sessions // len(commands))
    return {
        name: find_sessions(wanted, count, seed, taught.catalogue, replace(settings, commands=(name,)), holdout)
        for name in commands
    }


def _run_sessions(
    agent: Agent, taught: TaughtAgent, seeds: Mapping[str, NDArray[np.uint64]], split: SplitName
) -> EvaluationReport:
    settings, holdout = TeacherSettings(), answer_only_holdout((taught.word,))
    new_word = len(taught.agent.words.embeddings) - 1  # the last
    results = {}
    for name, found in seeds.items():
        if len(found):
            simulator = begin_sessions(found, taught.catalogue, replace(settings, commands=(name,)), holdout)
            results[name] = run_sessions(agent, simulator, ignored_answer=new_word)
    return report_on(results, settings, split)

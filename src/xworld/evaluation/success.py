"""Evaluation in test sessions: success, path efficiency and recognition."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from xworld.evaluation.content_words import read_meanings
from xworld.evaluation.failures import find_failures
from xworld.evaluation.minimal_pairs import evaluate_minimal_pairs
from xworld.evaluation.rate import Rate
from xworld.evaluation.report import EvaluationReport, NounRates
from xworld.evaluation.responders import as_responder
from xworld.evaluation.sessions import SessionResults, begin_sessions, run_sessions
from xworld.evaluation.splits import SplitName, first_seed
from xworld.evaluation.zero_shot import evaluate_zero_shot
from xworld.teacher.grammar import Grammar
from xworld.teacher.holdout import Holdout
from xworld.teacher.rules import available_command_types
from xworld.teacher.settings import QUESTION_NAMES, TeacherSettings
from xworld.world.catalogue import Catalogue
from xworld.world.checks import check_kind, check_whole


def evaluate(
    agent: Any,
    sessions: int = 10_000,
    split: SplitName = "validation",
    catalogue: Catalogue | None = None,
    settings: TeacherSettings | None = None,
    nouns: bool = False,
    holdout: Holdout | None = None,
    minimal_pairs: bool = False,
    observation: str | None = None,
    failures: bool = False,
) -> EvaluationReport:
    """Test a policy in sessions that are balanced over the types of command.

    The policy is an agent, a model of Stable-Baselines3, or any function of observations, stacked over worlds; they are
    of `pixels` or `tiles`, as `observation` says. It has no memory: it is shown the worlds that are still under way. If
    it has a method `answer`, its answers count too.

    `split` says which sessions: those of `validation` for every choice, those of `test` for what is reported.

    With a hold-out it is tested with held-out commands too, and on request in minimal pairs, a tenth as many of each
    type. `nouns` asks for success noun by noun, `failures` for the causes of failed sessions.

    >>> import xworld
    >>> xworld.evaluate(xworld.load_agent(), sessions=40).overall
    Rate(hits=40, trials=40)
    >>> always_up = lambda observation: np.zeros(len(observation["command"]), int)
    >>> xworld.evaluate(always_up, sessions=40).overall.value < 0.3
    True
    """
    responder, few = as_responder(agent, observation), max(1, check_whole("sessions", sessions, 1) // 10)
    catalogue = catalogue or getattr(agent, "catalogue", None) or Catalogue.load()  # an agent knows its own objects
    check_kind("catalogue", catalogue, Catalogue)
    settings = check_kind("settings", settings or TeacherSettings(), TeacherSettings)
    if holdout is not None:
        check_kind("holdout", holdout, Holdout)
    commands, seed = available_command_types(catalogue, settings), first_seed(split)
    seeds = range(seed, seed + -(-sessions // len(commands)))
    results = {
        name: run_sessions(responder, begin_sessions(seeds, catalogue, replace(settings, commands=(name,))))
        for name in commands
    }
    test = few, split, catalogue, settings
    return replace(
        report_on(results, settings, split),
        nouns=success_by_noun(results, catalogue) if nouns else {},
        starred=evaluate_zero_shot(responder, holdout, *test) if holdout is not None else {},
        minimal_pairs=evaluate_minimal_pairs(responder, *test) if minimal_pairs else {},
        failures=find_failures(responder, results, seeds, catalogue, settings) if failures else None,
    )


def report_on(results: Mapping[str, SessionResults], settings: TeacherSettings, split: SplitName) -> EvaluationReport:
    """A report from the results of sessions, given by type of command."""
    correct = np.sum([result.correct for result in results.values()], axis=0)
    asked = np.sum([result.asked for result in results.values()], axis=0)
    places = {name: QUESTION_NAMES.index(name) for name in settings.questions}
    shortest = sum(int(result.shortest[result.success].sum()) for result in results.values())
    taken = sum(int(result.steps[result.success].sum()) for result in results.values())
    return EvaluationReport(
        success={name: Rate(int(result.success.sum()), len(result.success)) for name, result in results.items()},
        recognition={name: Rate(int(correct[place]), int(asked[place])) for name, place in places.items()},
        path_efficiency=shortest / max(1, taken),
        split=split,
    )


def success_by_noun(results: Mapping[str, SessionResults], catalogue: Catalogue) -> dict[str, NounRates]:
    """Success with each noun by type of command, the noun with the worst type first.

    An agent that often fails does so with a few nouns, and with those in one type of command. A command with two nouns
    counts for both. Types in which a noun did not occur are left out.
    """
    nouns: dict[str, NounRates] = {noun: {} for noun in catalogue.classes}
    for command, result in results.items():
        meanings = read_meanings(result.commands, Grammar(catalogue))
        for place, noun in enumerate(catalogue.classes):
            named = (meanings.object == place) | (meanings.second == place)
            if named.any():
                nouns[noun][command] = Rate(int(result.success[named].sum()), int(named.sum()))
    heard = {noun: rates for noun, rates in nouns.items() if rates}
    return dict(sorted(heard.items(), key=lambda item: min(rate.value for rate in item[1].values())))

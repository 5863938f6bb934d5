"""The rules of a simulator: a catalogue, a hold-out and the teacher's settings as tables that kernels read."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xworld.teacher.choice import WORDING
from xworld.teacher.commands import COMMANDS
from xworld.teacher.curriculum import make_curriculum
from xworld.teacher.grammar import Grammar
from xworld.teacher.holdout import Holdout
from xworld.teacher.questions import QUESTIONS
from xworld.teacher.settings import TeacherSettings
from xworld.teacher.vocabulary import NOTHING
from xworld.world.catalogue import Catalogue
from xworld.world.cells import DIRECTIONS
from xworld.world.checks import SettingsError
from xworld.world.layout import Instances
from xworld.world.movement import Rewards


class Rules(NamedTuple):
    """Everything that kernels read and never change. Records are arrays of length one."""

    params: NDArray[np.void]
    phrasebook: NDArray[np.void]
    curriculum: NDArray[np.void]
    rewards: Rewards
    instances: Instances
    object_words: NDArray[np.int64]
    banned_in_commands: NDArray[np.bool_]
    banned_in_questions: NDArray[np.bool_]


def make_rules(grammar: Grammar, holdout: Holdout, settings: TeacherSettings, curriculum_sessions: int) -> Rules:
    """The rules of a simulator."""
    catalogue = grammar.catalogue
    commands = available_command_types(catalogue, settings)
    return Rules(
        params=_make_params(grammar, settings, commands),
        phrasebook=grammar.phrasebook,
        curriculum=make_curriculum(catalogue, holdout, settings, curriculum_sessions, commands),
        rewards=settings.rewards,
        instances=catalogue.instances,
        object_words=grammar.vocabulary.numbers(catalogue.classes),
        banned_in_commands=holdout.banned_in_commands(catalogue),
        banned_in_questions=holdout.banned_in_questions(catalogue),
    )


def _params_type() -> np.dtype[np.void]:
    """The teacher's settings and the types of sentence, by number; where they are named alike, `TeacherSettings`,
    `Command` and `Question` explain them.
    """
    commands, questions = (len(COMMANDS),), (len(QUESTIONS),)
    most_answers = max(1, *(len(question.answers) for question in QUESTIONS))
    return np.dtype(
        [
            ("wording", WORDING),
            ("command_types", np.int64, commands),  # those in use
            ("command_type_count", np.int64),
            ("objects_needed", np.int64, commands),
            ("arrangement", np.int64, commands),
            ("look_alikes", np.int64, commands),
            ("question_weights", np.float64, questions),  # how often each is asked, relative to the others
            ("scene_needs", np.int64, questions),
            ("answers", np.int64, (*questions, most_answers)),  # word numbers
            ("question_rate", np.float64),
            ("clustered", np.float64),
            ("lined", np.float64),
        ],
        align=True,
    )


def _make_params(grammar: Grammar, settings: TeacherSettings, commands: list[str]) -> NDArray[np.void]:
    params = np.zeros(1, _params_type())
    params["command_types"][0, : len(commands)] = [COMMANDS.names.index(name) for name in commands]
    params["command_type_count"] = len(commands)
    for name in ("objects_needed", "arrangement", "look_alikes"):
        params[name] = [getattr(command, name) for command in COMMANDS]
    params["question_weights"] = [
        question.weight**settings.rare_first * (question.name in settings.questions) for question in QUESTIONS
    ]
    params["scene_needs"] = [question.scene_needs for question in QUESTIONS]
    for number, question in enumerate(QUESTIONS):
        params["answers"][0, number, : len(question.answers)] = grammar.vocabulary.numbers(question.answers)
    for name in ("question_rate", "clustered", "lined"):
        params[name] = getattr(settings, name)
    params["wording"] = _make_wording(grammar, settings)
    return params


def _make_wording(grammar: Grammar, settings: TeacherSettings) -> NDArray[np.void]:
    wording = np.zeros(1, WORDING)
    wording["direction_words"] = grammar.vocabulary.numbers(DIRECTIONS)
    colors = grammar.catalogue.colors
    wording["color_words"][:, : len(colors)] = grammar.vocabulary.numbers(colors)
    wording["nothing"] = grammar.vocabulary.number(NOTHING)
    wording["rows_only"] = settings.between_rows_only
    wording["nothing_rate"] = settings.nothing_rate
    return wording


def available_command_types(catalogue: Catalogue, settings: TeacherSettings) -> list[str]:
    """The types of command in use, without those that no layout of this catalogue allows."""
    possible = [
        command.name
        for command in (COMMANDS[COMMANDS.names.index(name)] for name in settings.commands)
        if settings.objects[1] >= command.objects_needed
        and (len(catalogue.classes) >= 2 or "second" not in command.slots)
        and (_has_look_alikes(catalogue) or not command.look_alikes)
    ]
    if not possible:
        raise SettingsError(
            f"commands={settings.commands}: none of them can be given with {settings.objects[1]} object(s) on the map "
            f"and a catalogue of {len(catalogue.classes)} class(es) and {len(catalogue.instance_class)} instance(s)"
        )
    return possible


def _has_look_alikes(catalogue: Catalogue) -> bool:
    """Whether two instances share either a class or a named color, but not both."""
    instances = set(zip(catalogue.instance_color, catalogue.instance_class, strict=True))
    return any(
        color >= 0 and (color == other_color) != (kind == other_kind)
        for color, kind in instances
        for other_color, other_kind in instances
    )

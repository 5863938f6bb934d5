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
from xworld.teacher.settings import COMMAND_NAMES, TeacherSettings
from xworld.teacher.vocabulary import NOTHING
from xworld.world.catalogue import COLORS, Catalogue
from xworld.world.cells import DIRECTIONS
from xworld.world.checks import SettingsError
from xworld.world.layout import Instances
from xworld.world.movement import Rewards

TEACHER_PARAMS = np.dtype(
    [
        ("wording", WORDING),
        ("command_types", np.int64, (len(COMMANDS),)),  # those in use, as indices into `COMMANDS`
        ("command_type_count", np.int64),
        ("question_weights", np.float64, (len(QUESTIONS),)),  # how often each is asked, relative to the others
        ("question_rate", np.float64),
        ("clustered", np.float64),
        ("lined", np.float64),
    ],
    align=True,
)
"""The teacher's settings as kernels read them; `TeacherSettings` explains those of the same names."""


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
    commands = possible_commands(catalogue, settings)
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


def _make_params(grammar: Grammar, settings: TeacherSettings, commands: list[str]) -> NDArray[np.void]:
    params = np.zeros(1, TEACHER_PARAMS)
    params["command_types"][0, : len(commands)] = [COMMAND_NAMES.index(name) for name in commands]
    params["command_type_count"] = len(commands)
    params["question_weights"] = [
        question.weight**settings.rare_first * (question.name in settings.questions) for question in QUESTIONS
    ]
    for name in ("question_rate", "clustered", "lined"):
        params[name] = getattr(settings, name)
    wording = params["wording"]
    wording["direction_words"] = grammar.vocabulary.numbers(DIRECTIONS)
    wording["color_words"] = grammar.vocabulary.numbers(COLORS)
    wording["nothing"] = grammar.vocabulary.number(NOTHING)
    wording["rows_only"] = settings.between_rows_only
    wording["nothing_rate"] = settings.nothing_rate
    return params


def possible_commands(catalogue: Catalogue, settings: TeacherSettings) -> list[str]:
    """The types of command in use, without those that no layout of this catalogue allows."""
    impossible = set()
    if settings.objects[1] < 2 or len(catalogue.classes) < 2:
        impossible.add("nav_bw_obj")
    if settings.objects[1] < 2 or not _has_look_alikes(catalogue):
        impossible.add("nav_col_obj")
    possible = [name for name in settings.commands if name not in impossible]
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

"""From settings to rules: what a catalogue, a hold-out and the teacher's settings come to, as tables for kernels."""

import numpy as np
from numpy.typing import NDArray

from xworld.teacher.commands import COMMANDS
from xworld.teacher.curriculum import make_curriculum
from xworld.teacher.grammar import Grammar
from xworld.teacher.holdout import Holdout
from xworld.teacher.questions import QUESTIONS
from xworld.teacher.session import TEACHER_PARAMS, Rules
from xworld.teacher.settings import COMMAND_NAMES, SettingsError, TeacherSettings
from xworld.teacher.vocabulary import NOTHING
from xworld.world.catalogue import COLORS, Catalogue
from xworld.world.cells import DIRECTIONS
from xworld.world.movement import Rewards


def make_rules(grammar: Grammar, holdout: Holdout, settings: TeacherSettings, curriculum_sessions: int) -> Rules:
    """The rules of a simulator."""
    catalogue = grammar.catalogue
    return Rules(
        params=_make_params(grammar, settings),
        phrasebook=grammar.phrasebook,
        curriculum=_make_curriculum(grammar, holdout, settings, curriculum_sessions),
        rewards=Rewards(*(float(reward) for reward in settings.rewards)),
        instances=catalogue.instances,
        object_words=grammar.vocabulary.numbers(catalogue.classes),
        banned_in_commands=holdout.banned_in_commands(catalogue),
        banned_in_questions=holdout.banned_in_questions(catalogue),
    )


def _make_curriculum(grammar: Grammar, holdout: Holdout, settings: TeacherSettings, sessions: int) -> NDArray[np.void]:
    """The curriculum, begun no lower than some command can be given: enough objects, and classes that may be named."""
    curriculum = make_curriculum(settings, len(grammar.catalogue.classes), sessions)
    in_use = _possible_commands(grammar.catalogue, settings)
    fewest = min(command.objects_needed for command in COMMANDS if command.name in in_use)
    curriculum["objects"] = np.maximum(curriculum["objects"], fewest)
    speakable = ~np.isin(grammar.catalogue.classes, holdout.objects)
    named = np.flatnonzero(speakable)[: curriculum["classes"][0, 0]]
    if len(named):
        curriculum["classes"] = np.maximum(curriculum["classes"], named[-1] + 1)
    return curriculum


def _make_params(grammar: Grammar, settings: TeacherSettings) -> NDArray[np.void]:
    commands = _possible_commands(grammar.catalogue, settings)
    params = np.zeros(1, TEACHER_PARAMS)
    params["command_types"][0, : len(commands)] = [COMMAND_NAMES.index(name) for name in commands]
    params["command_type_count"] = len(commands)
    params["question_weights"] = [
        question.weight**settings.rare_first * (question.name in settings.questions) for question in QUESTIONS
    ]
    params["question_rate"] = settings.question_rate
    params["clustered"] = settings.clustered
    params["lined"] = settings.lined
    wording = params["wording"]
    wording["direction_words"] = grammar.vocabulary.numbers(DIRECTIONS)
    wording["color_words"] = grammar.vocabulary.numbers(COLORS)
    wording["nothing"] = grammar.vocabulary.number(NOTHING)
    wording["rows_only"] = settings.between_rows_only
    wording["nothing_rate"] = settings.nothing_rate
    return params


def _possible_commands(catalogue: Catalogue, settings: TeacherSettings) -> list[str]:
    """The types of command in use, less those that no layout of this catalogue allows."""
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
    """Whether two instances share a class or a named color but not both, so that color and name single one out."""
    instances = set(zip(catalogue.instance_color, catalogue.instance_class, strict=True))
    return any(
        color >= 0 and (color == other_color) != (kind == other_kind)
        for color, kind in instances
        for other_color, other_kind in instances
    )

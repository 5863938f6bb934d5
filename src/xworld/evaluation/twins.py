"""Twins: two sessions on one map whose commands differ in a single noun. Who does not heed nouns fails one of them.

The paper found that a network without word attention obeys `nav_bw_obj` without detecting classes, because a map
mostly has one gap between two objects. Rates of success do not show that; twins do. A twin is a test session whose
command has another object of the map in the place of one noun, all else being equal, and is true with another target.

Walking over both targets must not count as having understood. Two twins are told apart if each target is reached in
time and before the other one's: of two walks that begin alike, and go on alike where the noun is not heeded, only one
can do that. Pairs with one target on a shortest way to the other are left out, so that the shortest ways always can.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from xworld.agent.model import Model
from xworld.evaluation import TEST_SEED
from xworld.evaluation.intervals import Rate
from xworld.evaluation.meaning import order_of_nouns, read_meanings
from xworld.evaluation.search import find_sessions
from xworld.evaluation.sessions import begin_sessions, walk, without_questions
from xworld.teacher.oracle import every_command, way_lengths
from xworld.teacher.school import School
from xworld.teacher.settings import TeacherSettings
from xworld.world.catalogue import Catalogue
from xworld.world.cells import SIDE
from xworld.world.state import FLOOR


@dataclass(frozen=True)
class TwinRates:
    """What became of pairs of twins."""

    told_apart: Rate
    """Of all pairs: each of the two targets was reached in time, and before the other one's."""
    both: Rate
    """Of all pairs: each target was reached in time, on whatever way."""
    single: Rate
    """Of all sessions, two a pair: the target was reached in time."""


def evaluate_twins(
    agent: Model,
    pairs: int = 1_000,
    seed: int = TEST_SEED,
    catalogue: Catalogue | None = None,
    settings: TeacherSettings | None = None,
) -> dict[str, TwinRates]:
    """The rates by type of command, in so many pairs of each; fewer where less than one map in a thousand has twins.

    >>> from xworld.learning.bundled import load_agent
    >>> agent, provenance = load_agent()
    >>> evaluate_twins(agent, pairs=10)["nav_obj"].told_apart
    Rate(hits=10, trials=10)
    """
    settings = settings or TeacherSettings()
    rates = {}
    for name in settings.commands:
        school = begin_twins(pairs, seed, catalogue, without_questions(settings, name))
        if school is not None:
            rates[name] = _test(agent, school)
    return rates


def begin_twins(pairs: int, seed: int, catalogue: Catalogue | None, settings: TeacherSettings) -> School | None:
    """A school of twins: test sessions in the first half of its worlds, their twins in the second; None without any.

    >>> school = begin_twins(1, 0, None, TeacherSettings(commands=("nav_obj",)))
    >>> [school.grammar.vocabulary.text(command) for command in school.commands]
    ['Can you move to the turtle?', 'Can you move to the fish?']
    """
    seeds = find_sessions(lambda school: find_twins(school)[0], pairs, seed, catalogue, settings)
    if not len(seeds):
        return None
    single = begin_sessions(seeds, catalogue, settings)
    _, worlds, lessons = find_twins(single)
    school = School(2 * len(single), catalogue, settings=settings)
    school.go_on(np.concatenate([single.worlds, worlds]), np.concatenate([single.lessons, lessons]))
    return school


def find_twins(school: School) -> tuple[NDArray[np.bool_], NDArray[np.void], NDArray[np.void]]:
    """Which of the sessions that have just begun have a twin, and (worlds,) the worlds and lessons of their twins."""
    offers, fit = every_command(school)
    fit &= _differ_in_a_noun(school, offers)
    there, chosen = np.any(fit, axis=1), offers[np.arange(len(school)), _choose(school, fit)]
    worlds, lessons = school.worlds.copy(), school.lessons.copy()
    worlds["target_row"], worlds["target_column"] = np.divmod(chosen["outcome"], SIDE)
    lessons["command"] = _say_instead(school, chosen)
    there[there] = ~_one_on_the_way(school.worlds[there], worlds[there])
    return there, worlds, lessons


def _differ_in_a_noun(school: School, offers: NDArray[np.void]) -> NDArray[np.bool_]:
    """(worlds, offers) Whether an offer is the command given but for one of its nouns, and leads elsewhere."""
    given = read_meanings(school.commands, school.grammar)
    same = {name: offers[name] == places[:, None] for name, places in given._asdict().items()}
    elsewhere = offers["outcome"] != _targets(school.worlds)[:, None]
    return np.array(same["location"] & same["colour"] & (same["object"] != same["second"]) & elsewhere)


def _choose(school: School, fit: NDArray[np.bool_]) -> NDArray[np.int64]:
    """(worlds,) The place of one of the offers that fit: which one, the world's own random state decides."""
    count = np.maximum(fit.sum(axis=1), 1).astype(np.uint64)
    lot = (school.worlds["random"] % count).astype(np.int64) + 1
    return np.array(np.argmax(fit & (np.cumsum(fit, axis=1) == lot[:, None]), axis=1))


def _say_instead(school: School, chosen: NDArray[np.void]) -> NDArray[np.int16]:
    """(worlds, 12) The commands given, with the nouns of the chosen offers."""
    order, words = order_of_nouns(school.commands, school.grammar), school.rules.object_words
    commands = np.where(order == 1, words[chosen["object"]][:, None], school.commands)
    return np.where(order == 2, words[chosen["second"]][:, None], commands).astype(np.int16)


def _one_on_the_way(worlds: NDArray[np.void], twins: NDArray[np.void]) -> NDArray[np.bool_]:
    """(worlds,) Whether one target lies on a shortest way to the other; those over objects are not ways."""
    across = twins.copy()
    across["agent_row"], across["agent_column"] = worlds["target_row"], worlds["target_column"]
    here, there, between = way_lengths(worlds), way_lengths(twins), way_lengths(across)
    first_is_floor, second_is_floor = (_at_target(maps) == FLOOR for maps in (worlds, twins))
    return np.array((first_is_floor & (there == here + between)) | (second_is_floor & (here == there + between)))


def _at_target(worlds: NDArray[np.void]) -> NDArray[np.int16]:
    return np.array(worlds["grid"][np.arange(len(worlds)), worlds["target_row"], worlds["target_column"]])


def _targets(worlds: NDArray[np.void]) -> NDArray[np.int64]:
    return np.array(worlds["target_row"] * SIDE + worlds["target_column"])


def _test(agent: Model, school: School) -> TwinRates:
    pairs = len(school) // 2
    others = np.roll(_targets(school.worlds), pairs)
    outcome = walk(agent, school)
    straight = outcome.arrived & ~(outcome.trail == others[:, None]).any(axis=1)
    both, told_apart = (each.reshape(2, pairs).all(axis=0) for each in (outcome.arrived, straight))
    return TwinRates(
        told_apart=Rate(int(told_apart.sum()), pairs),
        both=Rate(int(both.sum()), pairs),
        single=Rate(int(outcome.arrived.sum()), 2 * pairs),
    )

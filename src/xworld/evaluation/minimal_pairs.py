"""Minimal pairs: two sessions on one map whose commands differ in one noun. An agent that ignores nouns fails one.

The paper found that a network without word attention obeys `nav_bw_obj` without detecting classes, because most maps
have one gap between two objects. Success rates do not show that; minimal pairs do. The partner of a test session has
the same map, and a command in which one noun is replaced by another object of the map. It is true there, and its
target is another one.

Passing over both targets must not count as understanding. A pair is told apart if each session reaches its own target
in time, and before the other target. An agent that ignores the noun walks the same way twice, so it can do that in one
session only. Pairs with one target on a shortest way to the other are left out, so that the shortest ways succeed.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from xworld.agent.model import Model
from xworld.evaluation import TEST_SEED
from xworld.evaluation.content_words import order_of_nouns, read_meanings
from xworld.evaluation.rate import Rate
from xworld.evaluation.search import find_sessions
from xworld.evaluation.sessions import begin_sessions, run_sessions, without_questions
from xworld.teacher.oracle import every_command, way_lengths
from xworld.teacher.settings import TeacherSettings
from xworld.teacher.simulator import Simulator
from xworld.world.catalogue import Catalogue
from xworld.world.cells import SIDE
from xworld.world.state import FLOOR


@dataclass(frozen=True)
class PairRates:
    """What became of pairs of minimal_pairs."""

    told_apart: Rate
    """Of all pairs: each of the two targets was reached in time, and before the other one's."""
    both: Rate
    """Of all pairs: each target was reached in time, on whatever way."""
    single: Rate
    """Of all sessions, two a pair: the target was reached in time."""


def evaluate_minimal_pairs(
    agent: Model,
    pairs: int = 1_000,
    seed: int = TEST_SEED,
    catalogue: Catalogue | None = None,
    settings: TeacherSettings | None = None,
) -> dict[str, PairRates]:
    """The rates by type of command, in so many pairs of each; fewer where less than one map in a thousand has a pair.

    >>> from xworld.training.pretrained import load_agent
    >>> agent, provenance = load_agent()
    >>> evaluate_minimal_pairs(agent, pairs=10)["nav_obj"].told_apart
    Rate(hits=10, trials=10)
    """
    settings = settings or TeacherSettings()
    rates = {}
    for name in settings.commands:
        simulator = begin_pairs(pairs, seed, catalogue, without_questions(settings, name))
        if simulator is not None:
            rates[name] = _test(agent, simulator)
    return rates


def begin_pairs(pairs: int, seed: int, catalogue: Catalogue | None, settings: TeacherSettings) -> Simulator | None:
    """Minimal pairs: test sessions in the first half of the worlds, their partners in the second; None without any.

    >>> simulator = begin_pairs(1, 0, None, TeacherSettings(commands=("nav_obj",)))
    >>> [simulator.grammar.vocabulary.text(command) for command in simulator.commands]
    ['Can you move to the turtle?', 'Can you move to the fish?']
    """
    seeds = find_sessions(lambda simulator: find_pairs(simulator)[0], pairs, seed, catalogue, settings)
    if not len(seeds):
        return None
    single = begin_sessions(seeds, catalogue, settings)
    _, worlds, lessons = find_pairs(single)
    simulator = Simulator(2 * len(single), catalogue, settings=settings)
    simulator.set_state(np.concatenate([single.worlds, worlds]), np.concatenate([single.sessions, lessons]))
    return simulator


def find_pairs(simulator: Simulator) -> tuple[NDArray[np.bool_], NDArray[np.void], NDArray[np.void]]:
    """Which of the sessions that have just begun have a partner, and the partners' worlds and sessions."""
    offers, fit = every_command(simulator)
    fit &= _differ_in_a_noun(simulator, offers)
    there, chosen = np.any(fit, axis=1), offers[np.arange(len(simulator)), _choose(simulator, fit)]
    worlds, lessons = simulator.worlds.copy(), simulator.sessions.copy()
    worlds["target_row"], worlds["target_column"] = np.divmod(chosen["outcome"], SIDE)
    lessons["command"] = _say_instead(simulator, chosen)
    there[there] = ~_one_on_the_way(simulator.worlds[there], worlds[there])
    return there, worlds, lessons


def _differ_in_a_noun(simulator: Simulator, offers: NDArray[np.void]) -> NDArray[np.bool_]:
    """(worlds, offers) Whether an offer is the command given but for one of its nouns, and leads elsewhere."""
    given = read_meanings(simulator.commands, simulator.grammar)
    same = {name: offers[name] == places[:, None] for name, places in given._asdict().items()}
    elsewhere = offers["outcome"] != _targets(simulator.worlds)[:, None]
    return np.array(same["location"] & same["color"] & (same["object"] != same["second"]) & elsewhere)


def _choose(simulator: Simulator, fit: NDArray[np.bool_]) -> NDArray[np.int64]:
    """(worlds,) The place of one of the offers that fit: which one, the world's own random state decides."""
    count = np.maximum(fit.sum(axis=1), 1).astype(np.uint64)
    lot = (simulator.worlds["random"] % count).astype(np.int64) + 1
    return np.array(np.argmax(fit & (np.cumsum(fit, axis=1) == lot[:, None]), axis=1))


def _say_instead(simulator: Simulator, chosen: NDArray[np.void]) -> NDArray[np.int16]:
    """(worlds, 12) The commands given, with the nouns of the chosen offers."""
    order, words = order_of_nouns(simulator.commands, simulator.grammar), simulator.rules.object_words
    commands = np.where(order == 1, words[chosen["object"]][:, None], simulator.commands)
    return np.where(order == 2, words[chosen["second"]][:, None], commands).astype(np.int16)


def _one_on_the_way(worlds: NDArray[np.void], minimal_pairs: NDArray[np.void]) -> NDArray[np.bool_]:
    """(worlds,) Whether one target lies on a shortest way to the other; those over objects are not ways."""
    across = minimal_pairs.copy()
    across["agent_row"], across["agent_column"] = worlds["target_row"], worlds["target_column"]
    here, there, between = way_lengths(worlds), way_lengths(minimal_pairs), way_lengths(across)
    first_is_floor, second_is_floor = (_at_target(maps) == FLOOR for maps in (worlds, minimal_pairs))
    return np.array((first_is_floor & (there == here + between)) | (second_is_floor & (here == there + between)))


def _at_target(worlds: NDArray[np.void]) -> NDArray[np.int16]:
    return np.array(worlds["grid"][np.arange(len(worlds)), worlds["target_row"], worlds["target_column"]])


def _targets(worlds: NDArray[np.void]) -> NDArray[np.int64]:
    return np.array(worlds["target_row"] * SIDE + worlds["target_column"])


def _test(agent: Model, simulator: Simulator) -> PairRates:
    pairs = len(simulator) // 2
    others = np.roll(_targets(simulator.worlds), pairs)
    outcome = run_sessions(agent, simulator)
    straight = outcome.arrived & ~(outcome.trail == others[:, None]).any(axis=1)
    both, told_apart = (each.reshape(2, pairs).all(axis=0) for each in (outcome.arrived, straight))
    return PairRates(
        told_apart=Rate(int(told_apart.sum()), pairs),
        both=Rate(int(both.sum()), pairs),
        single=Rate(int(outcome.arrived.sum()), 2 * pairs),
    )

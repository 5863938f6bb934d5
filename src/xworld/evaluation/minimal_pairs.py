"""Minimal pairs: two sessions on one map whose commands differ in one noun. An agent that ignores nouns fails one.

The paper found that a network without word attention obeys `nav_bw_obj` without detecting classes, because most maps
have one gap between two objects. Success rates do not show that; minimal pairs do. The partner of a test session has
the same map, and the same command with one noun replaced such that it is valid and has another target.

A pair is told apart if each session reaches its own target in time, and before the other target: visiting both must not
count as understanding. An agent that ignores the noun takes the same path twice, so it succeeds in only one of the two
sessions. Pairs with one target on a shortest path to the other are left out, so that shortest paths succeed.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from xworld.evaluation.content_words import order_of_nouns, read_meanings
from xworld.evaluation.rate import PairRates, Rate
from xworld.evaluation.sessions import begin_sessions, find_sessions, run_sessions, tiles_at_target, without_questions
from xworld.evaluation.splits import SplitName, first_seed
from xworld.teacher.oracle import alternative_commands, path_lengths
from xworld.teacher.rules import available_command_types
from xworld.teacher.settings import TeacherSettings
from xworld.teacher.simulator import Simulator
from xworld.world.catalogue import Catalogue
from xworld.world.cells import SIDE
from xworld.world.state import FLOOR


def evaluate_minimal_pairs(
    agent: Any,
    pairs: int = 1_000,
    split: SplitName = "validation",
    catalogue: Catalogue | None = None,
    settings: TeacherSettings | None = None,
) -> dict[str, PairRates]:
    """Test an agent on `pairs` minimal pairs of each type of command; fewer if less than one map in 1,000 has a pair.

    >>> from xworld.training.pretrained import load_model
    >>> agent, provenance = load_model()
    >>> evaluate_minimal_pairs(agent, pairs=10)["nav_obj"].told_apart
    Rate(hits=10, trials=10)
    """
    catalogue, settings = catalogue or Catalogue.load(), settings or TeacherSettings()
    rates = {}
    for name in available_command_types(catalogue, settings):
        simulator = begin_pairs(pairs, first_seed(split), catalogue, without_questions(settings, name))
        if simulator is not None:
            rates[name] = _run_pairs(agent, simulator)
    return rates


def begin_pairs(pairs: int, seed: int, catalogue: Catalogue | None, settings: TeacherSettings) -> Simulator | None:
    """A simulator with test sessions and then their partners in its worlds; None if no map has a pair."""
    seeds = find_sessions(lambda simulator: find_pairs(simulator)[0], pairs, seed, catalogue, settings)
    if not len(seeds):
        return None
    first = begin_sessions(seeds, catalogue, settings)
    _, worlds, sessions = find_pairs(first)
    simulator = Simulator(2 * len(first), catalogue, settings=settings)
    simulator.set_state(np.concatenate([first.worlds, worlds]), np.concatenate([first.sessions, sessions]))
    return simulator


def find_pairs(simulator: Simulator) -> tuple[NDArray[np.bool_], NDArray[np.void], NDArray[np.void]]:
    """Which of the sessions that have just begun have a partner, and the partners' worlds and sessions."""
    offers, fit = alternative_commands(simulator)
    fit &= _differ_in_a_noun(simulator, offers)
    found, chosen = np.any(fit, axis=1), offers[np.arange(len(simulator)), _choose(simulator, fit)]
    worlds, sessions = simulator.worlds.copy(), simulator.sessions.copy()
    worlds["target_row"], worlds["target_column"] = np.divmod(chosen["target_or_answer"], SIDE)
    sessions["command"] = _replace_nouns(simulator, chosen)
    found[found] = ~_one_on_the_path(simulator.worlds[found], worlds[found])
    return found, worlds, sessions


def _differ_in_a_noun(simulator: Simulator, offers: NDArray[np.void]) -> NDArray[np.bool_]:
    """(worlds, offers) Whether an offer differs from the given command in one noun, and in its target."""
    given = read_meanings(simulator.commands, simulator.grammar)
    same = {name: offers[name] == indices[:, None] for name, indices in given._asdict().items()}
    elsewhere = offers["target_or_answer"] != _targets(simulator.worlds)[:, None]
    return np.array(same["location"] & same["color"] & (same["object"] != same["second"]) & elsewhere)


def _choose(simulator: Simulator, fit: NDArray[np.bool_]) -> NDArray[np.int64]:
    """(worlds,) The index of one of the offers that fit, chosen by the random state of the world."""
    count = np.maximum(fit.sum(axis=1), 1).astype(np.uint64)
    chosen = (simulator.worlds["random"] % count).astype(np.int64) + 1
    return np.array(np.argmax(fit & (np.cumsum(fit, axis=1) == chosen[:, None]), axis=1))


def _replace_nouns(simulator: Simulator, chosen: NDArray[np.void]) -> NDArray[np.int16]:
    """(worlds, 12) The given commands with the nouns of the chosen offers."""
    order, words = order_of_nouns(simulator.commands, simulator.grammar), simulator.rules.object_words
    commands = np.where(order == 1, words[chosen["object"]][:, None], simulator.commands)
    return np.where(order == 2, words[chosen["second"]][:, None], commands).astype(np.int16)


def _one_on_the_path(worlds: NDArray[np.void], partners: NDArray[np.void]) -> NDArray[np.bool_]:
    """(worlds,) Whether one target lies on a shortest path to the other; paths do not cross objects."""
    across = partners.copy()
    across["agent_row"], across["agent_column"] = worlds["target_row"], worlds["target_column"]
    to_first, to_second, between = path_lengths(worlds), path_lengths(partners), path_lengths(across)
    first_is_floor, second_is_floor = (tiles_at_target(maps) == FLOOR for maps in (worlds, partners))
    return np.array(
        (first_is_floor & (to_second == to_first + between)) | (second_is_floor & (to_first == to_second + between))
    )


def _targets(worlds: NDArray[np.void]) -> NDArray[np.int64]:
    return np.array(worlds["target_row"] * SIDE + worlds["target_column"])


def _run_pairs(agent: Any, simulator: Simulator) -> PairRates:
    pairs = len(simulator) // 2
    other_targets = np.roll(_targets(simulator.worlds), pairs)
    results = run_sessions(agent, simulator)
    direct = results.success & ~(results.path == other_targets[:, None]).any(axis=1)
    both, told_apart = (each.reshape(2, pairs).all(axis=0) for each in (results.success, direct))
    return PairRates(
        told_apart=Rate(int(told_apart.sum()), pairs),
        both=Rate(int(both.sum()), pairs),
        single=Rate(int(results.success.sum()), 2 * pairs),
    )

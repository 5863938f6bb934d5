"""Maps hold what was planned, and reachability is what a plain search finds."""

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compiled import compiled
from referee import Scene
from scenes import scene_of
from xworld.teacher.simulator import Simulator
from xworld.world import cells, layout
from xworld.world.catalogue import Catalogue
from xworld.world.cells import SIDE, WHOLE_MAP
from xworld.world.layout import (
    CLUSTERED,
    GAPPED,
    LINED,
    SAME_CLASS,
    SAME_COLOR,
    SCATTERED,
    UNRELATED,
    LayoutPlan,
)
from xworld.world.rng import seed_streams
from xworld.world.state import FIRST_OBJECT, FLOOR, WALL, WORLD

INSTANCES = Catalogue.load().instances
lay_out, reachable, holds = compiled(layout.lay_out), compiled(layout.reachable), compiled(cells.holds)


def laid_out(plan: LayoutPlan, seed: int) -> np.void | None:
    worlds = np.zeros(1, WORLD)
    seed_streams(worlds, np.array([seed], np.uint64))
    return worlds[0] if lay_out(worlds[0], plan, INSTANCES) else None


def many(plan: LayoutPlan) -> Iterator[np.void]:
    found = [world for seed in range(300) if (world := laid_out(plan, seed)) is not None]
    assert len(found) > 100
    return iter(found)


plans = st.builds(
    LayoutPlan,
    size=st.integers(3, SIDE),
    objects=st.integers(1, 4),
    walls=st.integers(0, 20),
    classes=st.integers(1, 40),
    arrangement=st.sampled_from([SCATTERED, CLUSTERED, GAPPED, LINED]),
    kinship=st.sampled_from([UNRELATED, SAME_CLASS, SAME_COLOR]),
)


@given(plans, st.integers(0, 2**32))
def test_a_map_holds_what_was_planned(plan: LayoutPlan, seed: int) -> None:
    world = laid_out(plan, seed)
    if world is None:
        return
    walls = min(plan.walls, plan.size**2 - plan.objects - 2)
    assert (world["grid"] >= FIRST_OBJECT).sum() == plan.objects == world["objects"]
    assert (world["grid"] == WALL).sum() == SIDE**2 - plan.size**2 + walls
    assert (world["grid"] == FLOOR).sum() == plan.size**2 - walls - plan.objects
    assert world["grid"][world["agent_row"], world["agent_column"]] == FLOOR
    assert (world["time"], world["time_limit"]) == (0, 4 * plan.size)
    assert (world["object_class"][: plan.objects] < plan.classes).all()
    for index in range(plan.objects):
        tile = world["grid"][world["object_row"][index], world["object_column"][index]]
        kind, color = INSTANCES.kinds[tile - FIRST_OBJECT]
        assert (kind, color) == (world["object_class"][index], world["object_color"][index])


@given(st.integers(3, SIDE), st.integers(0, 2**32))
def test_a_small_map_is_padded_with_walls_evenly(size: int, seed: int) -> None:
    world = laid_out(LayoutPlan(size, 1, 0, 40, SCATTERED, UNRELATED), seed)
    assert world is not None
    rows, columns = np.nonzero(world["grid"] != WALL)
    margin = SIDE - size
    for places in (rows, columns):
        assert places.max() - places.min() == size - 1
        assert margin // 2 <= places.min() <= margin // 2 + margin % 2


def test_an_odd_margin_is_wider_at_every_corner_in_turn() -> None:
    corners = set()
    for world in many(LayoutPlan(4, 1, 0, 40, SCATTERED, UNRELATED)):
        rows, columns = np.nonzero(world["grid"] != WALL)
        corners.add((int(rows.min()), int(columns.min())))
    assert corners == {(1, 1), (1, 2), (2, 1), (2, 2)}


def steps_between(world: np.void, one: int, other: int) -> tuple[int, int]:
    down = abs(int(world["object_row"][one] - world["object_row"][other]))
    right = abs(int(world["object_column"][one] - world["object_column"][other]))
    return min(down, right), max(down, right)


def test_arrangements() -> None:
    for world in many(LayoutPlan(7, 3, 4, 40, CLUSTERED, UNRELATED)):
        assert steps_between(world, 0, 1)[1] == 1
        assert 1 in (steps_between(world, 0, 2)[1], steps_between(world, 1, 2)[1])
    for world in many(LayoutPlan(7, 3, 4, 40, GAPPED, UNRELATED)):
        assert steps_between(world, 0, 1) == (0, 2)
    for world in many(LayoutPlan(7, 3, 4, 40, LINED, UNRELATED)):
        distances = sorted(steps_between(world, *pair) for pair in ((0, 1), (0, 2), (1, 2)))
        assert distances == [(0, 1), (0, 1), (0, 2)]


def test_kinship() -> None:
    for world in many(LayoutPlan(7, 2, 0, 40, SCATTERED, SAME_CLASS)):
        assert world["object_class"][0] == world["object_class"][1]
    akin = list(many(LayoutPlan(7, 2, 0, 40, SCATTERED, SAME_COLOR)))
    same = [world for world in akin if world["object_color"][0] == world["object_color"][1] >= 0]
    assert len(same) / len(akin) > 0.95
    assert all(world["object_class"][0] != world["object_class"][1] for world in same)


def test_all_instances_appear_equally_often_within_their_class() -> None:
    counts = np.zeros(len(INSTANCES.kinds))
    for world in many(LayoutPlan(7, 4, 0, 2, SCATTERED, UNRELATED)):
        for tile in world["grid"][world["grid"] >= FIRST_OBJECT]:
            counts[tile - FIRST_OBJECT] += 1
    assert (counts[:5] > 0).all()
    assert (counts[5:] == 0).all()


@pytest.mark.parametrize("steps", [0, 5])
def test_reachable_is_what_a_plain_search_finds(steps: int) -> None:
    simulator = Simulator(130)
    simulator.reset(seeds=np.arange(130))
    for _ in range(steps):
        simulator.step(np.random.default_rng(3).integers(0, 4, 130), autoreset=False)
    for index in range(130):
        scene: Scene = scene_of(simulator, index)
        cells = np.uint64(reachable(simulator.worlds[index]))
        for row in range(SIDE):
            for column in range(SIDE):
                assert bool(holds(cells, row, column)) == scene.reaches((row, column))


@pytest.mark.parametrize("time_limit", [1, 4, 6, 9])
def test_a_cell_is_reachable_with_the_last_step_in_time_and_not_one_later(time_limit: int) -> None:
    worlds = np.zeros(1, WORLD)
    worlds["grid"], worlds["time_limit"] = WALL, time_limit
    corridor = [(0, column) for column in range(SIDE)] + [(row, SIDE - 1) for row in range(1, SIDE)]
    for place in corridor:
        worlds["grid"][0][place] = FLOOR
    cells = np.uint64(reachable(worlds[0]))
    assert [place for place in corridor[1:] if holds(cells, *place)] == corridor[1 : time_limit + 1]


def test_the_whole_map_has_49_cells() -> None:
    assert int(WHOLE_MAP).bit_count() == 49

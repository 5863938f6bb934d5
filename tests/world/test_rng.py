"""The worlds' random numbers."""

import numpy as np

from compiled import compiled
from xworld.world import rng
from xworld.world.state import WORLD

DRAWS = 20_000
integers, between, uniform = compiled(rng.integers), compiled(rng.integers_between), compiled(rng.uniform)


def stream(seed: int) -> np.void:
    worlds = np.zeros(1, WORLD)
    rng.seed_streams(worlds, np.array([seed], np.uint64))
    first: np.void = worlds[0]
    return first


def test_draws_are_uniform() -> None:
    world = stream(1)
    counts = np.bincount([integers(world, 7) for _ in range(DRAWS)], minlength=7)
    assert np.allclose(counts / DRAWS, 1 / 7, atol=0.01)
    units = np.array([uniform(world) for _ in range(DRAWS)])
    assert units.min() >= 0
    assert units.max() < 1
    assert abs(units.mean() - 0.5) < 0.01
    assert abs(np.corrcoef(units[:-1], units[1:])[0, 1]) < 0.03


def test_it_is_splitmix64() -> None:
    """The numbers are those of the generator's published reference."""
    published = 6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821
    world = stream(0)
    world["random"] = 1234567
    assert [int(integers(world, 2**32)) for _ in published] == [number >> 32 for number in published]
    world["random"] = 1234567
    assert [int(integers(world, 10)) for _ in published] == [(number >> 32) * 10 >> 32 for number in published]
    world["random"] = 1234567
    assert [float(uniform(world)) for _ in published] == [(number >> 32) / 2**32 for number in published]


def test_both_ends_are_included() -> None:
    world = stream(2)
    assert {between(world, 3, 5) for _ in range(200)} == {3, 4, 5}


def test_streams_of_neighboring_seeds_are_unrelated() -> None:
    draws = np.array([[uniform(world) for _ in range(4)] for world in map(stream, range(2000))])
    assert len(np.unique(draws)) == draws.size
    assert np.abs(np.corrcoef(draws[:-1, 0], draws[1:, 0])[0, 1]) < 0.08

"""The built-in catalogue and its pictures."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from golden import paper
from xworld.envs.observation import Observer
from xworld.teacher.simulator import Simulator
from xworld.world.catalogue import COLORS, Catalogue
from xworld.world.picture import PackError
from xworld.world.state import AGENT, FIRST_OBJECT, FLOOR, OUTSIDE, WALL

LEAST_DIFFERENCE = 12.0
"""Mean absolute difference of color values, of 255, by which any two tiles differ at 12 pixels."""


def test_counts(catalogue: Catalogue) -> None:
    instances = Counter(catalogue.instance_class)
    assert Counter(instances.values()) == paper.INSTANCES
    assert len(catalogue.classes) == 40
    assert len(catalogue.instance_class) == 114
    assert len(catalogue.named_pairs) == 62
    assert catalogue.tiles == 118


def test_the_built_in_pictures_are_read_once_and_cannot_be_changed(catalogue: Catalogue) -> None:
    assert Catalogue.load().icons is catalogue.icons
    with pytest.raises(ValueError, match="read-only"):
        catalogue.icons[FLOOR] = 0


def test_four_instances_are_those_of_the_shapes(catalogue: Catalogue) -> None:
    counts = Counter(catalogue.instance_class)
    assert {catalogue.classes[kind] for kind, count in counts.items() if count == 4} == {
        "circle",
        "square",
        "star",
        "triangle",
    }


def test_classes_are_in_alphabetical_order_and_instances_together(catalogue: Catalogue) -> None:
    assert list(catalogue.classes) == sorted(catalogue.classes)
    assert list(catalogue.instance_class) == sorted(catalogue.instance_class)


def test_tiles_in_words(catalogue: Catalogue) -> None:
    assert [catalogue.describe_tile(tile) for tile in range(6)] == [
        "outside",
        "floor",
        "wall",
        "agent",
        "red apple",
        "green apple",
    ]


def test_any_two_tiles_are_distinct_at_12_pixels(catalogue: Catalogue) -> None:
    atlas = catalogue.atlas(12).astype(np.float64)
    for one, other in combinations(range(catalogue.tiles), 2):
        assert np.abs(atlas[one] - atlas[other]).mean() > LEAST_DIFFERENCE, (
            catalogue.describe_tile(one),
            catalogue.describe_tile(other),
        )


def test_the_named_color_is_what_one_sees(catalogue: Catalogue) -> None:
    """Of the strongly colored pixels of a drawing, most have the hue that its color word names."""
    hues = {"red": (330, 25), "yellow": (35, 66), "green": (66, 165), "blue": (190, 260)}
    for index, color in enumerate(catalogue.instance_color):
        if color < 0:
            continue
        red, green, blue = (catalogue.icons[FIRST_OBJECT + index][..., part].astype(float) for part in range(3))
        high, low = np.maximum(np.maximum(red, green), blue), np.minimum(np.minimum(red, green), blue)
        strong = high - low > 80
        hue = np.degrees(np.arctan2(np.sqrt(3) * (green - blue), 2 * red - green - blue))[strong] % 360
        first, last = hues[COLORS[color]]
        named = (hue >= first) & (hue <= last) if first < last else (hue >= first) | (hue <= last)
        assert named.mean() > 0.5, catalogue.pack.icons[index].path.stem


def test_the_outside_is_black(catalogue: Catalogue) -> None:
    assert not catalogue.icons[OUTSIDE].any()


@pytest.mark.parametrize("pixels", [0, 5, 97, -12])
def test_only_sizes_that_divide_96(catalogue: Catalogue, pixels: int) -> None:
    with pytest.raises(ValueError, match=f"pixels={pixels}: expected"):
        catalogue.atlas(pixels)


def test_pixels_are_the_tiles_put_together_slowly(catalogue: Catalogue) -> None:
    simulator = Simulator(5)
    simulator.reset(seeds=np.arange(5))
    painted = Observer(simulator, "pixels").observe()["pixels"]
    atlas = catalogue.atlas(12)
    for world in range(5):
        rows = [np.concatenate([atlas[tile] for tile in row], axis=1) for row in simulator.tiles[world]]
        assert np.array_equal(painted[world], np.concatenate(rows, axis=0))
    assert {OUTSIDE, FLOOR, WALL, AGENT} <= set(simulator.tiles.flat)


def test_a_class_more_stands_at_the_end_and_leaves_all_else_as_it_was(catalogue: Catalogue) -> None:
    pictures = np.random.default_rng(0).integers(256, size=(2, 96, 96, 4), dtype=np.uint8)
    pictures[0, ..., 3], pictures[1, ..., 3] = 255, 0
    wider = catalogue.with_class("aardvark", pictures, "red")
    assert wider.classes == (*catalogue.classes, "aardvark")
    assert wider.added_classes == ("aardvark",)
    assert wider.tiles == catalogue.tiles + 2
    assert [wider.describe_tile(tile) for tile in range(118)] == [catalogue.describe_tile(tile) for tile in range(118)]
    assert wider.describe_tile(118) == wider.describe_tile(119) == "red aardvark"
    assert wider.instances.first.tolist() == [*catalogue.instances.first, 116]
    assert set(wider.named_pairs) - set(catalogue.named_pairs) == {(COLORS.index("red"), 40)}
    for ours, theirs in ((wider.icons, catalogue.icons), (wider.atlas(), catalogue.atlas())):
        assert np.array_equal(ours[:118], theirs)
        assert np.array_equal(ours[119], theirs[FLOOR]), "what is transparent shows the floor"
    assert np.array_equal(wider.icons[118], pictures[0, ..., :3])
    assert np.array_equal(wider.atlas(), np.rint(wider.icons.reshape(120, 12, 8, 12, 8, 3).mean(axis=(2, 4))))


def test_classes_one_after_the_other_do_not_each_keep_all_pictures(catalogue: Catalogue) -> None:
    picture = np.full((96, 96, 4), 255, np.uint8)
    one = catalogue.with_class("aardvark", picture)
    two = one.with_class("zebra", picture)
    assert len(two.atlas()) == 120
    assert "icons" not in vars(one)
    assert "icons" not in vars(two)


def test_classes_that_cannot_be_added_are_refused(catalogue: Catalogue) -> None:
    picture = np.zeros((96, 96, 4), np.uint8)
    with pytest.raises(PackError, match="already a class 'apple'"):
        catalogue.with_class("apple", picture)
    with pytest.raises(PackError, match="no color 'purple'"):
        catalogue.with_class("zebra", picture, "purple")
    for wrong in (picture[:12], picture[..., :3], picture.astype(float), picture[None][:0], picture[0]):
        with pytest.raises(PackError, match=r"expected \(icons, 96, 96, 4\)"):
            catalogue.with_class("zebra", wrong)

"""Shortcuts come to the same: tiles for pictures, only those that occur, parts of a batch, short transforms."""

import pytest
import torch
from torch import Tensor

from xworld.agent.action import Action
from xworld.agent.dense_reference import _convolve
from xworld.agent.perception import Perception, keep_occurring
from xworld.agent.programmer import translate
from xworld.agent.sizes import CELLS


@pytest.fixture
def atlas() -> Tensor:
    return torch.randint(256, (9, 12, 12, 3), dtype=torch.uint8, generator=torch.Generator().manual_seed(0))


def test_tiles_look_as_in_a_picture(atlas: Tensor) -> None:
    perception = Perception().double()
    picture = atlas.view(3, 3, 12, 12, 3).transpose(1, 2).reshape(1, 36, 36, 3)  # three by three tiles
    in_picture = perception.see(picture).flatten(2)[0].T
    torch.testing.assert_close(perception.see_tiles(atlas), in_picture)


def test_only_tiles_that_occur_are_seen_and_the_scene_stays_the_same(atlas: Tensor) -> None:
    tile_ids = torch.tensor([[7, 2, 2], [2, 7, 4]])
    seen, renumbered = keep_occurring(atlas, tile_ids)
    assert len(seen) == 3
    assert torch.equal(seen[renumbered], atlas[tile_ids])


def test_acting_on_many_scenes_in_parts_comes_to_the_same() -> None:
    action = Action().double()
    attention, environment = torch.rand(2, 300, CELLS, dtype=torch.float64)
    together, _ = action(attention, environment)
    torch.testing.assert_close(together[:5], action(attention[:5], environment[:5])[0])
    torch.testing.assert_close(together[-5:], action(attention[-5:], environment[-5:])[0])


def test_a_map_is_moved_by_the_convolution_with_the_other() -> None:
    attention, offsets = torch.rand(2, 5, CELLS, dtype=torch.float64)  # up to the edges, where it could wrap around
    torch.testing.assert_close(translate(attention, offsets), _convolve(offsets, attention))

"""Tile by tile, perception computes what the convolutions do on whole images."""

import pytest
import torch
from torch import Tensor

from xworld.agent.perception import Perception, keep_occurring


@pytest.fixture
def atlas() -> Tensor:
    return torch.randint(256, (9, 12, 12, 3), dtype=torch.uint8, generator=torch.Generator().manual_seed(0))


def test_tiles_have_the_features_that_they_have_in_an_image(atlas: Tensor) -> None:
    perception = Perception().double()
    image = atlas.view(3, 3, 12, 12, 3).transpose(1, 2).reshape(1, 36, 36, 3)  # three by three tiles
    in_image = perception.image_features(image).flatten(2)[0].T
    torch.testing.assert_close(perception.tile_features(atlas), in_image)


def test_only_tiles_that_occur_are_kept_and_the_scene_stays_the_same(atlas: Tensor) -> None:
    tile_ids = torch.tensor([[7, 2, 2], [2, 7, 4]])
    occurring, renumbered = keep_occurring(atlas, tile_ids)
    assert len(occurring) == 3
    assert torch.equal(occurring[renumbered], atlas[tile_ids])

"""Tile by tile, perception computes what the convolutions do on whole images."""

from dataclasses import replace

import pytest
import torch
from torch import Tensor

from xworld.agent.perception import Perception, SceneFeatures, keep_occurring
from xworld.agent.sizes import CELLS


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


@pytest.mark.parametrize("shape", [(4, CELLS), (4, 3, CELLS)])
def test_attention_passes_over_hidden_cells_and_keeps_the_proportions_of_the_others(shape: tuple[int, ...]) -> None:
    logits, hidden = torch.randn(shape), torch.rand(4, CELLS) < 0.5
    scene = SceneFeatures(torch.zeros(4, CELLS, dtype=torch.long), *torch.zeros(3, 1, 1))
    everywhere, seen = scene.attend(logits), replace(scene, hidden=hidden).attend(logits)
    torch.testing.assert_close(everywhere, logits.softmax(dim=-1))
    shown = ~hidden if len(shape) == 2 else ~hidden[:, None].expand(shape)
    assert not seen[~shown].any()
    expected = everywhere * shown
    torch.testing.assert_close(seen, expected / expected.sum(dim=-1, keepdim=True))
    nowhere = replace(scene, hidden=torch.ones_like(hidden)).attend(logits)
    torch.testing.assert_close(nowhere, torch.full(shape, 1 / CELLS))


def test_hidden_cells_stay_with_their_scenes() -> None:
    hidden = torch.rand(4, CELLS) < 0.5
    scene = SceneFeatures(torch.zeros(4, CELLS, dtype=torch.long), *torch.zeros(3, 1, 1))
    scene = replace(scene, hidden=hidden)
    part, twice = scene[1:3].hidden, scene.twice().hidden
    assert part is not None
    assert twice is not None
    assert torch.equal(part, hidden[1:3])
    assert torch.equal(twice, torch.cat([hidden, hidden]))

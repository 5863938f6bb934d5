"""Perception: the visual features of each tile, and the spatial features of each cell.

The paper's four convolutions never cross the border of a 12-pixel cell, so the network is a function of one tile. A
scene is 169 tile ids into an atlas of about 118 tiles: the network runs once per tile, and scenes look features up.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn
from torch.nn import functional

from xworld.agent.sizes import CELLS, SPATIAL_FEATURES, VISUAL_FEATURES

ATLAS_SCALE = 255.0


@dataclass(frozen=True)
class SceneFeatures:
    """Scenes as the agent perceives them: a tile in each cell, and the features of every tile and every cell."""

    tile_ids: Tensor
    """(scenes, 169)"""
    visual: Tensor
    """(tiles, 512)"""
    spatial: Tensor
    """(169, 512)"""
    obstacles: Tensor
    """(tiles,) The environment map's value for each tile."""
    hidden: Tensor | None = None
    """(scenes, 169) Cells that attention passes over, in training; by default none."""

    def __getitem__(self, part: slice) -> "SceneFeatures":
        """A slice of the scenes."""
        hidden = None if self.hidden is None else self.hidden[part]
        return replace(self, tile_ids=self.tile_ids[part], hidden=hidden)

    def twice(self) -> "SceneFeatures":
        """All scenes, then all of them again; tiles are not perceived again."""
        hidden = None if self.hidden is None else torch.cat([self.hidden, self.hidden])
        return replace(self, tile_ids=torch.cat([self.tile_ids, self.tile_ids]), hidden=hidden)

    def attend(self, logits: Tensor) -> Tensor:
        """Attention to the cells that are not hidden, from (scenes, ..., 169) logits."""
        if self.hidden is None:
            return logits.softmax(dim=-1)
        hidden = self.hidden.view(len(logits), *[1] * (logits.ndim - 2), CELLS)
        return logits.masked_fill(hidden, torch.finfo(logits.dtype).min).softmax(dim=-1)  # finite: all may be hidden

    def environment_map(self) -> Tensor:
        """(scenes, 169) Where obstacles are."""
        return tile_values(self.obstacles.expand(len(self.tile_ids), 1, -1), self.tile_ids).squeeze(1)

    def attended_features(self, attention: Tensor) -> Tensor:
        """(scenes, 1024) The features of the cells, averaged by attention: F a."""
        weights = attention.new_zeros(len(attention), len(self.visual)).scatter_add(1, self.tile_ids, attention)
        return torch.cat([weights @ self.visual, attention @ self.spatial], dim=1)


def tile_values(values: Tensor, tile_ids: Tensor) -> Tensor:
    """(scenes, maps, 169) For each cell the value of its tile, from (scenes, maps, tiles)."""
    return values.gather(2, tile_ids.unsqueeze(1).expand(-1, values.shape[1], -1))


def keep_occurring(atlas: Tensor, tile_ids: Tensor) -> tuple[Tensor, Tensor]:
    """The tiles of an atlas that occur in scenes, and the scenes as ids of those."""
    occurs = torch.bincount(tile_ids.flatten(), minlength=len(atlas)) > 0
    return atlas[occurs], (occurs.cumsum(dim=0) - 1)[tile_ids]


class Perception(nn.Module):
    """The visual network, the spatial feature map, and the filter that detects obstacles."""

    def __init__(self, last: nn.Conv2d | None = None) -> None:
        """`last` replaces the paper's last convolution over the 512 features of each cell."""
        super().__init__()
        self.convolutions = nn.Sequential(
            nn.Conv2d(3, 64, 3, stride=3),
            nn.Conv2d(64, 64, 2, stride=2),
            nn.Conv2d(64, VISUAL_FEATURES, 2, stride=2),
            last or nn.Conv2d(VISUAL_FEATURES, VISUAL_FEATURES, 1),
        )
        self.spatial_map = nn.Parameter(torch.randn(CELLS, SPATIAL_FEATURES))
        self.environment_filter = nn.Linear(last.out_channels if last else VISUAL_FEATURES, 1)

    def forward(self, tile_ids: Tensor, atlas: Tensor) -> SceneFeatures:
        """Perceive scenes, (scenes, 13, 13) tile ids into an atlas, (tiles, 12, 12, 3) bytes."""
        tile_ids = tile_ids.flatten(1).long()
        if not tile_ids.is_cuda:  # a GPU processes all tiles faster than it finds those that occur
            atlas, tile_ids = keep_occurring(atlas, tile_ids)
        visual = self.tile_features(atlas)
        return SceneFeatures(tile_ids, visual, self.spatial_map, self.environment_filter(visual).squeeze(1))

    def tile_features(self, tiles: Tensor) -> Tensor:
        """(tiles, 512) The visual features of single tiles, (tiles, 12, 12, 3) bytes."""
        return convolve_patches(self.convolutions, tiles.to(self.spatial_map.dtype) / ATLAS_SCALE).flatten(1)

    def image_features(self, pixels: Tensor) -> Tensor:
        """(images, 512, height / 12, width / 12) The visual features of images of any number of cells."""
        features = pixels.permute(0, 3, 1, 2).to(self.spatial_map.dtype) / ATLAS_SCALE
        for convolution in self.convolutions:
            features = functional.relu(convolution(features))
        return features


def convolve_patches(convolutions: Iterable[nn.Module], images: Tensor) -> Tensor:
    """(images, side, side, channels) The output of a chain of convolutions for images of that layout.

    Strides equal kernel sizes, so every output has a patch of its own: each convolution is a matrix product.
    """
    for convolution in convolutions:
        assert isinstance(convolution, nn.Conv2d)
        weight = convolution.weight.permute(0, 2, 3, 1).flatten(1)  # channels last, as in the patches
        (_, side, _, channels), size = images.shape, convolution.kernel_size[0]
        patches = images.reshape(-1, side // size, size, side // size, size, channels).transpose(2, 3).flatten(3)
        images = functional.relu(functional.linear(patches, weight, convolution.bias))
    return images

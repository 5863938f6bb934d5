"""Perception: what a tile looks like, and where a cell is.

The four convolutions of the paper never cross a 12-pixel cell, so the network is a function of one tile. A scene is 169
tile ids into an atlas of some 118 tiles: the network runs on the tiles once, and the features of a scene are a gather.
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
    """What the agent perceives: a tile in each cell, the features of every tile, and those of every place."""

    tile_ids: Tensor
    """(scenes, 169)"""
    visual: Tensor
    """(tiles, 512)"""
    spatial: Tensor
    """(169, 512)"""
    obstacles: Tensor
    """(tiles,) The environment map's value for each tile."""

    def __getitem__(self, part: slice) -> "SceneFeatures":
        """Some of the scenes."""
        return replace(self, tile_ids=self.tile_ids[part])

    def twice(self) -> "SceneFeatures":
        """All scenes, and then all of them again: what is seen is seen once."""
        return replace(self, tile_ids=torch.cat([self.tile_ids, self.tile_ids]))

    def environment_map(self) -> Tensor:
        """(scenes, 169) Where something stands in the way."""
        return spread(self.obstacles.expand(len(self.tile_ids), 1, -1), self.tile_ids).squeeze(1)

    def gather_features(self, attention: Tensor) -> Tensor:
        """(scenes, 1024) The features of the attended cells, F a."""
        weights = attention.new_zeros(len(attention), len(self.visual)).scatter_add(1, self.tile_ids, attention)
        return torch.cat([weights @ self.visual, attention @ self.spatial], dim=1)


def spread(values: Tensor, tile_ids: Tensor) -> Tensor:
    """(scenes, maps, 169) To each cell the value of its tile; values are (scenes, maps, tiles)."""
    return values.gather(2, tile_ids.unsqueeze(1).expand(-1, values.shape[1], -1))


def keep_occurring(atlas: Tensor, tile_ids: Tensor) -> tuple[Tensor, Tensor]:
    """The tiles of an atlas that occur in scenes, and the scenes as ids of those."""
    occurs = torch.bincount(tile_ids.flatten(), minlength=len(atlas)) > 0
    return atlas[occurs], (occurs.cumsum(dim=0) - 1)[tile_ids]


class Perception(nn.Module):
    """The visual network, the map of places, and the filter that sees obstacles."""

    def __init__(self, last: nn.Conv2d | None = None) -> None:
        """The paper's, or with another last convolution of the 512 features of each cell."""
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
        """Perceive scenes, (scenes, 13, 13) tile ids, made of the tiles of an atlas, (tiles, 12, 12, 3) bytes."""
        tile_ids = tile_ids.flatten(1).long()
        if not tile_ids.is_cuda:  # a GPU sees all tiles in less time than it takes to find those that occur
            atlas, tile_ids = keep_occurring(atlas, tile_ids)
        visual = self.see_tiles(atlas)
        return SceneFeatures(tile_ids, visual, self.spatial_map, self.environment_filter(visual).squeeze(1))

    def see_tiles(self, tiles: Tensor) -> Tensor:
        """(tiles, 512) The visual features of single cells, (tiles, 12, 12, 3) bytes."""
        return convolve_patches(self.convolutions, tiles.to(self.spatial_map.dtype) / ATLAS_SCALE).flatten(1)

    def see(self, pixels: Tensor) -> Tensor:
        """(pictures, 512, height / 12, width / 12) The visual features of pictures of any number of cells."""
        features = pixels.permute(0, 3, 1, 2).to(self.spatial_map.dtype) / ATLAS_SCALE
        for convolution in self.convolutions:
            features = functional.relu(convolution(features))
        return features


def convolve_patches(convolutions: Iterable[nn.Module], pictures: Tensor) -> Tensor:
    """(pictures, side, side, channels) What convolutions one after the other make of pictures of that form.

    Strides equal kernels, so a picture falls into patches that no two outputs share: a convolution is a product.
    """
    for convolution in convolutions:
        assert isinstance(convolution, nn.Conv2d)
        weight = convolution.weight.permute(0, 2, 3, 1).flatten(1)  # channels last, as in the patches
        patches = split_patches(pictures, convolution.kernel_size[0])
        pictures = functional.relu(functional.linear(patches, weight, convolution.bias))
    return pictures


def split_patches(pictures: Tensor, size: int) -> Tensor:
    """(pictures, rows, columns, size x size x channels) The square patches of (pictures, side, side, channels)."""
    _, side, _, channels = pictures.shape
    patches = pictures.reshape(-1, side // size, size, side // size, size, channels)
    return patches.transpose(2, 3).flatten(3)

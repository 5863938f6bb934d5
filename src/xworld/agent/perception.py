"""Perception: what a tile looks like, and where a cell is.

The four convolutions of the paper never cross a 12-pixel cell, so the network is a function of one tile. A scene is 169
tile ids into an atlas of some 118 tiles: the network runs on the atlas once, and the features of a scene are a gather.
"""

from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn
from torch.nn import functional

from xworld.agent.sizes import CELLS, SPATIAL_FEATURES, VISUAL_FEATURES

ATLAS_SCALE = 255.0


@dataclass(frozen=True)
class Scene:
    """What the agent perceives: a tile in each cell, the features of every tile, and those of every place."""

    tile_ids: Tensor
    """(scenes, 169)"""
    visual: Tensor
    """(tiles, 512)"""
    spatial: Tensor
    """(169, 512)"""
    obstacles: Tensor
    """(tiles,) The environment map's value for each tile."""

    def twice(self) -> "Scene":
        """The same scenes again after themselves."""
        return replace(self, tile_ids=torch.cat([self.tile_ids, self.tile_ids]))

    def environment_map(self) -> Tensor:
        """(scenes, 169) Where something stands in the way."""
        return spread(self.obstacles.expand(len(self.tile_ids), -1), self.tile_ids)

    def gather_features(self, attention: Tensor) -> Tensor:
        """(scenes, 1024) The features of the attended cells, F a."""
        weights = attention.new_zeros(len(attention), len(self.visual)).scatter_add(1, self.tile_ids, attention)
        return torch.cat([weights @ self.visual, attention @ self.spatial], dim=1)


def spread(values: Tensor, tile_ids: Tensor) -> Tensor:
    """(scenes, 169) To each cell the value of its tile; values are (scenes, tiles)."""
    return values.gather(1, tile_ids)


class Perception(nn.Module):
    """The visual network, the map of places, and the filter that sees obstacles."""

    def __init__(self) -> None:
        super().__init__()
        self.convolutions = nn.Sequential(
            nn.Conv2d(3, 64, 3, stride=3),
            nn.Conv2d(64, 64, 2, stride=2),
            nn.Conv2d(64, VISUAL_FEATURES, 2, stride=2),
            nn.Conv2d(VISUAL_FEATURES, VISUAL_FEATURES, 1),
        )
        self.spatial_map = nn.Parameter(torch.randn(CELLS, SPATIAL_FEATURES))
        self.environment_filter = nn.Linear(VISUAL_FEATURES, 1)

    def forward(self, tile_ids: Tensor, atlas: Tensor) -> Scene:
        """Perceive scenes, (scenes, 13, 13) tile ids, made of the tiles of an atlas, (tiles, 12, 12, 3) bytes."""
        visual = self.see(atlas).flatten(1)
        return Scene(tile_ids.flatten(1).long(), visual, self.spatial_map, self.environment_filter(visual).squeeze(1))

    def see(self, pixels: Tensor) -> Tensor:
        """(pictures, 512, height / 12, width / 12) The visual features of pictures of any number of cells."""
        features = pixels.permute(0, 3, 1, 2).to(self.spatial_map.dtype) / ATLAS_SCALE
        for convolution in self.convolutions:
            features = functional.relu(convolution(features))
        return features

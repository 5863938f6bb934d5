"""SAN: the framework with the attention of Stacked Attention Networks (Yang et al. 2016) as its language module.

A sentence attends to the image twice: the features attended to first are added to the query of the second layer.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn
from torch.nn import functional

from xworld.agent.action import Action
from xworld.agent.agent import AttentionModel
from xworld.agent.gpu import half_precision
from xworld.agent.gru import final_states
from xworld.agent.perception import ATLAS_SCALE, Perception, SceneFeatures, convolve_patches, keep_occurring
from xworld.agent.recognition import Recognition
from xworld.agent.sizes import CELLS, SPATIAL_FEATURES, VISUAL_FEATURES
from xworld.agent.word_embedding import Lexicon, WordEmbedding
from xworld.baselines.neighborhood import OFFSETS, distinct_neighborhoods, neighbors

SIZE = 512
"""Of word embeddings, of the GRU's state, and of projected visual features."""
CONVOLVED = 1024
"""Features of the last convolution."""
_CPU_BATCH = 64
"""Scenes per pass on a CPU; the activations of larger passes exceed the cache."""


@dataclass(frozen=True)
class NeighborhoodFeatures(SceneFeatures):
    """Features of 3 x 3 cells: `tile_ids` are numbers of neighborhoods, and visual features are (neighborhoods, 512).

    Visual and spatial features are added, not stacked. There are almost as many neighborhoods as cells, so everything
    is looked up, and nothing has the size scenes x neighborhoods.
    """

    def environment_map(self) -> Tensor:
        """(scenes, 169) Where obstacles are."""
        return functional.embedding(self.tile_ids, self.obstacles.unsqueeze(1)).squeeze(2)

    def attended_features(self, attention: Tensor) -> Tensor:
        """(scenes, 512) The features of the cells, averaged by attention."""
        visual = functional.embedding_bag(self.tile_ids, self.visual, mode="sum", per_sample_weights=attention)
        return visual + attention @ self.spatial


@dataclass(frozen=True)
class CellFeatures(SceneFeatures):
    """The same without lookups, for a GPU: `visual` is (scenes, 169, 512), with the spatial features already added.

    Obstacles are (scenes, 169).
    """

    def __getitem__(self, part: slice) -> SceneFeatures:
        """A slice of the scenes."""
        return replace(super().__getitem__(part), visual=self.visual[part], obstacles=self.obstacles[part])

    def twice(self) -> SceneFeatures:
        """All scenes, then all of them again."""
        visual, obstacles = (torch.cat([values, values]) for values in (self.visual, self.obstacles))
        return replace(super().twice(), visual=visual, obstacles=obstacles)

    def environment_map(self) -> Tensor:
        """(scenes, 169) Where obstacles are."""
        return self.obstacles

    def attended_features(self, attention: Tensor) -> Tensor:
        """(scenes, 512) The features of the cells, averaged by attention."""
        return (attention.unsqueeze(1) @ self.visual).squeeze(1)


class NeighborhoodPerception(Perception):
    """A visual network whose last convolution covers 3 x 3 cells, and a projection to the size of a query."""

    def __init__(self) -> None:
        # Unstated in the paper: padding. One cell of zeros, so that the map stays 13 x 13.
        super().__init__(last=nn.Conv2d(VISUAL_FEATURES, CONVOLVED, 3, padding=1))
        # Unstated in the paper: how 1024 features meet words of 512. By SAN's own projection, without an activation, so
        # that visual and spatial features enter linearly, as in the framework.
        self.projection = nn.Linear(CONVOLVED, SPATIAL_FEATURES)

    def forward(self, tile_ids: Tensor, atlas: Tensor) -> SceneFeatures:
        """Perceive scenes, (scenes, 13, 13) tile ids into an atlas, (tiles, 12, 12, 3) bytes."""
        if tile_ids.is_cuda:  # a GPU processes all neighborhoods faster than it finds duplicates
            return self.perceive_cells(tile_ids, atlas)
        atlas, tile_ids = keep_occurring(atlas, tile_ids.flatten(1).long())
        parts = self.neighbor_parts(atlas)
        around, which = distinct_neighborhoods(neighbors(tile_ids, outside=len(atlas)))
        visual = functional.embedding_bag(around + _parts_of(around, parts), parts, mode="sum").relu_()
        return NeighborhoodFeatures(which, self.projection(visual), self.spatial_map, self._obstacles(visual))

    def perceive_cells(self, tile_ids: Tensor, atlas: Tensor) -> CellFeatures:
        """Perceive every cell by itself, with a product of matrices in place of lookups."""
        tile_ids = tile_ids.flatten(1).long()
        with half_precision(self.spatial_map):
            parts = self.neighbor_parts(atlas)
            around = neighbors(tile_ids, outside=len(atlas)).transpose(1, 2).flatten(0, 1)  # (scenes x 169, 9)
            chosen = parts.new_zeros(len(around), len(parts)).scatter_(1, around + _parts_of(around, parts), 1.0)
            visual = (chosen @ parts).relu_().view(len(tile_ids), CELLS, -1)
            projected, obstacles = self.projection(visual), self._obstacles(visual)
        features = projected + self.spatial_map
        return CellFeatures(tile_ids, features, self.spatial_map, obstacles.to(features.dtype))

    def neighbor_parts(self, tiles: Tensor) -> Tensor:
        """(9 x tiles, 1024) What each tile, then a place beyond the view, adds as each of the nine neighbors."""
        *within_cells, across = self.convolutions
        assert isinstance(across, nn.Conv2d)
        assert across.bias is not None
        images = tiles.to(self.spatial_map.dtype) / ATLAS_SCALE
        features = convolve_patches(within_cells, images).flatten(1)  # (tiles, 512)
        # One more tile, beyond the view, has no features; and more of them, up to what tensor cores multiply at a time.
        features = functional.pad(features, (0, 0, 0, 8 - len(features) % 8))
        parts = features @ across.weight.permute(2, 3, 1, 0).flatten(0, 1)  # (9, tiles, 1024)
        bias = functional.pad(across.bias.unsqueeze(0), (0, 0, OFFSETS // 2, OFFSETS // 2))  # with the cell's own tile
        return (parts + bias.unsqueeze(1).to(parts.dtype)).flatten(0, 1)

    def _obstacles(self, visual: Tensor) -> Tensor:
        obstacles: Tensor = self.environment_filter(visual).squeeze(-1)
        return obstacles


def _parts_of(around: Tensor, parts: Tensor) -> Tensor:
    """(9,) Where the parts of each neighbor begin."""
    return torch.arange(OFFSETS, device=around.device) * (len(parts) // OFFSETS)


class AttentionLayer(nn.Module):
    """Scores each cell by a hidden layer over its features and the query."""

    def __init__(self) -> None:
        super().__init__()
        # Unstated in the paper: the size of the hidden layer. That of its inputs.
        self.scene = nn.Linear(SIZE, SIZE, bias=False)
        self.query = nn.Linear(SIZE, SIZE)
        self.score = nn.Linear(SIZE, 1, bias=False)
        # Inputs start at 1/4 or less. With a gain of 2, the scores of cells start as different as in the framework;
        # without it, they would start equal.
        for layer, gain in ((self.scene, 2.0), (self.query, 2.0), (self.score, 1.0)):
            nn.init.normal_(layer.weight, std=gain * (2 / SIZE) ** 0.5)

    def forward(self, scene: SceneFeatures, queries: Tensor) -> Tensor:
        """(scenes, 169) Logits of attention, of (scenes, 512) queries."""
        visual, query = self.scene(scene.visual), self.query(queries)
        if isinstance(scene, CellFeatures):
            logits: Tensor = self.score((visual + query.unsqueeze(1)).relu_())
            return logits.squeeze(2)
        spatial = self.scene(scene.spatial)
        parts = zip(torch.split(scene.tile_ids, _CPU_BATCH), torch.split(query, _CPU_BATCH), strict=True)
        hidden = (
            functional.embedding(ids, visual).add_(spatial).add_(part.unsqueeze(1)).relu_() for ids, part in parts
        )
        return torch.cat([self.score(part) for part in hidden]).squeeze(2)


class SAN(AttentionModel):
    """Two attention layers; the map of the second drives action and recognition."""

    def __init__(self, words: int, atlas: Tensor) -> None:
        super().__init__(words, atlas)
        self.words = WordEmbedding(words, SIZE, syntax=False)
        self.perception = NeighborhoodPerception()
        self.sentence_rnn = nn.GRU(SIZE, SIZE, batch_first=True)
        self.attention_layers = nn.ModuleList(AttentionLayer() for _ in range(2))
        self.recognition = Recognition()
        self.action = Action()

    def attend(self, scene: SceneFeatures, sentences: Tensor, lexicon: Lexicon) -> tuple[Tensor, Sequence[Tensor]]:
        """(scenes, 169) attention maps of the last layer, and the logits of both layers."""
        logits = self.attention_logits(scene, sentences, lexicon)
        return scene.attend(logits[-1]), (torch.stack(logits),)

    def attention_logits(self, scene: SceneFeatures, sentences: Tensor, lexicon: Lexicon) -> list[Tensor]:
        """(scenes, 169) The logits of attention in each layer."""
        query = final_states(self.sentence_rnn, lexicon.embeddings, sentences.long())
        first, second = self.attention_layers
        logits = first(scene, query)
        return [logits, second(scene, query + scene.attended_features(scene.attend(logits)))]

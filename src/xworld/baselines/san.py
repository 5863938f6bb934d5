"""SAN: the framework, with the attention of Stacked Attention Networks (Yang et al. 2016) as its language module.

A question looks at the picture twice: what the first look gathers is added to the question before the second.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from xworld.agent.action import Action
from xworld.agent.attentive import AttentiveModel, Outcome, distinct
from xworld.agent.gru import read_to_the_end
from xworld.agent.perception import ATLAS_SCALE, Perception, SceneFeatures, convolve_patches, keep_occurring
from xworld.agent.recognition import Recognition
from xworld.agent.sizes import CELLS, SPATIAL_FEATURES, VISUAL_FEATURES
from xworld.agent.word_embedding import Lexicon, WordEmbedding
from xworld.baselines.neighborhood import OFFSETS, distinct_neighborhoods, neighbors

SIZE = 512
"""Of words, of the state that reads them, and of all that is seen, once it is projected."""
SEEN = 1024
"""Features of the last convolution."""
LAYERS = 2
_GAIN = 2.0
"""What goes into a look is of size 1/4 or less at the start. With this gain the scores of cells begin to differ by as
much as in the framework; without one, all cells would begin with the same."""
_AT_A_TIME = 64
"""Scenes that a CPU looks at at a time: what lies between the layers of more fits into no cache."""


@dataclass(frozen=True)
class Surroundings(SceneFeatures):
    """Cells seen with their neighbors: `tile_ids` number neighborhoods, and features are (neighborhoods, 512).

    What is seen and where are added, not stacked. There are as many neighborhoods as cells, or nearly: everything is
    looked up, and nothing is of the size scenes x neighborhoods.
    """

    def environment_map(self) -> Tensor:
        """(scenes, 169) Where something stands in the way."""
        return functional.embedding(self.tile_ids, self.obstacles.unsqueeze(1)).squeeze(2)

    def gather_features(self, attention: Tensor) -> Tensor:
        """(scenes, 512) The features of the attended cells."""
        seen = functional.embedding_bag(self.tile_ids, self.visual, mode="sum", per_sample_weights=attention)
        return seen + attention @ self.spatial


class SurroundingsPerception(Perception):
    """The visual network whose last convolution sees 3 x 3 cells, and its projection to the size of a question."""

    def __init__(self) -> None:
        # Unstated in the paper: padding. One cell of nothing, so that the map stays 13 x 13.
        super().__init__(last=nn.Conv2d(VISUAL_FEATURES, SEEN, 3, padding=1))
        # Unstated in the paper: how 1024 features meet words of 512. By the projection that SAN has for this, without
        # an activation: what is seen and the map of places are then added as the framework's features are, linearly.
        self.projection = nn.Linear(SEEN, SPATIAL_FEATURES)

    def forward(self, tile_ids: Tensor, atlas: Tensor) -> Surroundings:
        """Perceive scenes, (scenes, 13, 13) tile ids, made of the tiles of an atlas, (tiles, 12, 12, 3) bytes."""
        tile_ids = tile_ids.flatten(1).long()
        if tile_ids.is_cuda:
            around = neighbors(tile_ids, outside=len(atlas)).transpose(1, 2).flatten(0, 1)  # of every cell
            which = torch.arange(len(around), device=around.device).view(-1, CELLS)
        else:  # a GPU sees all neighborhoods in less time than it takes to find equal ones
            atlas, tile_ids = keep_occurring(atlas, tile_ids)
            around, which = distinct_neighborhoods(neighbors(tile_ids, outside=len(atlas)))
        seen = self.see_neighborhoods(atlas, around)
        obstacles = self.environment_filter(seen).squeeze(1)
        return Surroundings(which, self.projection(seen), self.spatial_map, obstacles)

    def see_neighborhoods(self, tiles: Tensor, around: Tensor) -> Tensor:
        """(neighborhoods, 1024) The visual features of neighborhoods, (neighborhoods, 9) tiles."""
        *within_cells, across = self.convolutions
        assert isinstance(across, nn.Conv2d)
        assert across.bias is not None
        pictures = tiles.to(self.spatial_map.dtype) / ATLAS_SCALE
        features = convolve_patches(within_cells, pictures).flatten(1)  # (tiles, 512)
        features = functional.pad(features, (0, 0, 0, 1))  # one more tile, beyond the view, with no features
        given = features @ across.weight.permute(2, 3, 1, 0).flatten(0, 1)  # (9, tiles, 1024) to each neighbor
        offsets = torch.arange(OFFSETS, device=around.device) * len(features)
        return functional.relu(
            functional.embedding_bag(around + offsets, given.flatten(0, 1), mode="sum") + across.bias
        )


class AttentionLayer(nn.Module):
    """One look: each cell is scored by a layer over what is seen there and what is asked."""

    def __init__(self) -> None:
        super().__init__()
        # Unstated in the paper: the size of this layer. That of all that goes into it.
        self.scene = nn.Linear(SIZE, SIZE, bias=False)
        self.query = nn.Linear(SIZE, SIZE)
        self.score = nn.Linear(SIZE, 1, bias=False)
        for layer, gain in ((self.scene, _GAIN), (self.query, _GAIN), (self.score, 1.0)):
            nn.init.normal_(layer.weight, std=gain * (2 / SIZE) ** 0.5)

    def forward(self, scene: SceneFeatures, queries: Tensor) -> Tensor:
        """(scenes, 169) Where to look for (scenes, 512) queries."""
        seen, places, asked = self.scene(scene.visual), self.scene(scene.spatial), self.query(queries)
        at_a_time = len(queries) if queries.is_cuda else _AT_A_TIME
        parts = zip(torch.split(scene.tile_ids, at_a_time), torch.split(asked, at_a_time), strict=True)
        return torch.cat([self._score(ids, seen, places, query) for ids, query in parts]).softmax(dim=1)

    def _score(self, tile_ids: Tensor, seen: Tensor, places: Tensor, asked: Tensor) -> Tensor:
        hidden = functional.embedding(tile_ids, seen).add_(places).add_(asked.unsqueeze(1)).relu_()
        scores: Tensor = self.score(hidden).squeeze(2)
        return scores


@dataclass(frozen=True)
class Looks(Outcome):
    """Where each look went, and what came of the last."""

    looks: Tensor
    """(scenes, 2, 169)"""


class SAN(AttentiveModel):
    """Two looks; the second one's map is where to walk, or what to tell of.

    >>> model = SAN(words=105, atlas=torch.zeros(3, 12, 12, 3, dtype=torch.uint8))
    >>> tiles, command = torch.ones(1, 13, 13, dtype=torch.int16), torch.tensor([[13, 44, 41, 66, 2] + [0] * 7])
    >>> model.explain(tiles, command).looks.shape
    torch.Size([1, 2, 169])
    """

    def __init__(self, words: int, atlas: Tensor) -> None:
        super().__init__(words, atlas)
        self.words = WordEmbedding(words, SIZE, syntax=False)
        self.perception = SurroundingsPerception()
        self.sentence_rnn = nn.GRU(SIZE, SIZE, batch_first=True)
        self.looks = nn.ModuleList(AttentionLayer() for _ in range(LAYERS))
        self.recognition = Recognition()
        self.action = Action()

    def attend(self, scene: SceneFeatures, sentences: Tensor, lexicon: Lexicon) -> Tensor:
        """(scenes, 169) Where the last look goes."""
        return self.look(scene, sentences, lexicon)[-1]

    def look(self, scene: SceneFeatures, sentences: Tensor, lexicon: Lexicon) -> list[Tensor]:
        """(scenes, 169) Where each look goes."""
        sentences, which = distinct(sentences.long())
        query = read_to_the_end(self.sentence_rnn, lexicon.embeddings, sentences)
        if which is not None:
            query = query.index_select(0, which)
        first, *others = self.looks
        maps = [first(scene, query)]
        for layer in others:
            query = query + scene.gather_features(maps[-1])
            maps.append(layer(scene, query))
        return maps

    @torch.no_grad()
    def explain(self, tiles: Tensor, sentences: Tensor) -> Looks:
        """Where each look goes, and what comes of the last."""
        lexicon, scene = self.words.lexicon(), self.perceive(tiles)
        maps = self.look(scene, sentences, lexicon)
        outcome = self._come_out(scene, maps[-1], self.intend(sentences, lexicon), lexicon)
        return Looks(**vars(outcome), looks=torch.stack(maps, dim=1))

"""one_glance: a model that reads a sentence once, and attends where things and places match its weightiest words."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

import xworld
from xworld.agent.action import Action
from xworld.agent.agent import AttentionModel
from xworld.agent.perception import Perception, SceneFeatures, tile_values
from xworld.agent.recognition import Recognition
from xworld.agent.sizes import VISUAL_FEATURES, WORD_EMBEDDING
from xworld.agent.word_embedding import Lexicon, WordEmbedding


class OneGlance(AttentionModel):
    """The framework without its program: it finds what a sentence names, but not what lies between two things."""

    def __init__(self, words: int, atlas: Tensor) -> None:
        super().__init__(words, atlas)
        self.words = WordEmbedding(words, syntax=False)
        self.weight = nn.Linear(WORD_EMBEDDING, 1)
        self.perception, self.recognition, self.action = Perception(), Recognition(), Action()

    def attend(self, scene: SceneFeatures, sentences: Tensor, lexicon: Lexicon) -> tuple[Tensor, Sequence[Tensor]]:
        """(scenes, 169) attention maps, and their logits."""
        weights = self.weight(lexicon.embeddings).squeeze(1)[sentences.long()]
        weights = weights.masked_fill(sentences == 0, -1e9).softmax(dim=1)  # finite: a question may be empty
        meaning = torch.einsum("sl,slf->sf", weights, lexicon.embeddings[sentences.long()])
        visual = meaning[:, None, :VISUAL_FEATURES] @ scene.visual.T  # (scenes, 1, tiles)
        spatial = meaning[:, VISUAL_FEATURES:] @ scene.spatial.T
        logits = tile_values(visual, scene.tile_ids).squeeze(1) + spatial
        return logits.softmax(dim=1), (logits,)


xworld.register_model("one_glance", OneGlance)

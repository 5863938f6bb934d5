"""Multimodal (Mao et al. 2015): image and sentence are embedded separately, then projected to a common space."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from xworld.agent.gru import final_states
from xworld.agent.init import init_for_relu
from xworld.baselines.image_model import SIZE, ImageModel


class Multimodal(ImageModel):
    """Joins the embeddings of image and sentence."""

    def __init__(self, words: int, atlas: Tensor) -> None:
        super().__init__(words, atlas)
        # Unstated in the paper: the size of the common space. That of each embedding in it.
        self.common = nn.Linear(2 * SIZE, SIZE)
        init_for_relu(self.common)

    def embed(self, images: Tensor, which: Tensor, sentences: Tensor) -> Tensor:
        """(sentences, 1024) Image and sentence in the common space."""
        states = final_states(self.sentence_rnn, self.words.weight, sentences)
        both = torch.cat([functional.relu(images).index_select(0, which), states], dim=1)
        return functional.relu(self.common(both))

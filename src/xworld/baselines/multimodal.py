"""Multimodal (Mao et al. 2015): image and sentence are embedded separately, then projected to a common space."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from xworld.agent.gru import final_states
from xworld.agent.init import init_for_relu
from xworld.agent.model import distinct_sentences, select_rows
from xworld.baselines.image_model import SIZE, ImageModel


class Multimodal(ImageModel):
    """Joins the embeddings of image and sentence.

    >>> model = Multimodal(words=105, atlas=torch.zeros(3, 12, 12, 3, dtype=torch.uint8))
    >>> tiles, question = torch.ones(1, 13, 13, dtype=torch.int16), torch.tensor([[13, 44, 41, 66, 2] + [0] * 7])
    >>> model.answer(tiles, question).shape
    torch.Size([1, 105])
    """

    def __init__(self, words: int, atlas: Tensor) -> None:
        super().__init__(words, atlas)
        # Unstated in the paper: the size of the common space. That of each embedding in it.
        self.common = nn.Linear(2 * SIZE, SIZE)
        init_for_relu(self.common)

    def embed(self, images: Tensor, which: Tensor, sentences: Tensor) -> Tensor:
        """(sentences, 1024) Image and sentence in the common space."""
        sentences, original = distinct_sentences(sentences)
        states = select_rows(final_states(self.sentence_rnn, self.words.weight, sentences), original)
        both = torch.cat([functional.relu(images).index_select(0, which), states], dim=1)
        return functional.relu(self.common(both))

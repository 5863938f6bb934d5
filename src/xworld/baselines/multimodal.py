"""Multimodal (Mao et al. 2015): image and sentence are embedded apart, and projected to a common space."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from xworld.agent.attentive import distinct
from xworld.agent.gru import read_to_the_end
from xworld.agent.init import init_for_relu
from xworld.baselines.image_model import SIZE, WholePictureModel


class Multimodal(WholePictureModel):
    """Reads the words by themselves, and lays the image beside.

    >>> model = Multimodal(words=105, atlas=torch.zeros(3, 12, 12, 3, dtype=torch.uint8))
    >>> tiles, question = torch.ones(1, 13, 13, dtype=torch.int16), torch.tensor([[13, 44, 41, 66, 2] + [0] * 7])
    >>> model.answer(tiles, question).shape
    torch.Size([1, 105])
    """

    def __init__(self, words: int, atlas: Tensor) -> None:
        super().__init__(words, atlas)
        # Unstated in the paper: the size of the common space. That of what comes together in it.
        self.common = nn.Linear(2 * SIZE, SIZE)
        init_for_relu(self.common)

    def understand(self, images: Tensor, which: Tensor, sentences: Tensor) -> Tensor:
        """(sentences, 1024) Image and sentence together."""
        sentences, said = distinct(sentences)
        summaries = read_to_the_end(self.sentence_rnn, self.words.weight, sentences)
        if said is not None:
            summaries = summaries.index_select(0, said)
        both = torch.cat([functional.relu(images).index_select(0, which), summaries], dim=1)
        return functional.relu(self.common(both))

"""VIS-LSTM (Ren et al. 2015): the image is the first word of the sentence."""

import torch
from torch import Tensor

from xworld.agent.gru import final_states
from xworld.baselines.image_model import ImageModel


class VisLSTM(ImageModel):
    """Reads the image, then the words."""

    def embed(self, images: Tensor, which: Tensor, sentences: Tensor) -> Tensor:
        """(sentences, 1024) The state after the image and all words; images extend the embedding table of the words."""
        table = torch.cat([self.words.weight, images])
        first = self.words.num_embeddings + which
        return final_states(self.sentence_rnn, table, torch.cat([first.unsqueeze(1), sentences], dim=1))

"""Recognition: from what is attended, and what the question is after, to a word."""

import torch
from torch import Tensor, nn

from xworld.agent.recurrence import read, states_at
from xworld.agent.sizes import FUNCTIONALITY_EMBEDDING, RNN_STATE
from xworld.agent.words import Lexicon, Words


class Recognition(nn.Module):
    """The question's intention as a mask over features; the answer is the word whose embedding fits what is left.

    The answer is read with the transposed embedding table, so that a word that was only ever an answer can be
    grounded.
    """

    def __init__(self) -> None:
        super().__init__()
        self.intention_rnn = nn.GRU(FUNCTIONALITY_EMBEDDING, RNN_STATE, batch_first=True)

    def intention(self, questions: Tensor, words: Words, lexicon: Lexicon) -> Tensor:
        """(questions, 1024) Which features the question asks about."""
        (states,) = read([self.intention_rnn], lexicon.functionality, [questions])
        last = (questions != 0).sum(dim=1, keepdim=True).clamp(min=1) - 1
        mask: Tensor = words.mask(states_at(last, states).squeeze(1))
        return mask

    def forward(self, features: Tensor, intention: Tensor, lexicon: Lexicon) -> Tensor:
        """(questions, words) The score of every word; number 0, which is no word, is ruled out."""
        scores = (intention * features) @ lexicon.embeddings.T
        return torch.cat([torch.full_like(scores[:, :1], -torch.inf), scores[:, 1:]], dim=1)

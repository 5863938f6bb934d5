"""Words: one embedding each, and what follows from it alone.

The syntax and functionality embeddings of a word do not depend on the sentence, so they are computed once for the whole
vocabulary and looked up.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from xworld.agent.sizes import (
    FUNCTIONALITY_EMBEDDING,
    MASK_HIDDEN,
    PROJECTION_HIDDEN,
    SYNTAX_EMBEDDING,
    WORD_EMBEDDING,
)


@dataclass(frozen=True)
class Lexicon:
    """All words, number 0 (no word) included."""

    embeddings: Tensor
    """(words, 1024) What a word refers to, by sight and by place."""
    syntax: Tensor
    """(words, 128) What part it plays in a sentence."""
    functionality: Tensor
    """(words, 128) Which features it is about."""


class Words(nn.Module):
    """The embedding table, its two projections, and the masks that functionality embeddings turn into."""

    def __init__(self, words: int) -> None:
        super().__init__()
        self.embeddings = nn.Parameter(torch.randn(words, WORD_EMBEDDING))
        self.syntax = _projection(SYNTAX_EMBEDDING)
        self.functionality = _projection(FUNCTIONALITY_EMBEDDING)
        self.mask = nn.Sequential(
            nn.Linear(FUNCTIONALITY_EMBEDDING, MASK_HIDDEN),
            nn.Tanh(),
            nn.Linear(MASK_HIDDEN, WORD_EMBEDDING),
            nn.Sigmoid(),
        )

    def lexicon(self) -> Lexicon:
        """Everything that is known of the words by themselves."""
        return Lexicon(self.embeddings, self.syntax(self.embeddings), self.functionality(self.embeddings))


def _projection(size: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Linear(WORD_EMBEDDING, PROJECTION_HIDDEN), nn.Tanh(), nn.Linear(PROJECTION_HIDDEN, size), nn.Tanh()
    )

"""WordEmbedding: one embedding each, and what follows from it alone.

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


class WordEmbedding(nn.Module):
    """The embedding table, its two projections, and the masks that functionality embeddings turn into."""

    def __init__(self, words: int, size: int = WORD_EMBEDDING, syntax: bool = True) -> None:
        """WordEmbedding of a size; those of a model that does not project them to their syntax are read as they are."""
        super().__init__()
        self.embeddings = nn.Parameter(torch.randn(words, size))
        self.syntax: nn.Module = _projection(size, SYNTAX_EMBEDDING) if syntax else nn.Identity()
        self.functionality = _projection(size, FUNCTIONALITY_EMBEDDING)
        self.mask = nn.Sequential(
            nn.Linear(FUNCTIONALITY_EMBEDDING, MASK_HIDDEN),
            nn.Tanh(),
            nn.Linear(MASK_HIDDEN, size),
            nn.Sigmoid(),
        )

    def lexicon(self, embedding_noise: Tensor | None = None) -> Lexicon:
        """Everything that is known of the words by themselves.

        Training may add noise to what the two projections see. They then learn what words have in common, and
        generalize to a word that no sentence contained.
        """
        seen = self.embeddings if embedding_noise is None else self.embeddings + embedding_noise
        return Lexicon(self.embeddings, self.syntax(seen), self.functionality(seen))


def _projection(size: int, projected: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Linear(size, PROJECTION_HIDDEN), nn.Tanh(), nn.Linear(PROJECTION_HIDDEN, projected), nn.Tanh()
    )

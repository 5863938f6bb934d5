"""Word embeddings, and everything that is computed from them alone: once for each word, then looked up."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from xworld.agent.sizes import FUNCTIONALITY_EMBEDDING, MASK_HIDDEN, PROJECTION_HIDDEN, SYNTAX_EMBEDDING, WORD_EMBEDDING


@dataclass(frozen=True)
class Lexicon:
    """The embeddings of all words, including number 0 (no word).

    Made for some sentences, it may have only zeros for the role and the features of words that do not occur in them.
    """

    embeddings: Tensor
    """(words, 1024) What a word refers to: visual features, then spatial features."""
    syntax: Tensor
    """(words, 128) Its role in a sentence."""
    functionality: Tensor
    """(words, 128) Which features it is about."""


class WordEmbedding(nn.Module):
    """The embedding table, its two projections, and the network from functionality embeddings to feature masks."""

    def __init__(self, words: int, size: int = WORD_EMBEDDING, syntax: bool = True) -> None:
        """Without `syntax`, for a model that reads the embeddings themselves, there is no syntax projection."""
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

    def lexicon(self, sentences: Tensor | None = None, embedding_noise: Tensor | None = None) -> Lexicon:
        """The embeddings of all words, to read some sentences, or any."""
        # With noise on their input, the projections learn what words have in common, and generalize to a word that was
        # in no sentence.
        noisy = self.embeddings if embedding_noise is None else self.embeddings + embedding_noise
        if sentences is None or sentences.is_cuda:  # a GPU projects all words faster than it finds those that occur
            return Lexicon(self.embeddings, self.syntax(noisy), self.functionality(noisy))
        occur = (torch.bincount(sentences.flatten(), minlength=len(noisy)) > 0).nonzero().squeeze(1)
        projected = (projection(noisy[occur]) for projection in (self.syntax, self.functionality))
        tables = (rows.new_zeros(len(noisy), rows.shape[1]).index_copy(0, occur, rows) for rows in projected)
        return Lexicon(self.embeddings, *tables)


def _projection(size: int, out: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(size, PROJECTION_HIDDEN), nn.Tanh(), nn.Linear(PROJECTION_HIDDEN, out), nn.Tanh())

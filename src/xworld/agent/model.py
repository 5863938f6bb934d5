"""The interface of every model: act on commands, and answer questions, about scenes."""

import copy
from abc import ABC, abstractmethod
from typing import NamedTuple, Self

import torch
from torch import Tensor, nn


class Response(NamedTuple):
    """A model's outputs for commands and questions."""

    logits: Tensor
    """(scenes, 4) of the actions."""
    values: Tensor
    """(scenes,)"""
    scores: Tensor
    """(scenes, words) of the answers."""


class Model(nn.Module, ABC):
    """A model that training, evaluation and checkpoints can handle."""

    atlas: Tensor
    """(tiles, 12, 12, 3) The picture of each tile. The model computes on the atlas's device."""

    def __init__(self, words: int, atlas: Tensor) -> None:
        """`words` is the size of the vocabulary, including number 0, which is no word."""
        super().__init__()
        self.register_buffer("atlas", atlas, persistent=False)

    def with_atlas(self, atlas: Tensor) -> Self:
        """This model with the same weights, before other pictures; tile ids are then those of this atlas."""
        other = copy.copy(self)
        other._buffers = {**self._buffers, "atlas": atlas}
        return other

    @property
    def noise_shape(self) -> torch.Size:
        """The shape of the noise that training passes to `respond`; empty for a model that ignores it."""
        return torch.Size([0])

    @abstractmethod
    def act(self, tiles: Tensor, commands: Tensor) -> tuple[Tensor, Tensor]:
        """(scenes, 4) action logits and (scenes,) values for commands about scenes.

        Scenes are (scenes, 13, 13) tile ids; sentences are (scenes, length) word numbers with zeros at the end.
        """

    @abstractmethod
    def answer(self, tiles: Tensor, questions: Tensor) -> Tensor:
        """(scenes, words) The score of every word as the answer to questions about scenes."""

    def study(self, tiles: Tensor, questions: Tensor, embedding_noise: Tensor, hidden: Tensor) -> tuple[Tensor, Tensor]:
        """The scores of `answer` in training, and how sharp attention is: its mean squared logit.

        `hidden` are the cells that attention passes over, (scenes, 169). A model without attention may ignore them, and
        the noise.
        """
        scores = self.answer(tiles, questions)
        return scores, scores.new_zeros(())

    @abstractmethod
    def respond(
        self,
        tiles: Tensor,
        commands: Tensor,
        questions: Tensor,
        question_tiles: Tensor | None = None,
        embedding_noise: Tensor | None = None,
    ) -> Response:
        """Act and answer in one pass; questions are about the commands' scenes, or about `question_tiles`."""


_ROUNDING = 0.01
"""Logits that differ by less are equally good: two paths of one length differ by errors of rounding alone."""


def best_actions(logits: Tensor) -> Tensor:
    """(scenes,) For (scenes, 4) logits, the first of the best actions; so it is the same one whatever the batch.

    >>> best_actions(torch.tensor([[0.0, 2.0, 2.000001, 1.0]]))
    tensor([1])
    """
    return (logits >= logits.amax(dim=1, keepdim=True) - _ROUNDING).long().argmax(dim=1)


def exclude_padding(scores: Tensor) -> Tensor:
    """(questions, words) Scores in which number 0, which is no word, is never the answer."""
    return torch.cat([torch.full_like(scores[:, :1], -torch.inf), scores[:, 1:]], dim=1)


def distinct_sentences(sentences: Tensor) -> tuple[Tensor, Tensor | None]:
    """The distinct sentences, and for each row the number of its sentence; None if the rows are unchanged."""
    if sentences.is_cuda:  # a GPU processes all sentences faster than it finds duplicates
        return sentences, None
    distinct, which = torch.unique(sentences, dim=0, return_inverse=True)
    return distinct, which


def select_rows(tensor: Tensor, which: Tensor | None) -> Tensor:
    """The rows of a tensor over distinct sentences, one for each original row."""
    return tensor if which is None else tensor.index_select(0, which)

"""What every model can do: act on commands and answer questions about what it sees."""

from abc import ABC, abstractmethod
from typing import NamedTuple

import torch
from torch import Tensor, nn


class Response(NamedTuple):
    """What a model makes of commands and questions, all at once."""

    logits: Tensor
    """(scenes, 4) of the actions."""
    values: Tensor
    """(scenes,)"""
    scores: Tensor
    """(scenes, words) of the answers."""
    attention: Tensor | None
    """(scenes, 169) Where the commands lead, for a model that attends to a place."""
    gate_logits: Tensor | None
    """(2 x scenes, 3) What the gates of commands and questions are made of, for a model that has gates."""


class Model(nn.Module, ABC):
    """A model that can be trained, tested and kept, whatever is inside. All are made of a vocabulary and an atlas."""

    atlas: Tensor
    """(tiles, 12, 12, 3) What tiles look like; where it lies is where the model computes."""

    def __init__(self, words: int, atlas: Tensor) -> None:
        """For so many words, number 0 (no word) included."""
        super().__init__()
        self.register_buffer("atlas", atlas, persistent=False)

    @property
    def noise_shape(self) -> torch.Size:
        """The shape of the noise that `respond` takes; empty for a model that has no use for it."""
        return torch.Size([0])

    @abstractmethod
    def act(self, tiles: Tensor, commands: Tensor) -> tuple[Tensor, Tensor]:
        """(scenes, 4) action logits and (scenes,) values for commands about scenes.

        Scenes are (scenes, 13, 13) tile ids, sentences (scenes, length) word numbers with zeros at the end.
        """

    @abstractmethod
    def answer(self, tiles: Tensor, questions: Tensor) -> Tensor:
        """(scenes, words) The score of every word as the answer to questions about scenes."""

    @abstractmethod
    def respond(
        self,
        tiles: Tensor,
        commands: Tensor,
        questions: Tensor,
        asked_about: Tensor | None = None,
        embedding_noise: Tensor | None = None,
    ) -> Response:
        """Act and answer in one pass; the questions may be about scenes of their own.

        Training passes noise of `noise_shape`.
        """


def rule_out_silence(scores: Tensor) -> Tensor:
    """Scores of (questions, words) in which number 0, which is no word, is never the answer."""
    return torch.cat([torch.full_like(scores[:, :1], -torch.inf), scores[:, 1:]], dim=1)

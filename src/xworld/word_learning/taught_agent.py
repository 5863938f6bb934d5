"""An agent that was taught a word: a larger embedding table, and all other weights shared with the original agent."""

import copy
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from xworld.agent.agent import Agent
from xworld.word_learning.new_object import Picture
from xworld.world.catalogue import Catalogue


@dataclass(frozen=True)
class TaughtAgent:
    """A taught agent, and its catalogue, whose last class has the new word as its name."""

    agent: Agent
    catalogue: Catalogue
    questions: int
    """How many were asked."""
    accuracy: float
    """Of the last batch's questions for the new word, the share answered correctly before the answer was told."""
    seconds: float
    """The duration of teaching."""

    @property
    def word(self) -> str:
        """The word that was taught last."""
        return self.catalogue.classes[-1]

    @property
    def tile(self) -> int:
        """The tile id of the new object, the first if it has several pictures."""
        return self.base_catalogue.tiles

    @property
    def picture(self) -> Picture:
        """The picture of the new object, the first if it has several."""
        assert self.catalogue.addition is not None
        picture: Picture = self.catalogue.addition.pictures[0]
        return picture

    @property
    def base_catalogue(self) -> Catalogue:
        """The catalogue before the word was taught."""
        assert self.catalogue.addition is not None
        return self.catalogue.addition.base

    @property
    def base(self) -> Agent:
        """The agent before the word was taught; it shares all weights but the embedding table."""
        return without_word(self.agent, self.base_catalogue)


def with_word(agent: Agent, embedding: Tensor, catalogue: Catalogue) -> Agent:
    """A copy of the agent with one more word, (1024,), and the tiles of a catalogue.

    The two share the memory of all weights but the embedding table, so neither may be trained further.

    >>> from xworld.training.pretrained import load_agent
    >>> agent, catalogue = load_agent()[0], Catalogue.load()
    >>> extended = with_word(agent, torch.zeros(1024), catalogue)
    >>> len(extended.words.embeddings) - len(agent.words.embeddings)
    1
    >>> extended.perception.spatial_map.data_ptr() == agent.perception.spatial_map.data_ptr()
    True
    """
    return _share(agent, torch.cat([agent.words.embeddings.detach(), embedding.detach()[None]]), catalogue)


def without_word(agent: Agent, catalogue: Catalogue) -> Agent:
    """A copy of the agent without its last word, with the tiles of a catalogue; it shares memory in the same way."""
    return _share(agent, agent.words.embeddings.detach()[:-1].clone(), catalogue)


def _share(agent: Agent, embeddings: Tensor, catalogue: Catalogue) -> Agent:
    """A deep copy whose memo maps each weight to a frozen parameter over the same memory."""
    memo: dict[int, Tensor] = {
        id(weight): nn.Parameter(weight.detach(), requires_grad=False) for weight in agent.parameters()
    }
    memo[id(agent.words.embeddings)] = nn.Parameter(embeddings, requires_grad=False)
    memo[id(agent.atlas)] = torch.from_numpy(catalogue.atlas()).to(agent.atlas.device)
    return copy.deepcopy(agent, memo).eval()

"""An agent that was taught a word: a larger embedding table, and all other weights shared with the original agent."""

import copy
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from xworld.agent.agent import Agent
from xworld.world.catalogue import Catalogue
from xworld.world.state import FIRST_OBJECT


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

    @property
    def word(self) -> str:
        """The word that was taught last."""
        return self.catalogue.classes[-1]

    @property
    def tile(self) -> int:
        """The tile id of the new object, the first if it has several pictures."""
        return self.base_catalogue.tiles

    @property
    def base_catalogue(self) -> Catalogue:
        """The catalogue before the word was taught."""
        assert self.catalogue.addition is not None
        return self.catalogue.addition.base

    @property
    def stand_in_tile(self) -> int:
        """The tile of the first known object with the new object's color, or else of the first object."""
        color, known = self.catalogue.instance_color[-1], self.base_catalogue.instance_color
        return FIRST_OBJECT + (known.index(color) if color in known else 0)

    @property
    def base(self) -> Agent:
        """The agent before the word was taught; it shares all weights but the embedding table."""
        return _share(self.agent, self.agent.words.embeddings.detach()[:-1].clone(), self.base_catalogue)


def with_word(agent: Agent, embedding: Tensor, catalogue: Catalogue) -> Agent:
    """A copy of the agent with one more word, (1024,), and the tiles of a catalogue.

    The two share the memory of all weights but the embedding table, so neither may be trained further.
    """
    return _share(agent, torch.cat([agent.words.embeddings.detach(), embedding.detach()[None]]), catalogue)


def _share(agent: Agent, embeddings: Tensor, catalogue: Catalogue) -> Agent:
    """A deep copy whose memo maps each weight to a frozen parameter over the same memory."""
    memo: dict[int, Tensor] = {
        id(weight): nn.Parameter(weight.detach(), requires_grad=False) for weight in agent.parameters()
    }
    memo |= {id(buffer): buffer for buffer in agent.buffers()}
    memo[id(agent.words.embeddings)] = nn.Parameter(embeddings, requires_grad=False)
    memo[id(agent.atlas)] = torch.from_numpy(catalogue.atlas()).to(agent.atlas.device)
    return copy.deepcopy(agent, memo).eval()

"""An agent with one word more: all its other weights are those of the agent that it was made from."""

import copy

import torch
from torch import Tensor, nn

from xworld.agent.agent import Agent
from xworld.world.catalogue import Catalogue


def with_word(agent: Agent, row: Tensor, catalogue: Catalogue) -> Agent:
    """The agent with a last word of this embedding, (1024,), in worlds of a catalogue.

    The two share the memory of every weight but the table of embeddings, which is new; so neither is to be trained on.

    >>> from xworld.training.pretrained import load_agent
    >>> agent, catalogue = load_agent()[0], Catalogue.load()
    >>> twin = with_word(agent, torch.zeros(1024), catalogue)
    >>> len(twin.words.embeddings) - len(agent.words.embeddings)
    1
    >>> twin.perception.spatial_map.data_ptr() == agent.perception.spatial_map.data_ptr()
    True
    """
    return _share(agent, torch.cat([agent.words.embeddings.detach(), row.detach()[None]]), catalogue)


def without_word(agent: Agent, catalogue: Catalogue) -> Agent:
    """The agent without its last word, in worlds of a catalogue; memory is shared likewise."""
    return _share(agent, agent.words.embeddings.detach()[:-1].clone(), catalogue)


def _share(agent: Agent, embeddings: Tensor, catalogue: Catalogue) -> Agent:
    """A copy in which weights are told to be copied already: they are the same memory, in a frame of its own."""
    copied: dict[int, Tensor] = {
        id(weight): nn.Parameter(weight.detach(), requires_grad=False) for weight in agent.parameters()
    }
    copied[id(agent.words.embeddings)] = nn.Parameter(embeddings, requires_grad=False)
    copied[id(agent.atlas)] = torch.from_numpy(catalogue.atlas()).to(agent.atlas.device)
    return copy.deepcopy(agent, copied).eval()

"""Where learning starts: two ways to draw the weights of an agent that knows no word."""

import torch
from torch import nn

from xworld.agent.attentive import AttentiveModel
from xworld.agent.model import Model
from xworld.agent.perception import Perception
from xworld.agent.word_embedding import WordEmbedding

_LAYERS = nn.Linear, nn.Conv2d, nn.GRU, nn.GRUCell


@torch.no_grad()
def init_balanced(agent: AttentiveModel, spatial_deviation: float, visual_gain: float) -> None:
    """Draw sight and place such that each begins with a say, and action such that what it is shown gets through.

    The rest starts as PyTorch has it.
    """
    agent.perception.spatial_map.normal_(std=spatial_deviation)
    init_for_relu(agent.perception.convolutions)
    last = agent.perception.convolutions[-1]
    assert isinstance(last, nn.Conv2d)
    last.weight.mul_(visual_gain)
    init_for_relu(agent.action.state)


@torch.no_grad()
def init_for_relu(network: nn.Module) -> None:
    """Draw layers such that features keep their size from one to the next (He et al. 2015)."""
    for layer in network.modules():
        if isinstance(layer, nn.Conv2d | nn.Linear):
            nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
            assert layer.bias is not None
            nn.init.zeros_(layer.bias)


@torch.no_grad()
def init_as_printed(agent: Model) -> None:
    """As the paper has it: deviation 1 / sqrt(K) for a layer of K parameters, and 1 for the words."""
    for layer in agent.modules():
        if isinstance(layer, _LAYERS):
            size = sum(parameter.numel() for parameter in layer.parameters())
            for parameter in layer.parameters():
                parameter.normal_(std=size**-0.5)
    for part in agent.modules():
        if isinstance(part, WordEmbedding):
            part.embeddings.normal_(std=1.0)
        elif isinstance(part, nn.Embedding):
            part.weight.normal_(std=1.0)
        elif isinstance(part, Perception):
            # Unstated in the paper: the deviation of the map of places. That of the words with which it is compared.
            part.spatial_map.normal_(std=1.0)

"""Where learning starts: two ways to draw the weights of an agent that knows no word."""

import torch
from torch import nn

from xworld.agent.agent import Agent

_LAYERS = nn.Linear, nn.Conv2d, nn.GRU, nn.GRUCell


@torch.no_grad()
def start_in_balance(agent: Agent, spatial_deviation: float, visual_gain: float) -> None:
    """Draw the map of places, and the convolutions such that features keep their size through the layers.

    The rest starts as PyTorch has it.
    """
    perception = agent.perception
    perception.spatial_map.normal_(std=spatial_deviation)
    weights = [weight for name, weight in perception.convolutions.named_parameters() if name.endswith("weight")]
    for weight in weights:
        nn.init.kaiming_normal_(weight, nonlinearity="relu")
    weights[-1].mul_(visual_gain)


@torch.no_grad()
def start_as_printed(agent: Agent) -> None:
    """As the paper has it: deviation 1 / sqrt(K) for a layer of K parameters, and 1 for the words."""
    for layer in agent.modules():
        if isinstance(layer, _LAYERS):
            size = sum(parameter.numel() for parameter in layer.parameters())
            for parameter in layer.parameters():
                parameter.normal_(std=size**-0.5)
    agent.words.embeddings.normal_(std=1.0)
    # Unstated in the paper: the deviation of the map of places. That of the words with which it is compared.
    agent.perception.spatial_map.normal_(std=1.0)

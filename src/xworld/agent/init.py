"""Weight initialization: ours, and the paper's."""

import torch
from torch import nn

from xworld.agent.action import Action
from xworld.agent.agent import AttentionModel
from xworld.agent.model import Model

_SPATIAL_STD, _VISUAL_GAIN = 0.1, 0.4


@torch.no_grad()
def init_balanced(agent: AttentionModel) -> None:
    """Scale perception so that visual and spatial scores start at a similar magnitude, and action for its ReLUs.

    If one kind of score drowns the other out, its words are never learned. Everything else keeps PyTorch's default
    initialization.
    """
    agent.perception.spatial_map.normal_(std=_SPATIAL_STD)
    init_for_relu(agent.perception.convolutions)
    last = agent.perception.convolutions[-1]
    assert isinstance(last, nn.Conv2d)
    last.weight.mul_(_VISUAL_GAIN)
    if isinstance(agent.action, Action):
        init_for_relu(agent.action.state)


@torch.no_grad()
def init_for_relu(network: nn.Module) -> None:
    """Initialize layers so that activations keep their scale from one to the next (He et al. 2015)."""
    for layer in network.modules():
        if isinstance(layer, nn.Conv2d | nn.Linear):
            nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
            assert layer.bias is not None
            nn.init.zeros_(layer.bias)


@torch.no_grad()
def init_as_printed(agent: Model) -> None:
    """Initialize as the paper says: standard deviation 1 / sqrt(K) for a layer of K parameters, 1 for words."""
    for layer in agent.modules():
        if isinstance(layer, nn.Linear | nn.Conv2d | nn.GRU | nn.GRUCell):
            size = sum(parameter.numel() for parameter in layer.parameters())
            for parameter in layer.parameters():
                parameter.normal_(std=size**-0.5)
    for name, parameter in agent.named_parameters():
        # Unstated in the paper: the deviation of the spatial map. That of the words it is compared with.
        if name in ("words.embeddings", "words.weight", "perception.spatial_map"):
            parameter.normal_(std=1.0)

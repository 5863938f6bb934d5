"""Where learning starts: two ways to draw the weights of an agent that knows no word."""

import torch
from torch import nn

from xworld.agent.attentive import AttentiveModel
from xworld.agent.model import Model
from xworld.agent.perception import Perception
from xworld.agent.words import Words

_NARROW_BIAS = 0.5
"""The second convolution of the action module has four channels. Where they start around zero, early training
switches two or three of them off for good, and runs that were left with one obeyed less well."""
_LAYERS = nn.Linear, nn.Conv2d, nn.GRU, nn.GRUCell


@torch.no_grad()
def start_in_balance(agent: AttentiveModel, spatial_deviation: float, visual_gain: float) -> None:
    """Draw sight and place such that each begins with a say, and action such that no channel dies.

    The rest starts as PyTorch has it.
    """
    agent.perception.spatial_map.normal_(std=spatial_deviation)
    weights = [weight for name, weight in agent.perception.convolutions.named_parameters() if name.endswith("weight")]
    for weight in weights:  # features keep their size through the layers (He et al. 2015)
        nn.init.kaiming_normal_(weight, nonlinearity="relu")
    weights[-1].mul_(visual_gain)
    dict(agent.action.state.named_parameters())["2.bias"].fill_(_NARROW_BIAS)


@torch.no_grad()
def start_as_printed(agent: Model) -> None:
    """As the paper has it: deviation 1 / sqrt(K) for a layer of K parameters, and 1 for the words."""
    for layer in agent.modules():
        if isinstance(layer, _LAYERS):
            size = sum(parameter.numel() for parameter in layer.parameters())
            for parameter in layer.parameters():
                parameter.normal_(std=size**-0.5)
    for part in agent.modules():
        if isinstance(part, Words):
            part.embeddings.normal_(std=1.0)
        elif isinstance(part, nn.Embedding):
            part.weight.normal_(std=1.0)
        elif isinstance(part, Perception):
            # Unstated in the paper: the deviation of the map of places. That of the words with which it is compared.
            part.spatial_map.normal_(std=1.0)

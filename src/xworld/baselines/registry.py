"""All models by name: the paper's framework and its five baselines.

Importing this module loads neither torch nor any model; a model's own module is loaded when the model is made.
"""

from __future__ import annotations

from pkgutil import resolve_name
from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from torch import Tensor

    from xworld.agent.model import Model

ModelName = Literal["framework", "simple_attention", "no_trans_share", "vis_lstm", "multimodal", "san"]
MODEL_NAMES: tuple[ModelName, ...] = get_args(ModelName)

_CLASSES = {
    "framework": "xworld.agent.agent:Agent",
    "simple_attention": "xworld.baselines.simple_attention:SimpleAttention",
    "no_trans_share": "xworld.baselines.no_trans_share:NoTransShare",
    "vis_lstm": "xworld.baselines.vis_lstm:VisLSTM",
    "multimodal": "xworld.baselines.multimodal:Multimodal",
    "san": "xworld.baselines.san:SAN",
}


class ModelError(ValueError):
    """An unknown model name; the message lists the known ones."""


def make_model(name: str, words: int, atlas: Tensor, temperature: float = 1.0) -> Model:
    """A new, untrained model; the temperature of word attention is for models with a programmer.

    >>> import torch
    >>> atlas = torch.zeros(3, 12, 12, 3, dtype=torch.uint8)
    >>> model = make_model("simple_attention", words=105, atlas=atlas)
    >>> tiles, command = torch.ones(1, 13, 13, dtype=torch.int16), torch.tensor([[13, 44, 41, 66, 2] + [0] * 7])
    >>> logits, values = model.act(tiles, command)
    >>> logits.shape, values.shape
    (torch.Size([1, 4]), torch.Size([1]))
    >>> make_model("simple_atention", words=105, atlas=atlas)
    Traceback (most recent call last):
        ...
    xworld.baselines.registry.ModelError: no model 'simple_atention'; there are framework, ...
    """
    from xworld.agent.agent import Agent

    if name not in _CLASSES:
        raise ModelError(f"no model {name!r}; there are {', '.join(_CLASSES)}")
    model: type[Model] = resolve_name(_CLASSES[name])
    return model(words, atlas, temperature) if issubclass(model, Agent) else model(words, atlas)

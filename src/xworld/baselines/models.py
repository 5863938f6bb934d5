"""All models by their names: the paper's framework, and its five baselines."""

from collections.abc import Mapping

from torch import Tensor

from xworld.agent.agent import Agent
from xworld.agent.model import Model
from xworld.baselines.multimodal import Multimodal
from xworld.baselines.no_trans_share import NoTransShare
from xworld.baselines.san import SAN
from xworld.baselines.simple_attention import SimpleAttention
from xworld.baselines.vis_lstm import VisLSTM

MODELS: Mapping[str, type[Model]] = {
    "framework": Agent,
    "simple_attention": SimpleAttention,
    "no_trans_share": NoTransShare,
    "vis_lstm": VisLSTM,
    "multimodal": Multimodal,
    "san": SAN,
}


class ModelError(ValueError):
    """A model that there is not; the message lists those that there are."""


def make_model(name: str, words: int, atlas: Tensor, temperature: float = 1.0) -> Model:
    """A new model that knows no word; the temperature is that of word attention, for models that have it.

    >>> import torch
    >>> make_model("simple_atention", words=105, atlas=torch.zeros(3, 12, 12, 3))
    Traceback (most recent call last):
        ...
    xworld.baselines.models.ModelError: no model 'simple_atention'; there are framework, ...
    """
    if name not in MODELS:
        raise ModelError(f"no model {name!r}; there are {', '.join(MODELS)}")
    kind = MODELS[name]
    return kind(words, atlas, temperature) if issubclass(kind, Agent) else kind(words, atlas)

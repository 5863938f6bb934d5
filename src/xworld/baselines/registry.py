"""All models by name: the framework with a planner, as in the paper, its five baselines, and your own.

Importing this module loads neither torch nor any model; a model's own module is loaded when the model is made.
"""

from __future__ import annotations

from pkgutil import resolve_name
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor

    from xworld.agent.model import Model

_CLASSES = {
    "planner": "xworld.agent.planner:PlanningAgent",
    "framework": "xworld.agent.agent:Agent",
    "simple_attention": "xworld.baselines.simple_attention:SimpleAttention",
    "no_trans_share": "xworld.baselines.no_trans_share:NoTransShare",
    "vis_lstm": "xworld.baselines.vis_lstm:VisLSTM",
    "multimodal": "xworld.baselines.multimodal:Multimodal",
    "san": "xworld.baselines.san:SAN",
}
_REGISTERED: dict[str, type[Model]] = {}
MODEL_NAMES = tuple(_CLASSES)
"""The framework with a planner, and then the models of the paper, in its order."""
FRAMEWORKS = "planner", "framework"
"""The models that compile a sentence to a program and answer with the same words."""


class ModelError(ValueError):
    """A model that is not known or cannot be registered; the message says why."""


def register_model(name: str, model: type[Model]) -> None:
    """Give a model of your own a name, by which it can be trained and tested like those of the package.

    It is a subclass of `xworld.agent.model.Model` that is made from a number of words and an atlas. A file that calls
    this makes it a model of every command, given by `--extend FILE`: see examples/own_model.py.

    >>> import xworld
    >>> from xworld.baselines.simple_attention import SimpleAttention
    >>> class MyModel(SimpleAttention):
    ...     pass
    >>> xworld.register_model("my_model", MyModel)
    >>> agent = xworld.train("tiny", model="my_model", num_envs=8, buffer_size=64, total_steps=64)
    >>> type(agent.model).__name__
    'MyModel'
    """
    from xworld.agent.model import Model

    if not (isinstance(name, str) and name.isidentifier()):
        raise ModelError(f"name={name!r}: expected a name of letters, digits and underscores, such as 'my_model'")
    if not (isinstance(model, type) and issubclass(model, Model)):
        raise ModelError(f"model={model!r}: expected a subclass of xworld.agent.model.Model")
    if name in _CLASSES or _REGISTERED.get(name, model) is not model:
        raise ModelError(f"there is already a model {name!r}; choose another name")
    _REGISTERED[name] = model


def registered_models() -> tuple[str, ...]:
    """The names of the models that are not the paper's."""
    return tuple(_REGISTERED)


def check_model(name: str) -> str:
    """The name of a model; one that is not known is refused."""
    known = (*MODEL_NAMES, *_REGISTERED)
    if name not in known:
        raise ModelError(f"no model {name!r}; there are {', '.join(known)}")
    return name


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
    xworld.baselines.registry.ModelError: no model 'simple_atention'; there are planner, framework, ...
    """
    from xworld.agent.agent import Agent

    model: type[Model] = _REGISTERED.get(check_model(name)) or resolve_name(_CLASSES[name])
    return model(words, atlas, temperature) if issubclass(model, Agent) else model(words, atlas)

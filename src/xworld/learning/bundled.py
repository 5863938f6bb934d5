"""Agents from files: those that come with the package, and your own."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from xworld.agent.agent import Agent
from xworld.learning.checkpoint import check_shapes, load_weights
from xworld.teacher.grammar import Grammar
from xworld.world.catalogue import Catalogue

BUNDLED: Mapping[str, Path] = {"Standard": Path(__file__).parents[1] / "weights" / "standard.safetensors"}
"""The trained agents in the package, by the condition under which they were trained."""


def load_agent(path: str | Path | None = None, catalogue: Catalogue | None = None) -> tuple[Agent, dict[str, Any]]:
    """A trained agent and where it comes from; without a path, the one in the package.

    >>> agent, provenance = load_agent()
    >>> provenance["condition"]
    'Standard'
    """
    catalogue = catalogue or Catalogue.load()
    words = Grammar(catalogue).vocabulary.words
    file = Path(path) if path is not None else BUNDLED["Standard"]
    tensors, provenance = load_weights(file, catalogue.classes, words)
    agent = Agent(words=len(words), atlas=torch.from_numpy(catalogue.atlas()))
    check_shapes(tensors, {name: tensor.shape for name, tensor in agent.state_dict().items()}, str(file))
    agent.load_state_dict({name: tensor.float() for name, tensor in tensors.items()})
    return agent.eval(), provenance

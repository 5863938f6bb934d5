"""An agent that fails now and then: the one of the package, blind to whatever is in the way."""

from pathlib import Path

import torch

from xworld.agent.agent import Agent
from xworld.agent.planner import Planner
from xworld.teacher.grammar import Grammar
from xworld.training.checkpoint import save_weights
from xworld.training.pretrained import load_model
from xworld.world.catalogue import Catalogue


def blind_agent() -> Agent:
    agent, _ = load_model()
    assert isinstance(agent.action, Planner)
    layer = agent.action.cell[0]
    assert isinstance(layer, torch.nn.Linear)
    with torch.no_grad():
        layer.weight[:, 1] = 0  # of the environment map
    return agent


def save_blind_agent(path: Path) -> None:
    catalogue = Catalogue.load()
    words = Grammar(catalogue).vocabulary.words
    save_weights(path, blind_agent(), {"model": "planner", "condition": "Standard"}, catalogue.classes, words)

"""Taught agents that several tests look at: taught once."""

import pytest

from new_things import KEY, ROCKET, STRIPES
from xworld.agent.agent import Agent
from xworld.training.pretrained import load_model
from xworld.word_learning import TaughtAgent, teach
from xworld.world.catalogue import Catalogue


@pytest.fixture(scope="session")
def agent() -> Agent:
    return load_model()[0]


@pytest.fixture(scope="session")
def zebra(agent: Agent, catalogue: Catalogue) -> TaughtAgent:
    return teach(agent, catalogue, "zebra", STRIPES)


@pytest.fixture(scope="session")
def zebra_and_rocket(zebra: TaughtAgent) -> TaughtAgent:
    return teach(zebra.agent, zebra.catalogue, "rocket", ROCKET)


@pytest.fixture(scope="session")
def zebra_and_key(zebra: TaughtAgent) -> TaughtAgent:
    return teach(zebra.agent, zebra.catalogue, "key", KEY, "yellow")

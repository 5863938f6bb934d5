"""A server for the tests of the demo, in a thread of this process, and a client for it."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import httpx
import pytest
import torch
from starlette.types import ASGIApp

from processes import wait_until
from xworld.demo.agent_registry import AgentRegistry
from xworld.demo.agents import DemoAgent, load_agents
from xworld.demo.app import make_app, warm_up
from xworld.demo.lesson_queue import LessonQueue
from xworld.demo.limits import Limits
from xworld.demo.server import make_server, open_socket, url_of

Post = Callable[..., httpx.Response]

LIMITS = Limits(max_waiting_lessons=2, teaching_niceness=0, word_sessions=20, rest_sessions=40)
"""Smaller than those of the demo, and teaching has full priority: test machines are busy."""


@cache
def bundled_agents() -> dict[str, DemoAgent]:
    """The bundled agents, loaded once for all tests of a process."""
    threads, agents = torch.get_num_threads(), load_agents()
    warm_up(agents.values())
    torch.set_num_threads(threads)
    return agents


@contextmanager
def serving(agents: dict[str, DemoAgent]) -> Iterator[str]:
    """The address of a demo with some agents."""
    registry = AgentRegistry(agents, max_taught=5)
    with serving_app(make_app(registry, LessonQueue(registry, LIMITS), LIMITS), LIMITS) as url:
        yield url


@contextmanager
def serving_app(app: ASGIApp, limits: Limits) -> Iterator[str]:
    """The address of a server with any application."""
    with open_socket("127.0.0.1", 0) as listening:
        server = make_server(app, limits)
        thread = threading.Thread(target=server.run, args=[[listening]])
        thread.start()
        wait_until(lambda: server.started)
        yield url_of(listening)
        server.should_exit = True
        thread.join(timeout=60)
        assert not thread.is_alive()


@pytest.fixture(scope="session")
def agents() -> dict[str, DemoAgent]:
    return bundled_agents()


@pytest.fixture(scope="session")
def agent(agents: dict[str, DemoAgent]) -> DemoAgent:
    return agents["standard"]


@pytest.fixture(scope="session")
def url(agents: dict[str, DemoAgent]) -> Iterator[str]:
    """The address of a server with the bundled agents."""
    with serving(agents) as address:
        yield address


@pytest.fixture(scope="session")
def client(url: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=url, timeout=300) as client:
        yield client


@pytest.fixture(scope="session")
def post(client: httpx.Client) -> Post:
    """Sends fields as JSON, for the standard agent unless another is named."""

    def send(path: str, **fields: Any) -> httpx.Response:
        return client.post(path, json={"agent": "standard", **fields})

    return send


@pytest.fixture
def scene() -> dict[str, Any]:
    """A red apple in the north, a wall beside it, and the agent in the south."""
    grid = [[1] * 7 for _ in range(7)]
    grid[0][3], grid[0][4] = 4, 2
    return {"size": 7, "grid": grid, "at": [5, 3]}

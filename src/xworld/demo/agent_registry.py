"""All agents by key: those the server started with, and those that visitors taught, which it keeps in memory."""

import secrets
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from threading import Lock

from xworld.demo.agents import DemoAgent
from xworld.demo.errors import GONE, RequestError, quote
from xworld.demo.scene_oracle import SceneOracle
from xworld.demo.sentence_cache import cached_compiler
from xworld.word_learning import TaughtAgent

MAX_TAUGHT_AGENTS = 10
"""Each takes about a megabyte."""
MAX_TAUGHT_WORDS = 8
"""Words that one agent can be taught."""
_PREFIX = "taught-"


class AgentRegistry:
    """Taught agents have keys that nobody can guess; the least recently used one is dropped first.

    >>> from xworld.demo.agents import load_agents
    >>> AgentRegistry(load_agents())["taught-long-ago"]
    Traceback (most recent call last):
        ...
    xworld.demo.errors.RequestError: This taught agent is no longer here; teach it again.
    """

    def __init__(self, permanent: Mapping[str, DemoAgent], max_taught: int = MAX_TAUGHT_AGENTS) -> None:
        self._permanent, self._max_taught = dict(permanent), max_taught
        self._taught: OrderedDict[str, DemoAgent] = OrderedDict()
        self._lock = Lock()

    def __iter__(self) -> Iterator[DemoAgent]:
        """The agents that the server started with."""
        return iter(self._permanent.values())

    def __getitem__(self, key: str | None) -> DemoAgent:
        """The agent with a key, which counts as used now."""
        if key is None:
            raise RequestError(f"agent is missing; there are {', '.join(self._permanent)}.")
        if key in self._permanent:
            return self._permanent[key]
        with self._lock:
            if key in self._taught:
                self._taught.move_to_end(key)
                return self._taught[key]
        if key.startswith(_PREFIX):
            raise RequestError("This taught agent is no longer here; teach it again.", GONE)
        raise RequestError(f"There is no agent {quote(key)}; there are {', '.join(self._permanent)}.")

    def add(self, base: DemoAgent, taught: TaughtAgent) -> DemoAgent:
        """Keep an agent that was taught a word, under a new key."""
        agent = DemoAgent(
            key=_PREFIX + secrets.token_urlsafe(16),
            title=f"{base.title} + {taught.word}",
            note=f"{base.note} Then taught the word {taught.word} in {taught.seconds:.0f} s, only as an answer.",
            model=taught.agent,
            holdout=base.holdout,
            oracle=SceneOracle(taught.catalogue),
            compile=cached_compiler(taught.agent, 8),  # one visitor says fewer things than all together
            taught=(*base.taught, taught.word),
        )
        with self._lock:
            self._taught[agent.key] = agent
            while len(self._taught) > self._max_taught:
                self._taught.popitem(last=False)
        return agent

"""Agents that visitors taught: kept in memory under keys that nobody can guess, the longest unused forgotten first."""

import secrets
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from threading import Lock

from xworld.demo.agents import DemoAgent
from xworld.demo.errors import GONE, RequestError
from xworld.demo.fields import quote
from xworld.demo.scene_oracle import SceneOracle
from xworld.demo.sentence_cache import Memory
from xworld.word_learning import TaughtAgent

MOST_TAUGHT = 100
"""Taught agents that are kept; each takes half a megabyte for its words, and up to one for sentences it remembers."""
MOST_WORDS = 8
"""Words that one agent can be taught."""

_REMEMBERED = 32
"""Sentences that a taught agent remembers: one visitor says fewer things than all together."""
_PREFIX = "taught-"


class AgentRegistry:
    """All agents by their keys: those that are there for everybody, and those that were taught.

    >>> from xworld.demo.agents import load_agents
    >>> AgentRegistry(load_agents())["taught-long-ago"]
    Traceback (most recent call last):
        ...
    xworld.demo.errors.RequestError: This taught agent is no longer here; teach it again.
    """

    def __init__(self, lasting: Mapping[str, DemoAgent], most: int = MOST_TAUGHT) -> None:
        self._lasting, self._most = dict(lasting), most
        self._taught: OrderedDict[str, DemoAgent] = OrderedDict()
        self._turn = Lock()

    def __iter__(self) -> Iterator[DemoAgent]:
        """Those that are there for everybody."""
        return iter(self._lasting.values())

    def __getitem__(self, key: str | None) -> DemoAgent:
        """The agent of a key, which counts as used now."""
        if key is None:
            raise RequestError(f"agent is missing; there are {', '.join(self._lasting)}.")
        if key in self._lasting:
            return self._lasting[key]
        with self._turn:
            if key in self._taught:
                self._taught.move_to_end(key)
                return self._taught[key]
        if key.startswith(_PREFIX):
            raise RequestError("This taught agent is no longer here; teach it again.", GONE)
        raise RequestError(f"There is no agent {quote(key)}; there are {', '.join(self._lasting)}.")

    def add(self, base: DemoAgent, taught: TaughtAgent) -> DemoAgent:
        """Keep what became of an agent; the same words under a new key."""
        mind = DemoAgent(
            key=_PREFIX + secrets.token_urlsafe(16),
            title=f"{base.title} + {taught.word}",
            note=f"{base.note} Then taught the word {taught.word} in {taught.seconds:.0f} s, as an answer alone.",
            agent=taught.agent,
            holdout=base.holdout,
            classroom=SceneOracle(taught.catalogue),
            memory=Memory(taught.agent, _REMEMBERED),
            taught=(*base.taught, taught.word),
        )
        with self._turn:
            self._taught[mind.key] = mind
            while len(self._taught) > self._most:
                self._taught.popitem(last=False)
        return mind

"""Agents that visitors taught: kept in memory under keys that nobody can guess, the longest unused forgotten first."""

import secrets
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from threading import Lock

from xworld.demo.classroom import Classroom
from xworld.demo.fields import quote
from xworld.demo.memory import Memory
from xworld.demo.minds import Mind
from xworld.demo.refusal import GONE, Refusal
from xworld.teaching import Taught

MOST_TAUGHT = 100
"""Taught agents that are kept; each takes half a megabyte for its words, and up to one for sentences it remembers."""
MOST_WORDS = 8
"""Words that one agent can be taught."""

_REMEMBERED = 32
"""Sentences that a taught agent remembers: one visitor says fewer things than all together."""
_PREFIX = "taught-"


class Minds:
    """All agents by their keys: those that are there for everybody, and those that were taught.

    >>> from xworld.demo.minds import load_minds
    >>> Minds(load_minds())["taught-long-ago"]
    Traceback (most recent call last):
        ...
    xworld.demo.refusal.Refusal: This taught agent is no longer here; teach it again.
    """

    def __init__(self, lasting: Mapping[str, Mind], most: int = MOST_TAUGHT) -> None:
        self._lasting, self._most = dict(lasting), most
        self._taught: OrderedDict[str, Mind] = OrderedDict()
        self._turn = Lock()

    def __iter__(self) -> Iterator[Mind]:
        """Those that are there for everybody."""
        return iter(self._lasting.values())

    def __getitem__(self, key: str | None) -> Mind:
        """The agent of a key, which counts as used now."""
        if key is None:
            raise Refusal(f"agent is missing; there are {', '.join(self._lasting)}.")
        if key in self._lasting:
            return self._lasting[key]
        with self._turn:
            if key in self._taught:
                self._taught.move_to_end(key)
                return self._taught[key]
        if key.startswith(_PREFIX):
            raise Refusal("This taught agent is no longer here; teach it again.", GONE)
        raise Refusal(f"There is no agent {quote(key)}; there are {', '.join(self._lasting)}.")

    def add(self, base: Mind, taught: Taught) -> Mind:
        """Keep what became of an agent; the same words under a new key."""
        mind = Mind(
            key=_PREFIX + secrets.token_urlsafe(16),
            title=f"{base.title} + {taught.word}",
            note=f"{base.note} Then taught the word {taught.word} in {taught.seconds:.0f} s, as an answer alone.",
            agent=taught.agent,
            holdout=base.holdout,
            classroom=Classroom(taught.catalogue),
            memory=Memory(taught.agent, _REMEMBERED),
            taught=(*base.taught, taught.word),
        )
        with self._turn:
            self._taught[mind.key] = mind
            while len(self._taught) > self._most:
                self._taught.popitem(last=False)
        return mind

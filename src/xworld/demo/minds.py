"""The agents of the demo: those of the package, and files that a person named."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from xworld.agent.agent import Agent
from xworld.demo.classroom import Classroom
from xworld.demo.memory import Memory
from xworld.evaluation.zero_shot import holdout_of
from xworld.learning.bundled import BUNDLED, load_agent
from xworld.learning.sealed_file import CheckpointError
from xworld.teacher.grammar import Grammar, Sentence
from xworld.teacher.holdout import Holdout
from xworld.teaching import load_catalogue
from xworld.world.catalogue import Catalogue


@dataclass(frozen=True)
class Mind:
    """An agent, what it is called, and a teacher who knows its words."""

    key: str
    title: str
    note: str
    """How it was trained, in a sentence."""
    agent: Agent
    holdout: Holdout
    classroom: Classroom
    memory: Memory
    taught: tuple[str, ...] = ()
    """Words that it was taught by its visitor, as answers alone."""

    def never_heard(self, sentence: Sentence) -> bool:
        """Whether no sentence like it was said when the agent learned."""
        return self.holdout.holds_out(sentence) or not {sentence.object, sentence.second}.isdisjoint(self.taught)

    @property
    def grammar(self) -> Grammar:
        """The language that it knows."""
        return self.classroom.grammar

    @property
    def catalogue(self) -> Catalogue:
        """What there is in its world."""
        return self.classroom.catalogue


def load_minds(files: Iterable[Path] = ()) -> dict[str, Mind]:
    """All agents of the package by their keys, and those of files.

    >>> load_minds()["standard"].title
    'Standard'
    """
    classroom = Classroom(Catalogue.load())
    minds: dict[str, Mind] = {}
    for title, path in [*BUNDLED.items(), *((path.stem, _refuse_taught(path)) for path in files)]:
        agent, provenance = load_agent(path, classroom.catalogue, model="framework")
        assert isinstance(agent, Agent)
        holdout = holdout_of(provenance, classroom.catalogue)
        key = _free_key(title, minds)
        minds[key] = Mind(key, title, describe_training(provenance, holdout), agent, holdout, classroom, Memory(agent))
    return minds


def _refuse_taught(path: Path) -> Path:
    """A file, unless its agent was taught words: the pictures of all agents of the demo are the same."""
    if words := load_catalogue(path).added_classes:
        raise CheckpointError(
            f"{path} was taught {', '.join(words)}; show the agent that it was made from, and teach it on the page"
        )
    return path


def describe_training(provenance: Mapping[str, Any], holdout: Holdout) -> str:
    """How an agent was trained, in a sentence.

    >>> describe_training({"frames": 9_000_000}, Holdout("NWNavRec", ("cat", "dog"), also_in_questions=True))
    'Trained for 9.0 million steps; no command or question ever named cat and dog, which it knows only as answers.'
    """
    frames = provenance.get("frames")
    how = f"Trained for {frames / 1e6:.1f} million steps" if isinstance(frames, int) else "Trained"
    if holdout.objects:
        words = " and ".join(filter(None, (", ".join(holdout.objects[:-1]), holdout.objects[-1])))
        where = "command or question" if holdout.also_in_questions else "command"
        ending = ", which it knows only as answers" if holdout.also_in_questions else ""
        return f"{how}; no {where} ever named {words}{ending}."
    pairs = len(holdout.object_locations) + len(holdout.object_colours) + len(holdout.object_pairs)
    if pairs:
        return f"{how}; {pairs} combinations of words never stood together in a command."
    return f"{how} with all words and all combinations of them."


def _free_key(title: str, taken: Mapping[str, Mind]) -> str:
    """A key that fits into a link and that no other agent has."""
    key = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "agent"
    numbered = (f"{key}-{number}" for number in range(2, len(taken) + 3))
    return key if key not in taken else next(other for other in numbered if other not in taken)

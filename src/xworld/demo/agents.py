"""The agents of the demo: those of the package, and files that a person named."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from xworld.agent.agent import Agent
from xworld.demo.scene_oracle import SceneOracle
from xworld.demo.sentence_cache import Memory
from xworld.evaluation.zero_shot import holdout_of
from xworld.teacher.grammar import Grammar, Sentence
from xworld.teacher.holdout import Holdout, HoldoutError
from xworld.training.checked_file import CheckpointError
from xworld.training.pretrained import PRETRAINED, load_agent
from xworld.word_learning import load_catalogue
from xworld.world.catalogue import Catalogue


@dataclass(frozen=True)
class DemoAgent:
    """An agent, what it is called, and a teacher who knows its words."""

    key: str
    title: str
    note: str
    """How it was trained, in a sentence."""
    agent: Agent
    holdout: Holdout
    classroom: SceneOracle
    memory: Memory
    taught: tuple[str, ...] = ()
    """Words that it was taught after its training, as answers alone."""

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


def load_agents(files: Iterable[Path] = ()) -> dict[str, DemoAgent]:
    """All agents of the package by their keys, and those of files, also such as were taught words.

    >>> load_agents()["standard"].title
    'Standard'
    """
    shared, minds = SceneOracle(Catalogue.load()), dict[str, DemoAgent]()
    for title, path in [*PRETRAINED.items(), *((_title_of(path), path) for path in files)]:
        catalogue = load_catalogue(path)
        classroom = SceneOracle(catalogue) if catalogue.added_classes else shared
        mind = _load(_free_key(title, minds), title, path, classroom)
        minds[mind.key] = mind
    return minds


def _load(key: str, title: str, path: Path, classroom: SceneOracle) -> DemoAgent:
    taught = classroom.catalogue.added_classes
    agent, provenance = load_agent(path, classroom.catalogue, model="framework")
    assert isinstance(agent, Agent)
    try:
        holdout = _before_teaching(holdout_of(provenance), provenance, taught)
    except HoldoutError as error:
        raise CheckpointError(f"{path} describes its training wrongly: {error}") from error
    note = " ".join(filter(None, (describe_training(provenance, holdout), _describe_teaching(taught))))
    return DemoAgent(key, title, note, agent, holdout, classroom, Memory(agent), taught)


def _before_teaching(holdout: Holdout, provenance: Mapping[str, Any], taught: Collection[str]) -> Holdout:
    """What was held out of training: a file has the words that were taught later among them."""
    if not taught:
        return holdout
    words = tuple(word for word in holdout.objects if word not in taught)
    condition = provenance.get("condition", "Standard")
    return replace(holdout, condition=condition, objects=words, also_in_questions=condition == "NWNavRec")


def _title_of(path: Path) -> str:
    """What a file is called; of a run, the name of its folder, for all of them call their agent the same.

    >>> _title_of(Path("runs/mine/agent.safetensors")), _title_of(Path("rocket.safetensors"))
    ('mine', 'rocket')
    """
    return path.parent.name if path.stem == "agent" and path.parent.name else path.stem


def describe_training(provenance: Mapping[str, Any], holdout: Holdout) -> str:
    """How an agent was trained, in a sentence.

    >>> describe_training({"global_step": 9_000_000}, Holdout("NWNavRec", ("cat", "dog"), also_in_questions=True))
    'Trained for 9.0 million steps; no command or question ever named cat and dog, which it knows only as answers.'
    """
    global_step = provenance.get("global_step")
    how = f"Trained for {global_step / 1e6:.1f} million steps" if isinstance(global_step, int) else "Trained"
    if holdout.objects:
        where = "command or question" if holdout.also_in_questions else "command"
        ending = ", which it knows only as answers" if holdout.also_in_questions else ""
        return f"{how}; no {where} ever named {_list(holdout.objects)}{ending}."
    pairs = len(holdout.object_locations) + len(holdout.object_colors) + len(holdout.object_pairs)
    if pairs:
        return f"{how}; {pairs} combinations of words never stood together in a command."
    return f"{how} with all words and all combinations of them."


def _describe_teaching(words: Sequence[str]) -> str:
    """What an agent was taught after its training, in a sentence; nothing where there is nothing.

    >>> _describe_teaching(["zebra"])
    'Then taught zebra, as an answer alone.'
    """
    how = "as an answer alone" if len(words) == 1 else "as answers alone"
    return f"Then taught {_list(words)}, {how}." if words else ""


def _list(words: Sequence[str]) -> str:
    """Words as a sentence lists them.

    >>> _list(["cat"]), _list(["cat", "dog", "owl"])
    ('cat', 'cat, dog and owl')
    """
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _free_key(title: str, taken: Mapping[str, DemoAgent]) -> str:
    """A key that fits into a link and that no other agent has."""
    key = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "agent"
    numbered = (f"{key}-{number}" for number in range(2, len(taken) + 3))
    return key if key not in taken else next(other for other in numbered if other not in taken)

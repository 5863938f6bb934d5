"""The agents of the demo: the bundled ones, and files that a person named."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count
from pathlib import Path
from typing import Any

from xworld.agent.agent import Agent
from xworld.agent.thought import CompiledSentence
from xworld.baselines.registry import FRAMEWORKS
from xworld.demo.scene_oracle import SceneOracle
from xworld.demo.sentence_cache import cached_compiler
from xworld.evaluation.zero_shot import holdout_of
from xworld.teacher.grammar import Grammar, Sentence, new_words
from xworld.teacher.holdout import Holdout
from xworld.training.checked_file import CheckpointError
from xworld.training.pretrained import PRETRAINED, load_model
from xworld.word_learning import load_catalogue
from xworld.world.catalogue import Catalogue
from xworld.world.checks import SettingsError


@dataclass(frozen=True)
class DemoAgent:
    """An agent with its title, and a teacher who knows its words."""

    key: str
    title: str
    note: str
    """How it was trained, in a sentence."""
    model: Agent
    holdout: Holdout
    oracle: SceneOracle
    compile: Callable[[bytes], CompiledSentence]
    """Compiles a sentence, given as the bytes of its word ids, or takes it from the cache."""
    taught: tuple[str, ...] = ()
    """Words that it was taught after training, only as answers."""

    def never_heard(self, sentence: Sentence) -> bool:
        """Whether training had no sentence like it."""
        return self.holdout.holds_out(sentence) or not {sentence.object, sentence.second}.isdisjoint(self.taught)

    @property
    def grammar(self) -> Grammar:
        """The language that it knows."""
        return self.oracle.grammar

    @property
    def catalogue(self) -> Catalogue:
        """The objects of its world."""
        return self.oracle.catalogue


def load_agents(named: Iterable[Path] = (), pack: Path | None = None) -> dict[str, DemoAgent]:
    """The bundled agents and those of files by their keys; bundled ones that are named come first.

    With a pack, or with words of an extension, there are only agents that were trained with it.

    >>> load_agents()["standard"].title
    'Standard'
    """
    shared, agents = SceneOracle(Catalogue.load(pack)), dict[str, DemoAgent]()
    for title, path in _list_files(list(named), bundled={} if pack or new_words() else PRETRAINED):
        catalogue = load_catalogue(path, pack)
        oracle = SceneOracle(catalogue) if catalogue.added_classes else shared
        agent = _load(_free_key(title, agents), title, path, oracle)
        agents[agent.key] = agent
    return agents


def _list_files(named: Sequence[Path], bundled: Mapping[str, Path]) -> list[tuple[str, Path]]:
    """The titles and files of all agents, bundled ones first."""
    files = [(_title_of(path), path) for path in named if path not in bundled.values()]
    if not (bundled or files):
        cause = f"no agent knows {', '.join(new_words())}" if new_words() else "--pack"
        raise SettingsError(f"{cause}: name the file of an agent that was trained with the same options")
    return [*sorted(bundled.items(), key=lambda item: item[1] not in named), *files]


def _load(key: str, title: str, path: Path, oracle: SceneOracle) -> DemoAgent:
    taught = oracle.catalogue.added_classes
    model, provenance = load_model(path, oracle.catalogue, models=FRAMEWORKS)
    assert isinstance(model, Agent)
    try:
        holdout = _before_teaching(holdout_of(provenance), provenance, taught)
    except SettingsError as error:
        raise CheckpointError(f"{path} describes its training wrongly: {error}") from error
    note = describe_training(provenance, holdout)
    if taught:
        note += f" Then taught {_list(taught)}, only as {'an answer' if len(taught) == 1 else 'answers'}."
    compiler = cached_compiler(model, 256)  # each sentence takes some 20 kB
    return DemoAgent(key, title, note, model, holdout, oracle, compiler, taught)


def _before_teaching(holdout: Holdout, provenance: Mapping[str, Any], taught: Collection[str]) -> Holdout:
    """What training held out: files also list words that were taught later."""
    if not taught:
        return holdout
    words, condition = tuple(set(holdout.objects) - set(taught)), provenance.get("condition", "Standard")
    return replace(holdout, condition=condition, objects=words, also_in_questions=condition == "NWNavRec")


def _title_of(path: Path) -> str:
    """The name of a file; for a training run the name of its folder, because all runs call their agent the same."""
    return path.parent.name if path.stem == "agent" and path.parent.name else path.stem


def describe_training(provenance: Mapping[str, Any], holdout: Holdout) -> str:
    """How an agent was trained, in a sentence.

    >>> describe_training({"global_step": 9_000_000}, Holdout("NWNavRec", ("cat", "dog"), also_in_questions=True))
    'Trained for 9.0 million steps; no command or question ever named cat and dog, which it knows only as answers.'
    """
    global_step = provenance.get("global_step")
    trained = f"Trained for {global_step / 1e6:.1f} million steps" if isinstance(global_step, int) else "Trained"
    if holdout.objects:
        where = "command or question" if holdout.also_in_questions else "command"
        ending = ", which it knows only as answers" if holdout.also_in_questions else ""
        return f"{trained}; no {where} ever named {_list(holdout.objects)}{ending}."
    pairs = len(holdout.object_locations) + len(holdout.object_colors) + len(holdout.object_pairs)
    if pairs:
        return f"{trained}; {pairs} combinations of words never occurred together in a command."
    return f"{trained} with all words and all combinations of them."


def _list(words: Sequence[str]) -> str:
    """Words as a sentence lists them: "cat, dog and owl"."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _free_key(title: str, taken: Collection[str]) -> str:
    """A key that fits into a link and that no other agent has."""
    key = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "agent"
    numbered = (f"{key}-{number}" for number in count(2))
    return next(free for free in chain([key], numbered) if free not in taken)

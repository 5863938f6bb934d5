"""Files of taught agents: an agent's weights, with the taught words and their pictures in the header."""

import base64
import binascii
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from xworld.agent.agent import Agent
from xworld.baselines.registry import FRAMEWORKS
from xworld.evaluation.zero_shot import holdout_of
from xworld.teacher.grammar import Grammar
from xworld.training.checked_file import CheckpointError, load_checked
from xworld.training.checkpoint import WEIGHTS_FORMAT, save_weights
from xworld.training.pretrained import load_model
from xworld.word_learning.new_object import check_word, read_image, write_png
from xworld.word_learning.questions import answer_only_holdout
from xworld.word_learning.taught_agent import TaughtAgent
from xworld.world.catalogue import Catalogue


def save_taught(path: str | Path, taught: TaughtAgent, provenance: Mapping[str, Any] | None = None) -> None:
    """Write a taught agent; `provenance` is that of the original agent, as `load_model` returns it."""
    original = dict(provenance or {})
    teaching = {
        "words": describe_words(taught.catalogue),
        "questions": taught.questions,
        "accuracy": taught.accuracy,
        "seconds": taught.seconds,
    }
    extended = original | {"taught": teaching, "holdout": _holdout_record(taught, original)}
    catalogue = taught.catalogue
    words, pictures = Grammar(catalogue).vocabulary.words, catalogue.fingerprint
    save_weights(path, taught.agent, extended, catalogue.classes, words, fingerprint=pictures)


def load_taught(path: str | Path, pack: str | Path | None = None) -> tuple[TaughtAgent, dict[str, Any]]:
    """A taught agent and its provenance. It can be taught further words."""
    catalogue = load_catalogue(path, pack)
    if catalogue.addition is None:
        raise CheckpointError(f"{path} holds an agent that was taught no word; use load_model")
    agent, provenance = load_model(path, catalogue, models=FRAMEWORKS)
    assert isinstance(agent, Agent)
    record = provenance["taught"]
    try:
        numbers = int(record["questions"]), float(record["accuracy"]), float(record["seconds"])
    except (KeyError, TypeError, ValueError) as error:
        raise CheckpointError(f"{path} lacks the record of how its word was taught; write it by save_taught") from error
    return TaughtAgent(agent, catalogue, *numbers), provenance


def load_catalogue(path: str | Path, pack: str | Path | None = None) -> Catalogue:
    """The catalogue of an agent's file: of a pack or the built-in one, with the words that the agent was taught."""
    _, content = load_checked(path, WEIGHTS_FORMAT)
    catalogue = Catalogue.load(pack)
    try:
        for record in content.get("provenance", {}).get("taught", {}).get("words", []):
            pictures = [read_image(base64.b64decode(picture, validate=True)) for picture in record["pictures"]]
            catalogue = catalogue.with_class(check_word(record["word"], catalogue), np.stack(pictures), record["color"])
    except (KeyError, TypeError, AttributeError, ValueError, binascii.Error) as error:
        raise CheckpointError(f"{path} has an invalid record of a taught word: {error}") from error
    return catalogue


def describe_words(catalogue: Catalogue) -> list[dict[str, Any]]:
    """The words that were added to a catalogue, each with its color and its pictures, as PNG in base64."""
    if catalogue.addition is None:
        return []
    color = catalogue.instance_color[-1]
    record = {
        "word": catalogue.classes[-1],
        "color": catalogue.colors[color] if color >= 0 else "",
        "pictures": [base64.b64encode(write_png(picture)).decode() for picture in catalogue.addition.pictures],
    }
    return [*describe_words(catalogue.addition.base), record]


def _holdout_record(taught: TaughtAgent, provenance: Mapping[str, Any]) -> dict[str, object]:
    """What no command had in training: all taught words, and the words and combinations held out before."""
    words, before = taught.catalogue.added_classes, holdout_of(provenance)
    if before.condition == "Standard":
        return asdict(answer_only_holdout(words))
    return asdict(replace(before, objects=(*before.objects, *words)))

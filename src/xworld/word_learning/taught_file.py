"""Taught agents in files: weights as in any agent's file, and in its header the words taught and their pictures."""

import base64
import binascii
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from xworld.agent.agent import Agent
from xworld.evaluation.zero_shot import holdout_of
from xworld.teacher.vocabulary import Vocabulary
from xworld.training.checked_file import CheckpointError, load_checked
from xworld.training.checkpoint import WEIGHTS_FORMAT, save_weights
from xworld.training.pretrained import load_agent
from xworld.word_learning.picture import read_image, write_png
from xworld.word_learning.questions import only_an_answer
from xworld.word_learning.teach_word import Taught
from xworld.word_learning.word import check_word
from xworld.world.catalogue import COLORS, Catalogue


def save_taught(path: str | Path, taught: Taught, provenance: Mapping[str, Any] | None = None) -> None:
    """Write a taught agent; `provenance` is what is known of the one that was taught, as `load_agent` gives it.

    >>> import tempfile
    >>> from xworld.word_learning.picture import draw_pixels
    >>> from xworld.word_learning.teach_word import teach
    >>> agent, provenance = load_agent()
    >>> zebra = draw_pixels((["#ffffff"] * 2 + ["#202020"] * 2) * 36)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_taught(f"{folder}/zebra", teach(agent, Catalogue.load(), "zebra", zebra), provenance)
    ...     again, provenance = load_taught(f"{folder}/zebra")
    >>> again.word, provenance["condition"]
    ('zebra', 'Standard')
    """
    known, figures = dict(provenance or {}), {"questions": taught.questions, "right": taught.right}
    known |= {
        "taught": {"words": describe_words(taught.catalogue), **figures, "seconds": taught.seconds},
        "holdout": _held_out(taught, known),
    }
    save_weights(path, taught.agent, known, taught.catalogue.classes, Vocabulary(taught.catalogue.classes).words)


def load_taught(path: str | Path) -> tuple[Taught, dict[str, Any]]:
    """A taught agent and where it comes from. Teaching can go on from there."""
    catalogue = load_catalogue(path)
    if catalogue.addition is None:
        raise CheckpointError(f"{path} holds an agent that was taught no word; load_agent reads it")
    agent, provenance = load_agent(path, catalogue, model="framework")
    assert isinstance(agent, Agent)
    lesson = provenance["taught"]
    try:
        figures = int(lesson["questions"]), float(lesson["right"]), float(lesson["seconds"])
    except (KeyError, TypeError, ValueError) as error:
        raise CheckpointError(f"{path} does not say how its word was taught; save_taught did not write it") from error
    return Taught(agent, catalogue, *figures), provenance


def load_catalogue(path: str | Path) -> Catalogue:
    """The catalogue of an agent's file: the built-in one, with the words that the agent was taught."""
    _, content = load_checked(path, WEIGHTS_FORMAT)
    catalogue = Catalogue.load()
    try:
        for record in content.get("provenance", {}).get("taught", {}).get("words", []):
            pictures = [read_image(base64.b64decode(picture, validate=True)) for picture in record["pictures"]]
            catalogue = catalogue.with_class(check_word(record["word"], catalogue), np.stack(pictures), record["color"])
    except (KeyError, TypeError, AttributeError, ValueError, binascii.Error) as error:
        raise CheckpointError(f"{path} describes a taught word wrongly: {error}") from error
    return catalogue


def describe_words(catalogue: Catalogue) -> list[dict[str, Any]]:
    """The words that a catalogue was given, each with its color and its pictures, PNG in base64.

    >>> describe_words(Catalogue.load())
    []
    """
    return [_as_record(each) for each in _extensions(catalogue)]


def _extensions(catalogue: Catalogue) -> list[Catalogue]:
    """The catalogues on the way to this one, each with one taught word more."""
    if catalogue.addition is None:
        return []
    return [*_extensions(catalogue.addition.base), catalogue]


def _as_record(catalogue: Catalogue) -> dict[str, Any]:
    """The last class of a catalogue as JSON."""
    assert catalogue.addition is not None
    color = catalogue.instance_color[-1]
    pictures = [base64.b64encode(write_png(picture)).decode() for picture in catalogue.addition.pictures]
    return {"word": catalogue.classes[-1], "color": COLORS[color] if color >= 0 else "", "pictures": pictures}


def _held_out(taught: Taught, provenance: Mapping[str, Any]) -> dict[str, object]:
    """What no command of the agent's training had: all words taught, and words and combinations held out before."""
    words, before = taught.catalogue.added_classes, holdout_of(provenance)
    if before.condition == "Standard":
        return asdict(only_an_answer(words))
    return asdict(replace(before, objects=(*before.objects, *words)))

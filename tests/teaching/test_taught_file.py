"""Taught agents in files: all comes back, and what was tampered with is refused."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from new_things import KEY, STRIPES
from xworld.evaluation.zero_shot import holdout_of
from xworld.learning.bundled import BUNDLED, load_agent
from xworld.learning.checkpoint import save_weights
from xworld.learning.sealed_file import CheckpointError
from xworld.teacher.grammar import Grammar
from xworld.teaching import load_catalogue, load_taught, save_taught, teach
from xworld.world.catalogue import Catalogue


def test_two_words_come_back_with_their_pictures(tmp_path: Path, catalogue: Catalogue) -> None:
    agent, provenance = load_agent()
    first = teach(agent, catalogue, "zebra", STRIPES)
    save_taught(tmp_path / "first", first, provenance)
    loaded, provenance = load_taught(tmp_path / "first")
    assert (loaded.questions, loaded.right, loaded.seconds) == (first.questions, first.right, first.seconds)
    second = teach(loaded.agent, loaded.catalogue, "key", KEY, "yellow")
    save_taught(tmp_path / "second", second, provenance)
    again, provenance = load_taught(tmp_path / "second")
    assert again.catalogue == second.catalogue
    assert np.array_equal(again.catalogue.atlas(), second.catalogue.atlas())
    assert np.array_equal(again.picture, KEY)
    assert again.catalogue.describe_tile(again.tile) == "yellow key"
    assert torch.equal(again.agent.words.embeddings, second.agent.words.embeddings.half().float())
    assert provenance["condition"] == "Standard"
    assert holdout_of(provenance, again.catalogue).objects == ("key", "zebra")


def test_an_agent_of_the_package_has_the_usual_catalogue(catalogue: Catalogue) -> None:
    assert load_catalogue(BUNDLED["Standard"]) == catalogue
    with pytest.raises(CheckpointError, match="taught no word"):
        load_taught(BUNDLED["Standard"])


@pytest.mark.parametrize(
    "word",
    [
        {"word": "zebra", "colour": ""},
        {"word": "zebra", "colour": "", "pictures": []},
        {"word": "zebra", "colour": "", "pictures": ["not base64"]},
        {"word": "zebra", "colour": "", "pictures": ["AAAA"]},
        {"word": "../zebra", "colour": "", "pictures": []},
        {"word": "apple", "colour": "", "pictures": []},
        "zebra",
    ],
)
def test_words_that_are_described_wrongly_are_refused(word: Any, tmp_path: Path, catalogue: Catalogue) -> None:
    words = Grammar(catalogue).vocabulary.words
    save_weights(tmp_path / "odd", load_agent()[0], {"taught": {"words": [word]}}, catalogue.classes, words)
    with pytest.raises(CheckpointError, match="odd describes a taught word wrongly"):
        load_catalogue(tmp_path / "odd")

"""Taught agents in files: all comes back, and what was tampered with is refused."""

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from new_things import KEY
from xworld.evaluation.zero_shot import evaluate_zero_shot, holdout_of
from xworld.teacher.grammar import Grammar
from xworld.teacher.holdout import CONDITIONS, Holdout
from xworld.teacher.settings import COMMAND_NAMES
from xworld.training.checked_file import CheckpointError
from xworld.training.checkpoint import save_weights
from xworld.training.pretrained import PRETRAINED, load_model
from xworld.word_learning import TaughtAgent, describe_words, load_catalogue, load_taught, save_taught, teach
from xworld.world.catalogue import Catalogue


def test_two_words_come_back_with_their_pictures(
    tmp_path: Path, zebra: TaughtAgent, zebra_and_key: TaughtAgent
) -> None:
    save_taught(tmp_path / "first", zebra, load_model()[1])
    loaded, provenance = load_taught(tmp_path / "first")
    assert (loaded.questions, loaded.accuracy, loaded.seconds) == (zebra.questions, zebra.accuracy, zebra.seconds)
    second = zebra_and_key
    save_taught(tmp_path / "second", second, provenance)
    again, provenance = load_taught(tmp_path / "second")
    assert again.catalogue == second.catalogue
    assert np.array_equal(again.catalogue.atlas(), second.catalogue.atlas())
    assert again.catalogue.addition is not None
    assert np.array_equal(again.catalogue.addition.pictures, [KEY])
    assert again.catalogue.describe_tile(again.tile) == "yellow key"
    assert torch.equal(again.agent.words.embeddings, second.agent.words.embeddings.half().float())
    assert provenance["condition"] == "Standard"
    assert holdout_of(provenance).objects == ("key", "zebra")


def test_two_words_at_once_are_both_held_out(tmp_path: Path, catalogue: Catalogue, zebra_and_key: TaughtAgent) -> None:
    for condition in CONDITIONS:
        drawn = Holdout.draw(condition, catalogue, seed=3)
        provenance = {"model": "planner", "condition": condition, "holdout": asdict(drawn)}
        save_taught(tmp_path / condition, zebra_and_key, provenance)
        holdout = holdout_of(load_taught(tmp_path / condition)[1])
        assert set(holdout.objects) == {"zebra", "key", *drawn.objects}
        assert (holdout.object_pairs, holdout.object_colors) == (drawn.object_pairs, drawn.object_colors)


def test_an_agent_that_never_heard_some_combinations_is_taught_like_others(
    tmp_path: Path, catalogue: Catalogue, zebra: TaughtAgent
) -> None:
    """Under NC, words are known and pairs of them are not: the pairs stay held out, and the new word is added."""
    before = Holdout.draw("NC", catalogue, seed=1)
    provenance = {"model": "planner", "condition": "NC", "holdout": asdict(before)}
    save_taught(tmp_path / "zebra", zebra, provenance)
    loaded, provenance = load_taught(tmp_path / "zebra")
    holdout = holdout_of(provenance)
    assert holdout == replace(before, objects=("zebra",))
    assert provenance["condition"] == "NC"
    starred = evaluate_zero_shot(loaded.agent, holdout, 4, catalogue=loaded.catalogue)
    assert set(starred) == {*COMMAND_NAMES}
    success = evaluate_zero_shot(loaded.agent, Holdout("NC", ("zebra",)), 20, catalogue=loaded.catalogue)
    assert success["nav_obj"].value > 0.8
    save_taught(tmp_path / "both", teach(loaded.agent, loaded.catalogue, "key", KEY, "yellow"), provenance)
    _, provenance = load_taught(tmp_path / "both")
    assert holdout_of(provenance) == replace(before, objects=("zebra", "key"))


def test_an_agent_of_the_package_has_the_usual_catalogue(catalogue: Catalogue) -> None:
    assert load_catalogue(PRETRAINED["Standard"]) == catalogue
    with pytest.raises(CheckpointError, match="taught no word"):
        load_taught(PRETRAINED["Standard"])


@pytest.mark.parametrize(
    "word",
    [
        {"word": "zebra", "color": ""},
        {"word": "zebra", "color": "", "pictures": []},
        {"word": "zebra", "color": "", "pictures": ["not base64"]},
        {"word": "zebra", "color": "", "pictures": ["AAAA"]},
        {"word": "../zebra", "color": "", "pictures": []},
        {"word": "apple", "color": "", "pictures": []},
        "zebra",
    ],
)
def test_invalid_records_of_words_are_refused(word: Any, tmp_path: Path, catalogue: Catalogue) -> None:
    words = Grammar(catalogue).vocabulary.words
    record = {"model": "planner", "taught": {"words": [word]}}
    save_weights(tmp_path / "odd", load_model()[0], record, catalogue.classes, words)
    with pytest.raises(CheckpointError, match="odd has an invalid record of a taught word"):
        load_catalogue(tmp_path / "odd")


def test_a_file_without_the_record_of_teaching_is_refused(tmp_path: Path, zebra: TaughtAgent) -> None:
    words = Grammar(zebra.catalogue).vocabulary.words
    record = {"model": "planner", "taught": {"words": describe_words(zebra.catalogue), "questions": 3}}
    save_weights(tmp_path / "odd", zebra.agent, record, zebra.catalogue.classes, words)
    with pytest.raises(CheckpointError, match="odd lacks the record of how its word was taught"):
        load_taught(tmp_path / "odd")

"""Nothing that is held out leaks into training, and all of it comes back in the test."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from xworld.teacher.grammar import Grammar, Sentence
from xworld.teacher.holdout import CONDITIONS, Holdout
from xworld.teacher.simulator import Simulator
from xworld.world.catalogue import COLORS, Catalogue
from xworld.world.cells import DIRECTIONS
from xworld.world.checks import SettingsError

SESSIONS = 300_000
WORLDS = 4096
Combination = tuple[str, ...]


def meanings_in_sessions(simulator: Simulator, sessions: int) -> tuple[set[Combination], set[Combination]]:
    """What the commands and the first questions of many sessions name."""
    commands, questions = [], []
    simulator.reset(seeds=np.arange(len(simulator)))
    for _ in range(-(-sessions // len(simulator))):
        commands.append(content_of(simulator.commands, simulator.grammar))
        questions.append(content_of(simulator.questions, simulator.grammar))
        simulator.reset()
    named = [meaning_of(np.concatenate(parts), simulator.grammar) for parts in (commands, questions)]
    return named[0], named[1]


def content_of(sentences: NDArray[np.int16], grammar: Grammar) -> NDArray[np.int64]:
    """The distinct contents of sentences, read off the words alone: two object words, a location and a color."""
    vocabulary = grammar.vocabulary

    def highest(words: tuple[str, ...]) -> NDArray[np.int64]:
        return np.array(np.where(np.isin(sentences, vocabulary.numbers(words)), sentences, 0).max(axis=1), np.int64)

    one = highest(vocabulary.objects)
    rest = np.where(sentences == one[:, None], 0, sentences)
    other = np.where(np.isin(rest, vocabulary.numbers(vocabulary.objects)), rest, 0).max(axis=1)
    columns = np.stack([one, other, highest(DIRECTIONS), highest(COLORS)], axis=1)
    return np.unique(columns @ np.array([1 << 48, 1 << 32, 1 << 16, 1]))


def meaning_of(codes: NDArray[np.int64], grammar: Grammar) -> set[Combination]:
    """The object words of sentences, and their combinations with each other, with locations and with colors."""
    found = set[Combination]()
    for code in np.unique(codes).tolist():
        words = [grammar.vocabulary.words[code >> shift & 0xFFFF] for shift in (48, 32, 16, 0)]
        objects = sorted(word for word in words[:2] if word)
        found.update((word,) for word in objects)
        found.update((objects[0], word) for word in words[2:] if word and objects)
        if len(objects) == 2:
            found.add(tuple(objects))
    return found


def held_out(holdout: Holdout) -> set[Combination]:
    words: set[Combination] = {(word,) for word in holdout.objects}
    return words | {*holdout.object_locations, *holdout.object_colors, *holdout.object_pairs}


@pytest.fixture(scope="module")
def in_test(grammar: Grammar) -> set[Combination]:
    return meanings_in_sessions(Simulator(WORLDS, grammar.catalogue), SESSIONS)[0]


@pytest.mark.parametrize("condition", CONDITIONS)
def test_no_leak_in_300_000_sessions_and_all_of_it_in_the_test(
    condition: str, grammar: Grammar, in_test: set[Combination]
) -> None:
    holdout = Holdout.draw(condition, grammar.catalogue, seed=5)
    in_commands, in_questions = meanings_in_sessions(Simulator(WORLDS, grammar.catalogue, holdout), SESSIONS)
    kept_back, words = held_out(holdout), {(word,) for word in holdout.objects}
    assert not in_commands & kept_back
    assert kept_back <= in_test
    if condition == "NWNavRec":
        assert not in_questions & words
    else:
        assert words <= in_questions
    for missing in in_test - in_commands:  # and nothing is missing that need not be
        assert missing in kept_back or not set(missing).isdisjoint(holdout.objects)


@pytest.mark.parametrize(
    ("condition", "sizes"),
    [
        ("Standard", (0, 0, 0, 0)),
        ("NC", (0, 32, 6, 78)),
        ("NWNav", (4, 0, 0, 0)),
        ("NWNavRec", (4, 0, 0, 0)),
    ],
)
def test_a_tenth_is_held_out(condition: str, sizes: tuple[int, ...], catalogue: Catalogue) -> None:
    holdout = Holdout.draw(condition, catalogue, seed=1)
    lists = (holdout.objects, holdout.object_locations, holdout.object_colors, holdout.object_pairs)
    assert tuple(len(items) for items in lists) == sizes
    assert holdout.also_in_questions == (condition == "NWNavRec")


def test_a_seed_decides(catalogue: Catalogue) -> None:
    first, again, other = (Holdout.draw("NC", catalogue, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert hash(first) == hash(again)
    assert first != other


@pytest.mark.parametrize("condition", CONDITIONS)
def test_it_says_of_every_sentence_whether_it_is_held_out(
    condition: str, grammar: Grammar, everything: list[Sentence]
) -> None:
    holdout = Holdout.draw(condition, grammar.catalogue, seed=3)
    kept_back = held_out(holdout)
    for index, sentence in enumerate(everything):
        command = sentence.subtask.startswith("nav")
        if not command and not holdout.also_in_questions:
            assert not holdout.holds_out(sentence)
        elif index % 53 == 0:  # reading each one afresh is slow; a prime number in between meets every word
            content = content_of(grammar.vocabulary.encode(sentence.tokens)[None], grammar)
            assert holdout.holds_out(sentence) == bool(meaning_of(content, grammar) & kept_back)


@pytest.mark.parametrize("condition", CONDITIONS)
def test_saving_and_loading(condition: str, catalogue: Catalogue, tmp_path: Path) -> None:
    holdout = Holdout.draw(condition, catalogue, seed=4)
    holdout.save(tmp_path / "holdout.json")
    assert Holdout.load(tmp_path / "holdout.json") == holdout
    with pytest.raises(FileExistsError):
        holdout.save(tmp_path / "holdout.json")


def test_it_prints_what_it_holds_out(catalogue: Catalogue) -> None:
    holdout = Holdout.draw("NWNavRec", catalogue, seed=0)
    assert str(holdout).startswith("NWNavRec: held out of commands and questions\n  4 words: ")
    assert all(word in str(holdout) for word in holdout.objects)
    assert str(Holdout("Standard")) == "Standard: nothing held out"


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "{}",
        '{"condition": "Nobody"}',
        '{"condition": ["NC"]}',
        '{"condition": "NC", "x": 1}',
        '{"condition": "NWNav", "objects": "apple"}',
        '{"condition": "NWNav", "objects": 3}',
        '{"condition": "NWNav", "objects": [3]}',
        '{"condition": "NWNav", "objects": [["a"]]}',
        '{"condition": "NWNav", "objects": ["apple"], "also_in_questions": "no"}',
        '{"condition": "NC", "object_pairs": [["a"]]}',
        '{"condition": "NC", "object_pairs": ["ab"]}',
        '{"condition": "NC", "object_pairs": [["a", 1]]}',
        '{"condition": "NC", "object_colors": [["a", "red", "blue"]]}',
        '{"condition": "NC", "object_locations": "north"}',
    ],
)
def test_a_damaged_file_is_refused(content: str, tmp_path: Path) -> None:
    (tmp_path / "holdout.json").write_text(content)
    with pytest.raises(SettingsError, match=r"holdout\.json is not a saved hold-out"):
        Holdout.load(tmp_path / "holdout.json")


def test_what_is_refused_is_named_with_what_would_be_right() -> None:
    with pytest.raises(SettingsError, match=r"objects='apple': expected a tuple of words, such as \('apple', 'cat'\)"):
        Holdout("NWNav", "apple")  # type: ignore[arg-type]
    with pytest.raises(SettingsError, match=r"object_pairs=\(\('a',\),\): expected a tuple of pairs of words"):
        Holdout("NC", object_pairs=(("a",),))  # type: ignore[arg-type]
    with pytest.raises(SettingsError, match="also_in_questions=1: expected True or False"):
        Holdout("NWNav", also_in_questions=1)  # type: ignore[arg-type]


def test_the_order_in_which_things_are_listed_does_not_count(grammar: Grammar) -> None:
    given = Holdout("NC", ("dog", "ant", "dog"), object_pairs=(("cat", "apple"), ("ant", "bee"), ("apple", "cat")))
    assert given.objects == ("ant", "dog")
    assert given.object_pairs == (("ant", "bee"), ("apple", "cat"))
    assert given == Holdout("NC", ("ant", "dog"), object_pairs=(("bee", "ant"), ("apple", "cat")))


def test_a_pair_is_held_out_in_either_order(catalogue: Catalogue) -> None:
    holdout = Holdout("NC", object_pairs=(("cat", "apple"), ("dog", "dog")))
    banned = holdout.banned_in_commands(catalogue)
    assert banned.sum() == 3
    for first, second in (("cat", "apple"), ("apple", "cat"), ("dog", "dog")):
        assert holdout.holds_out(Sentence("nav_bw_obj", (), first, second))
    assert not holdout.holds_out(Sentence("nav_bw_obj", (), "cat", "dog"))
    assert not holdout.holds_out(Sentence("nav_obj", (), "dog"))


def test_bad_conditions_shares_and_words_are_refused(catalogue: Catalogue) -> None:
    with pytest.raises(SettingsError, match="condition='NCC': expected 'Standard', 'NC'"):
        Holdout.draw("NCC", catalogue)
    with pytest.raises(SettingsError, match="share=1"):
        Holdout.draw("NC", catalogue, share=1)
    with pytest.raises(SettingsError, match="class 'zebra' that the catalogue does not have"):
        Simulator(1, catalogue, Holdout("NWNav", ("zebra",)))


def test_holding_everything_out_is_refused_in_words(catalogue: Catalogue) -> None:
    simulator = Simulator(1, catalogue, Holdout("NWNav", catalogue.classes))
    with pytest.raises(ValueError, match="hold less out"):
        simulator.reset(seeds=[0])

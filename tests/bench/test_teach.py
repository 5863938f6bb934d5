"""`xworld bench teach`: what it teaches, and what it prints."""

from typing import Any

import pytest

from new_things import ROCKET
from xworld.bench import teach as bench
from xworld.bench.teach import ICONS, NEW_THINGS
from xworld.cli.main import main
from xworld.training.pretrained import load_model
from xworld.word_learning import TaughtAgent, teach
from xworld.world.catalogue import COLORS, Catalogue


def test_new_things_are_new_and_drawn(catalogue: Catalogue) -> None:
    assert len(NEW_THINGS) == 10
    assert set(NEW_THINGS).isdisjoint(catalogue.classes)
    assert {path.stem for path in ICONS.glob("*.png")} == {path.stem for path in ICONS.glob("*.svg")} == set(NEW_THINGS)
    assert set(NEW_THINGS.values()) <= {"", *COLORS}


def test_all_words_are_taught_with_the_seed_and_fit_into_80_columns(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], catalogue: Catalogue
) -> None:
    lessons, taught = list[tuple[Any, ...]](), teach(load_model()[0], catalogue, "rocket", ROCKET)

    def teach_once(agent: Any, catalogue: Catalogue, *lesson: Any) -> TaughtAgent:
        lessons.append(lesson)
        return taught

    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(bench, "teach", teach_once)
    monkeypatch.setattr(bench, "NEW_THINGS", {"rocket": "", "key": "yellow"})
    assert main(["bench", "teach", "--sessions", "2", "--seed", "7", "--agent", "standard"]) == 0
    assert [(word, color, seed) for word, _, color, seed in lessons] == [("rocket", "", 7), ("key", "yellow", 7)]
    lines = capsys.readouterr().out.splitlines()
    assert all(len(line) <= 80 for line in lines[:-1])
    rows = [line.split() for line in lines if line.startswith("rocket ")]
    assert len(rows) == 2
    name, seconds, nav_obj, *_, beside = rows[0]
    assert (name, len(rows[0])) == ("rocket", 7)  # a thing without a color has no nav_col_obj
    assert float(seconds) == round(taught.seconds, 1)
    assert float(nav_obj) >= 50
    assert -20 < float(beside) < 20
    assert "each word was taught in 3,000 questions from seed 7" in lines

"""The starred rows: the sessions are those whose command is held out, all of them from a seed on, and nothing else."""

from dataclasses import asdict

import numpy as np
import pytest

from scenes import scene_of
from scripted import Tourist, let_the_oracle_respond
from xworld.evaluation import sessions, zero_shot
from xworld.evaluation.rate import Rate
from xworld.evaluation.report import never_heard
from xworld.evaluation.sessions import begin_sessions, find_sessions, run_sessions
from xworld.evaluation.splits import first_seed
from xworld.evaluation.zero_shot import (
    ZeroShotError,
    evaluate_zero_shot,
    have_held_out_commands,
    held_out_seeds,
    holdout_of,
    starred_commands,
)
from xworld.teacher.holdout import CONDITIONS, Condition, Holdout
from xworld.teacher.settings import COMMAND_NAMES, TeacherSettings
from xworld.teacher.simulator import Simulator
from xworld.world.catalogue import Catalogue
from xworld.world.checks import SettingsError

SEED = first_seed("validation")


def expected_of(simulator: Simulator, index: int, holdout: Holdout) -> bool:
    """Read the sentence, look at the map, and say whether the command is held out."""
    sentence = simulator.grammar.read(simulator.grammar.vocabulary.text(simulator.commands[index]))
    if sentence.subtask != "nav_obj":
        return holdout.holds_out(sentence)
    target = simulator.worlds[index]["target_row"], simulator.worlds[index]["target_column"]
    (meant,) = (thing for thing in scene_of(simulator, index).things if thing.cell == target)
    assert meant.name == sentence.object
    return holdout.holds_out(sentence) or (meant.name, meant.color) in holdout.object_colors


@pytest.mark.parametrize("share", [0.1, 0.7])
@pytest.mark.parametrize("condition", CONDITIONS)
def test_held_out_sessions_are_told_from_the_others(condition: str, share: float, catalogue: Catalogue) -> None:
    holdout = Holdout.draw(condition, catalogue, seed=2, share=share)
    simulator = begin_sessions(range(600), catalogue, TeacherSettings())
    expected = [expected_of(simulator, index, holdout) for index in range(600)]
    assert have_held_out_commands(simulator, holdout).tolist() == expected
    assert any(expected) == (condition != "Standard")


@pytest.mark.parametrize("command", COMMAND_NAMES)
@pytest.mark.parametrize("condition", ["NC", "NWNav", "NWNavRec"])
def test_the_sessions_are_the_first_ones(condition: str, command: str, catalogue: Catalogue) -> None:
    holdout, settings = Holdout.draw(condition, catalogue, seed=4), TeacherSettings(commands=(command,))
    seeds = held_out_seeds(holdout, 1_000, SEED, catalogue, settings)
    assert len(seeds) == 1_000
    assert have_held_out_commands(begin_sessions(seeds, catalogue, settings), holdout).all()
    passed = begin_sessions(range(SEED, SEED + 2_000), catalogue, settings)
    found = (SEED + np.flatnonzero(have_held_out_commands(passed, holdout))).tolist()
    assert seeds[: len(found)].tolist() == found
    assert held_out_seeds(holdout, 10, SEED, catalogue, settings).tolist() == seeds[:10].tolist()


@pytest.mark.parametrize("condition", ["NC", "NWNav", "NWNavRec"])
def test_what_counts_as_never_heard_is_never_said_in_training(condition: Condition, catalogue: Catalogue) -> None:
    """And what does not count is: commands of *nav_obj under NC are those of training, about other objects."""
    holdout = Holdout.draw(condition, catalogue, seed=3)
    counted = never_heard(dict.fromkeys(COMMAND_NAMES), condition)
    assert set(COMMAND_NAMES) - counted.keys() == ({"nav_obj"} if condition == "NC" else set())
    for name in COMMAND_NAMES:
        settings = TeacherSettings(commands=(name,))
        training = Simulator(20_000, catalogue, holdout, settings)
        training.reset(range(20_000))
        said = {command.tobytes() for command in training.commands}
        seeds = held_out_seeds(holdout, 100, SEED, catalogue, settings)
        starred = [command.tobytes() in said for command in begin_sessions(seeds, catalogue, settings).commands]
        assert any(starred) == (name not in counted)


def test_every_cell_has_its_sessions(catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch) -> None:
    let_the_oracle_respond(monkeypatch)
    for condition in ("NC", "NWNav", "NWNavRec"):
        rates = evaluate_zero_shot(Tourist(), Holdout.draw(condition, catalogue, seed=1), sessions=50)
        assert rates == dict.fromkeys(COMMAND_NAMES, Rate(50, 50))
    assert evaluate_zero_shot(Tourist(), Holdout("Standard")) == {}


def test_success_is_counted_in_these_sessions_alone() -> None:
    holdout, settings = Holdout("NWNav", ("cat",)), TeacherSettings(commands=("nav_obj",))
    rates = evaluate_zero_shot(Tourist(), holdout, sessions=200)
    simulator = begin_sessions(held_out_seeds(holdout, 200, SEED, Catalogue.load(), settings), None, settings)
    assert rates["nav_obj"] == Rate(int(run_sessions(Tourist(), simulator).success.sum()), 200)
    assert 0.5 < rates["nav_obj"].value < 1
    assert "nav_col_obj" not in rates  # no cat has a color with a word


def test_only_types_that_can_be_held_out_are_starred(catalogue: Catalogue) -> None:
    def starred(holdout: Holdout, settings: TeacherSettings | None = None) -> tuple[str, ...]:
        return starred_commands(holdout, catalogue, settings or TeacherSettings())

    assert starred(Holdout("NWNav", ("apple",))) == tuple(COMMAND_NAMES)
    assert starred(Holdout("NC", object_locations=(("cat", "north"),))) == ("nav_nr_obj",)
    assert starred(Holdout("NC", object_colors=(("apple", "red"),))) == ("nav_obj", "nav_col_obj")
    assert starred(Holdout("NC", object_pairs=(("cat", "dog"),))) == ("nav_bw_obj",)
    few = TeacherSettings(classes=(4, 6), commands=("nav_obj", "nav_bw_obj"))  # apple to cabbage
    assert starred(Holdout("NWNav", ("cat",)), few) == ()
    assert starred(Holdout("NWNav", ("cabbage",)), few) == ("nav_obj", "nav_bw_obj")
    assert starred(Holdout("NC", object_pairs=(("apple", "dog"),)), few) == ()


def test_what_is_too_rare_is_an_error(catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (sessions, zero_shot):
        monkeypatch.setattr(module, "RAREST", 100)
    settings = TeacherSettings(commands=("nav_bw_obj",))
    message = r"fewer than one in 100 sessions of nav_bw_obj .* NC holds out: \d+ found, 40 needed"
    with pytest.raises(ZeroShotError, match=message):
        held_out_seeds(Holdout("NC", object_pairs=(("apple", "cat"),)), 40, 0, catalogue, settings)
    assert len(find_sessions(lambda simulator: np.zeros(len(simulator), np.bool_), 3, 0, catalogue, settings)) == 0


@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_file_says_what_was_held_out(condition: str, catalogue: Catalogue) -> None:
    holdout = Holdout.draw(condition, catalogue, seed=9, share=0.3)
    kept = {key: [list(item) if isinstance(item, tuple) else item for item in value] if isinstance(value, tuple)
            else value for key, value in asdict(holdout).items()}  # fmt: skip
    assert holdout_of({"holdout": kept}) == holdout
    assert holdout_of({}) == Holdout("Standard")
    with pytest.raises(SettingsError, match="condition='Sometimes'"):
        holdout_of({"condition": "Sometimes"})

"""Zero-shot commands: success in sessions whose command was held out of training, the starred rows of the paper."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from xworld.evaluation import RAREST
from xworld.evaluation.content_words import are_held_out, read_meanings
from xworld.evaluation.rate import Rate
from xworld.evaluation.sessions import begin_sessions, find_sessions, run_sessions, tiles_at_target, without_questions
from xworld.evaluation.splits import SplitName, first_seed
from xworld.teacher.grammar import Grammar, Sentence, find_subtask
from xworld.teacher.holdout import Holdout
from xworld.teacher.rules import available_command_types
from xworld.teacher.settings import COMMAND_NAMES, TeacherSettings
from xworld.teacher.simulator import Simulator
from xworld.world.catalogue import Catalogue
from xworld.world.state import FIRST_OBJECT


class ZeroShotError(ValueError):
    """Too few sessions have a held-out command; the message says which."""


def evaluate_zero_shot(
    agent: Any,
    holdout: Holdout,
    sessions: int = 1_000,
    split: SplitName = "validation",
    catalogue: Catalogue | None = None,
    settings: TeacherSettings | None = None,
) -> dict[str, Rate]:
    """Success by type of command, in `sessions` sessions of each type whose command is held out.

    These are the first such sessions of the split. A type of which nothing is held out is left out, so that
    `Standard` gives no rates.

    >>> from xworld.training.pretrained import load_model
    >>> agent, provenance = load_model()
    >>> evaluate_zero_shot(agent, Holdout("NC", object_pairs=(("cat", "dog"),)), sessions=10)
    {'nav_bw_obj': Rate(hits=10, trials=10)}
    """
    catalogue, settings = catalogue or Catalogue.load(), settings or TeacherSettings()
    rates = {}
    for name in starred_commands(holdout, catalogue, settings):
        only = without_questions(settings, name)
        seeds = held_out_seeds(holdout, sessions, first_seed(split), catalogue, only)
        results = run_sessions(agent, begin_sessions(seeds, catalogue, only))
        rates[name] = Rate(int(results.success.sum()), sessions)
    return rates


def held_out_seeds(
    holdout: Holdout, count: int, seed: int, catalogue: Catalogue, settings: TeacherSettings
) -> NDArray[np.uint64]:
    """The first seeds from `seed` on whose sessions begin with a held-out command."""
    seeds = find_sessions(
        lambda simulator: have_held_out_commands(simulator, holdout), count, seed, catalogue, settings
    )
    if len(seeds) < count:
        raise ZeroShotError(
            f"fewer than one in {RAREST:,} sessions of {', '.join(settings.commands)} have a command that this "
            f"{holdout.condition} holds out: {len(seeds):,} found, {count:,} needed. Ask for fewer sessions, or change "
            f"the settings of the worlds"
        )
    return seeds


def have_held_out_commands(simulator: Simulator, holdout: Holdout) -> NDArray[np.bool_]:
    """(worlds,) Whether the commands of a simulator are held out.

    A command with a single noun contains no combination. Where (object, color) combinations are held out, `nav_obj`
    counts as held out if the object meant has such a class and color: "go to the apple", where that apple is green and
    no command ever said "green apple". Training contains the command itself, about apples of other colors;
    `report.never_heard` leaves such rows out.
    """
    meanings = read_meanings(simulator.commands, simulator.grammar)
    # Unstated in the paper: it prints a rate for *nav_obj under NC, but not in which sessions.
    plain = np.array(simulator.sessions["command_type"] == COMMAND_NAMES.index("nav_obj"))
    colors = simulator.rules.instances.kinds[tiles_at_target(simulator.worlds) - FIRST_OBJECT, 1]
    return are_held_out(meanings._replace(color=np.where(plain, colors, meanings.color)), holdout, simulator.grammar)


def starred_commands(holdout: Holdout, catalogue: Catalogue, settings: TeacherSettings) -> tuple[str, ...]:
    """The types of command of which the hold-out withholds some that these settings allow."""
    named = set(catalogue.classes[: settings.classes[1]])
    grammar = Grammar(catalogue)
    starred = {
        name
        for name in available_command_types(catalogue, settings)
        for filling in grammar.fillings(find_subtask(name))
        if {filling[slot] for slot in ("object", "second") if slot in filling} <= named
        and holdout.holds_out(Sentence(name, (), **filling))
    }
    if not named.isdisjoint(word for word, _ in holdout.object_colors):
        starred.add("nav_obj")
    return tuple(name for name in settings.commands if name in starred)


def holdout_of(provenance: Mapping[str, Any]) -> Holdout:
    """What was held out of an agent's training, as its file records it; nothing if the file does not say."""
    return Holdout.from_json(provenance.get("holdout", {"condition": provenance.get("condition", "Standard")}))

"""Whatever a user gives works, or is refused in one line. `python tests/envs/test_any_input.py 100000` tries more."""

import json
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.vector import AutoresetMode

sys.path.insert(0, str(Path(__file__).parents[1]))  # for the long run, without pytest

from wild import Generator, spoil, wild
from xworld.envs.single import XWorldEnv
from xworld.envs.vector import XWorldVectorEnv
from xworld.teacher.holdout import CONDITIONS, Holdout
from xworld.teacher.settings import COMMAND_NAMES, QUESTION_NAMES, RANGES, TeacherSettings
from xworld.teacher.simulator import Simulator
from xworld.training.configs import PRESETS, as_json, from_json
from xworld.world.catalogue import Catalogue
from xworld.world.checks import SettingsError
from xworld.world.movement import Rewards
from xworld.world.picture import PackError

CASES, SEED = 2_000, 0
REFUSALS = (SettingsError, PackError, gym.error.ResetNeeded)
LONGEST = 300
CATALOGUE = Catalogue.load()
Makers = dict[str, Callable[[Generator], Any]]


def some(names: tuple[str, ...]) -> Callable[[Generator], tuple[str, ...]]:
    return lambda generator: tuple(generator.permutation(names)[: generator.integers(1, len(names) + 1)].tolist())


def between(low: int, high: int) -> Callable[[Generator], tuple[int, ...]]:
    return lambda generator: tuple(sorted(generator.integers(low, high + 1, size=2).tolist()))


def one_of(*values: Any) -> Callable[[Generator], Any]:
    return lambda generator: values[generator.integers(len(values))]


def share(generator: Generator) -> float:
    return float(generator.random()) / 2


def words(generator: Generator) -> tuple[str, ...]:
    return some(CATALOGUE.classes[:5])(generator)


def pairs(others: tuple[str, ...]) -> Callable[[Generator], tuple[tuple[str, str], ...]]:
    return lambda generator: tuple(zip(words(generator), some(others)(generator), strict=False))


REWARDS: Makers = {name: one_of(-1, 0.5, np.float32(2), np.int64(0)) for name in Rewards._fields}
SETTINGS: Makers = {
    **{name: between(low, min(high, 12)) for name, (low, high) in RANGES.items()},
    "commands": some(tuple(COMMAND_NAMES)),
    "questions": some(tuple(QUESTION_NAMES)),
    **dict.fromkeys(("question_rate", "rare_first", "nothing_rate", "clustered", "lined"), share),
    "between_rows_only": one_of(True, False, np.True_),
    "rewards": lambda generator: Rewards(**arguments(generator, REWARDS)),
}
HOLDOUT: Makers = {
    "condition": one_of(*CONDITIONS),
    "objects": words,
    "also_in_questions": one_of(True, False),
    "object_locations": pairs(("north", "south", "east")),
    "object_colors": pairs(("red", "blue", "green")),
    "object_pairs": pairs(CATALOGUE.classes[2:9]),
}
DRAWN: Makers = {
    "condition": one_of(*CONDITIONS),
    "catalogue": one_of(CATALOGUE),
    "seed": one_of(0, np.int64(5), 2**64 - 1),
    "share": one_of(0, 0.1, np.float32(0.5)),
}


def make_settings(generator: Generator) -> TeacherSettings:
    return TeacherSettings(**arguments(generator, SETTINGS))


def make_holdout(generator: Generator) -> Holdout:
    if generator.random() < 0.5:
        return Holdout.draw(**arguments(generator, DRAWN, always=("condition", "catalogue")))
    return Holdout(**arguments(generator, HOLDOUT, always=("condition",)))


SIMULATOR: Makers = {
    "num_envs": one_of(1, 2, np.int64(3), 300),
    "catalogue": one_of(CATALOGUE, None),
    "holdout": make_holdout,
    "settings": make_settings,
    "curriculum_sessions": one_of(0, 1, np.int32(9), 2**63 - 1),
    "threads": one_of(1, 2, np.uint8(2), None),
}
SINGLE: Makers = {
    "observation": one_of(*["tiles"] * 9, "pixels"),
    "condition": lambda generator: make_holdout(generator) if generator.random() < 0.5 else "NC",
    "holdout_seed": one_of(0, np.uint64(2**64 - 1)),
    "curriculum_sessions": SIMULATOR["curriculum_sessions"],
    "settings": make_settings,
    "pack": one_of(None),
    "render_mode": one_of(None, "rgb_array"),
}
VECTOR: Makers = SINGLE | {
    "num_envs": one_of(1, 2, np.int64(3)),
    "threads": SIMULATOR["threads"],
    "autoreset_mode": one_of(*AutoresetMode, "SameStep", "Disabled"),
}
ENVIRONMENTS: dict[type, Makers] = {Simulator: SIMULATOR, XWorldEnv: SINGLE, XWorldVectorEnv: VECTOR}


def arguments(generator: Generator, makers: Makers, always: tuple[str, ...] = ()) -> dict[str, Any]:
    """Some arguments: as a rule valid ones, but one or two of them are wild in every third case."""
    count = generator.integers(min(3, len(makers)) + 1)
    chosen = {*always, *generator.permutation(list(makers))[:count].tolist()}
    given = {name: makers[name](generator) for name in makers if name in chosen}
    if generator.random() < 0.35:
        for name in generator.permutation(list(makers))[: generator.integers(1, 3)].tolist():
            given[name] = spoil(generator, given[name] if name in given else makers[name](generator))
    return given


class Trial:
    """One environment or simulator, and what became of the calls."""

    def __init__(self, generator: Generator, subject: Any, counts: Counter[str]) -> None:
        self.generator, self.subject, self.counts = generator, subject, counts
        self.worlds = len(getattr(subject, "simulator", subject))

    def call(self, function: Callable[..., Any], *given: Any, **named: Any) -> Any:
        return outcome(self.counts, lambda: function(*given, **named))

    def wild(self, value: Any, rate: float = 0.4) -> Any:
        return spoil(self.generator, value) if self.generator.random() < rate else value

    def live(self) -> None:
        """Reset and step with values of any kind; in the end the environment still works, or has said why not."""
        for _ in range(3):
            self.call(self.subject.set_progress, self.wild(one_of(None, 0, 1, 0.5, np.float32(0.25))(self.generator)))
            self.reset()
            for _ in range(3):
                self.step()
        self.subject.set_progress(None)
        if self.reset(rate=0):
            self.step(rate=0)
        if getattr(self.subject, "render_mode", None):
            self.call(self.subject.render)

    def reset(self, rate: float = 0.4) -> Any:
        seeds = [int(seed) for seed in self.generator.integers(2**63, size=self.worlds)]
        mask = np.ones(self.worlds, np.bool_)
        if isinstance(self.subject, Simulator):
            return self.call(lambda: self.subject.reset(self.wild(seeds, rate), self.wild(mask, rate / 4)) or True)
        seed = seeds if isinstance(self.subject, XWorldVectorEnv) and self.generator.random() < 0.5 else seeds[0] // 2
        options = {"reset_mask": self.wild(mask)} if self.generator.random() < rate else None
        return self.call(self.subject.reset, seed=self.wild(seed, rate), options=self.wild(options, rate / 4))

    def step(self, rate: float = 0.4) -> None:
        actions: Any = self.generator.integers(4, size=self.worlds)
        actions = actions[0] if isinstance(self.subject, XWorldEnv) else self.wild(actions.tolist(), rate / 2)
        given = {"autoreset": self.wild(True, rate / 4)} if isinstance(self.subject, Simulator) else {}
        result = self.call(self.subject.step, self.wild(actions, rate), **given)
        if result is not None:
            rewards = result[0] if isinstance(self.subject, Simulator) else result[1]
            assert np.isfinite(rewards).all()
            assert isinstance(self.subject, Simulator) or result[0] in self.subject.observation_space


def outcome(counts: Counter[str], call: Callable[[], Any]) -> Any:
    """The result of a call, or None if it is refused; any other error is passed on."""
    try:
        result = call()
    except REFUSALS as error:
        check_message(str(error))
        counts["refused"] += 1
        return None
    counts["ran"] += 1
    return result


def check_message(message: str) -> None:
    assert len(message.splitlines()) == 1, f"not one line: {message}"
    assert len(message) < LONGEST, f"{len(message)} characters: {message}"


def try_environment(generator: Generator, counts: Counter[str], made: dict[str, Any]) -> None:
    kind = list(ENVIRONMENTS)[generator.integers(3)]
    if generator.random() < 0.65:
        made[kind.__name__] = made.get(kind.__name__) or kind(**({} if kind is XWorldEnv else {"num_envs": 2}))
        subject = made[kind.__name__]
    else:
        always = ("num_envs",) if kind is Simulator else ("observation",)
        subject = outcome(counts, lambda: kind(**arguments(generator, ENVIRONMENTS[kind], always)))
    if subject is not None:
        Trial(generator, subject, counts).live()


def try_config(generator: Generator, counts: Counter[str]) -> None:
    config = list(PRESETS.values())[generator.integers(len(PRESETS))]
    name = one_of(*(name for name in vars(config)))(generator)
    changed = outcome(counts, lambda: replace(config, **{name: spoil(generator, getattr(config, name))}))
    assert changed is None or from_json(as_json(changed)) == changed
    content = as_json(config)
    parent = content if generator.random() < 0.5 else content["teacher"]
    parent[one_of(*parent, "more")(generator)] = as_json_is(wild(generator))
    outcome(counts, lambda: from_json(content))


def as_json_is(value: Any) -> Any:
    """A value as it comes out of a file; text, where JSON does not know it."""
    try:
        return json.loads(json.dumps(value))
    except (TypeError, ValueError, RecursionError):
        return "unknown"


def try_catalogue(generator: Generator, counts: Counter[str]) -> None:
    picture = np.zeros((96, 96, 4), np.uint8)
    outcome(counts, lambda: CATALOGUE.atlas(spoil(generator, 12)))
    outcome(counts, lambda: CATALOGUE.describe_tile(spoil(generator, 4)))
    outcome(counts, lambda: CATALOGUE.with_class(wild(generator), picture))
    outcome(
        counts,
        lambda: CATALOGUE.with_class("zebra", spoil(generator, picture), one_of("red", wild(generator))(generator)),
    )
    outcome(counts, lambda: Holdout.from_json(wild(generator)))


def try_all(cases: int, seed: int) -> Counter[str]:
    """Try many cases, each with random numbers of its own; an error names the case."""
    counts, made = Counter[str](), dict[str, Any]()
    for case in range(cases):
        generator = np.random.default_rng([seed, case])
        try:
            if (choice := generator.random()) < 0.1:
                try_config(generator, counts)
            elif choice < 0.2:
                try_catalogue(generator, counts)
            else:
                try_environment(generator, counts, made)
        except Exception as error:
            raise AssertionError(f"case {case} of seed {seed}: {type(error).__name__}") from error
    return counts


def test_whatever_is_given_works_or_is_refused_in_one_line() -> None:
    counts = try_all(CASES, SEED)
    assert min(counts["ran"], counts["refused"]) > CASES


if __name__ == "__main__":
    warnings.simplefilter("error")
    start, cases = time.perf_counter(), int(sys.argv[1])
    print(f"{cases:,} cases of seed {SEED}: {dict(try_all(cases, SEED))} in {time.perf_counter() - start:.0f} s")

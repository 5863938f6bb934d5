"""The options of a reset: a session on a given map, with a given command, or with a type of command."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from xworld.teacher.choice import ABSENT
from xworld.teacher.grammar import Sentence, find_subtask
from xworld.teacher.oracle import Possible, alternative_commands, possible_commands
from xworld.teacher.reasons import reason_against
from xworld.teacher.rules import Rules
from xworld.teacher.session import ask
from xworld.teacher.settings import COMMAND_NAMES
from xworld.teacher.simulator import Simulator
from xworld.teacher.subtask import SLOTS
from xworld.world.checks import SettingsError, check_choice, check_kind
from xworld.world.kernel import entry
from xworld.world.scene import Scene

_SEARCHED_AT_ONCE = 1024
_SEARCHES = 200
"""So many times are new maps drawn until a command applies on one of them."""


@dataclass(frozen=True)
class ResetOptions:
    """What a session should be like; the teacher chooses what is left open."""

    scene: Scene | None = None
    command: str | None = None
    command_type: str | None = None

    def check(self, simulator: Simulator) -> "ResetOptions":
        """These options with the type of its command, if they contradict neither each other nor the simulator."""
        if self.scene is not None:
            check_kind("scene", self.scene, Scene).check(simulator.grammar.catalogue)
        given = None if self.command is None else self._read(simulator).subtask
        kind = given if self.command_type is None else self.command_type
        if kind is not None:
            check_choice("command_type", kind, simulator.settings.commands)
        if given not in (None, kind):
            raise SettingsError(f"the command {self.command!r} is of type {given}, not {kind}")
        return replace(self, command_type=kind)

    def _read(self, simulator: Simulator) -> Sentence:
        sentence = simulator.grammar.read(check_kind("command", self.command, str))
        if sentence.subtask not in COMMAND_NAMES:
            raise SettingsError(f"command={self.command!r}: this is a question")
        if simulator.holdout.holds_out(sentence):
            raise SettingsError(
                f"command={self.command!r}: this world holds it out ({simulator.holdout.condition}); "
                f"make one under the condition Standard to give it"
            )
        return sentence

    def apply(self, simulator: Simulator, world: int) -> None:
        """Make of the session that has just begun in a world what the options ask for."""
        worlds, sessions = simulator.worlds[[world]], simulator.sessions[[world]]
        if self.scene is not None:
            _put(worlds, self.scene.to_world(simulator.grammar.catalogue))
        elif self.command is not None:
            _put(worlds, self._find_map(simulator, worlds))
        elif self.command_type is not None:
            worlds, sessions = self._begin_again(simulator, worlds, sessions)
        simulator.worlds[[world]], simulator.sessions[[world]] = worlds, sessions
        if self.scene is not None or self.command is not None:
            self._command(simulator, world)

    def _begin_again(
        self, simulator: Simulator, worlds: NDArray[np.void], sessions: NDArray[np.void]
    ) -> tuple[NDArray[np.void], NDArray[np.void]]:
        """Another session in place of the one that has begun, with a command of the type."""
        other = self._restricted(simulator, 1)
        sessions["count"] -= 1
        other.set_state(worlds, sessions)
        other.reset()
        return other.worlds, other.sessions

    def _find_map(self, simulator: Simulator, worlds: NDArray[np.void]) -> NDArray[np.void]:
        """(1,) A world on whose map the command can be given; the same for the same random state."""
        sentence, words = self._read(simulator), simulator.grammar.slot_words
        meant = {
            slot: ABSENT if (word := getattr(sentence, slot)) is None else words[slot].index(word) for slot in SLOTS
        }
        seeds, other = np.random.default_rng(worlds["random"]), self._restricted(simulator, _SEARCHED_AT_ONCE)
        for _ in range(_SEARCHES):
            other.reset(seeds.integers(2**63, size=len(other)))
            offers, fit = alternative_commands(other)
            for slot, index in meant.items():
                fit &= offers[slot] == index
            if fit.any():
                return np.array(other.worlds[[np.flatnonzero(fit.any(axis=1))[0]]])
        raise SettingsError(
            f"command={self.command!r}: no map was found on which the teacher would say it, with these settings"
        )

    def _restricted(self, simulator: Simulator, worlds: int) -> Simulator:
        """A simulator like this one that gives commands of the type only."""
        assert self.command_type is not None
        settings = replace(simulator.settings, commands=(self.command_type,))
        other = Simulator(worlds, simulator.grammar.catalogue, simulator.holdout, settings)
        other.progress = simulator.progress
        return other

    def _command(self, simulator: Simulator, world: int) -> None:
        """Give the command on the map that is there, or one that fits."""
        chosen, text = (
            self._random_command(simulator, world) if self.command is None else self._given_command(simulator, world)
        )
        assert chosen.target is not None
        simulator.worlds["target_row"][world], simulator.worlds["target_column"][world] = chosen.target
        simulator.sessions["command"][world] = simulator.grammar.vocabulary.encode(text)
        simulator.sessions["command_type"][world] = COMMAND_NAMES.index(chosen.subtask)

    def _random_command(self, simulator: Simulator, world: int) -> tuple[Possible, str]:
        """A command that fits the map, and its words."""
        allowed = simulator.settings.commands if self.command_type is None else (self.command_type,)
        possible = [item for item in possible_commands(simulator, world) if item.subtask in allowed]
        if not possible:
            raise SettingsError(f"scene: none of the commands {', '.join(allowed)} can be given on this map")
        rng = np.random.default_rng(simulator.worlds["random"][world])
        chosen = _choose(possible, rng)
        return chosen, _word(chosen, int(simulator.sessions["max_length"][world]), rng)

    def _given_command(self, simulator: Simulator, world: int) -> tuple[Possible, str]:
        """The command of the options, if it is true on the map."""
        assert self.command is not None
        sentence = self._read(simulator)
        for item in possible_commands(simulator, world):
            if item.says(sentence):
                return item, self.command
        scene = Scene.of_world(simulator.worlds[world])
        reason = reason_against(sentence, scene, simulator.grammar.catalogue)
        raise SettingsError(f"command={self.command!r}: the teacher would not say this here: {reason}")


def reset_with_options(
    simulator: Simulator,
    options: Mapping[int, ResetOptions],
    seeds: ArrayLike | None = None,
    mask: ArrayLike | None = None,
) -> None:
    """Begin sessions as `Simulator.reset` does, in some worlds with options. If that fails, nothing changes."""
    checked = {world: wanted.check(simulator) for world, wanted in options.items()}
    before = simulator.worlds.copy(), simulator.sessions.copy()
    simulator.reset(seeds, mask)
    if not checked:
        return
    try:
        for world, wanted in checked.items():
            if mask is not None and not np.asarray(mask)[world]:
                raise SettingsError(f"world {world} has options, but reset_mask leaves it out; give it None")
            wanted.apply(simulator, world)
    except ValueError:
        simulator.set_state(*before)
        raise
    chosen = list(checked)
    worlds, sessions = simulator.worlds[chosen], simulator.sessions[chosen]
    _ask_each(worlds, sessions, simulator.rules)
    simulator.worlds[chosen], simulator.sessions[chosen] = worlds, sessions
    simulator.set_state(simulator.worlds, simulator.sessions)


@entry
def _ask_each(worlds: NDArray[np.void], sessions: NDArray[np.void], rules: Rules) -> None:
    for i in range(len(worlds)):
        ask(worlds[i], sessions[i], rules)


def _put(worlds: NDArray[np.void], scene: NDArray[np.void]) -> None:
    """Put a scene into a world, which keeps its random state."""
    for name in worlds.dtype.names or ():
        if name != "random":
            worlds[name] = scene[name]


def _choose(possible: list[Possible], rng: np.random.Generator) -> Possible:
    """One of the commands; all types that there are, and all commands of a type, are equally likely."""
    types = sorted({item.subtask for item in possible})
    kind = types[rng.integers(len(types))]
    of_kind = [item for item in possible if item.subtask == kind]
    return of_kind[rng.integers(len(of_kind))]


def _word(command: Possible, longest: int, rng: np.random.Generator) -> str:
    """A command in words, at most so many as the curriculum allows, unless all wordings are longer."""
    forms = find_subtask(command.subtask).forms
    short = [form for form in forms if len(form.split()) <= longest] or [min(forms, key=lambda form: len(form.split()))]
    return short[rng.integers(len(short))].format(**{slot: getattr(command, slot) for slot in SLOTS})

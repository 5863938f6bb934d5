"""The teacher's settings: ranges for the curriculum, types and rates of sentences, layouts and rewards."""

import math
from dataclasses import dataclass

from xworld.teacher.commands import COMMANDS
from xworld.teacher.questions import QUESTIONS
from xworld.teacher.vocabulary import SENTENCE_LENGTH
from xworld.world.cells import SIDE
from xworld.world.movement import Rewards
from xworld.world.state import MAX_OBJECTS

SMALLEST_MAP = 3
COMMAND_NAMES = tuple(command.name for command in COMMANDS)
QUESTION_NAMES = tuple(question.name for question in QUESTIONS)

Range = tuple[int, int]
"""A lowest and a highest value, both included."""

RANGES = {
    "map_size": (SMALLEST_MAP, SIDE),
    "objects": (1, MAX_OBJECTS),
    "walls": (0, SIDE * SIDE),
    "classes": (1, None),
    "sentence_length": (1, SENTENCE_LENGTH),
}
"""The settings that a curriculum moves along a range, and the limits of the range."""
_HIGHEST = {"question_rate": 1, "rare_first": 10, "nothing_rate": 1, "clustered": 1, "lined": 1}


class SettingsError(ValueError):
    """An invalid setting; the message names it and says what is expected."""


@dataclass(frozen=True)
class TeacherSettings:
    """What worlds contain and what the teacher says in them. The defaults are the paper's.

    The first five are ranges: a curriculum moves from their low ends to their high ends. Without a curriculum, sessions
    are at the high ends from the start.

    >>> TeacherSettings(map_size=(3, 9))
    Traceback (most recent call last):
        ...
    xworld.teacher.settings.SettingsError: map_size=(3, 9): expected two whole numbers, low <= high, from 3 to 7
    """

    map_size: Range = (SMALLEST_MAP, SIDE)
    """Rows and columns of the map."""
    objects: Range = (1, 3)
    """Objects on the map: uniform from the low end to the level of the curriculum."""
    walls: Range = (0, 10)
    """Walls on the map: uniform in the same way."""
    classes: Range = (4, 40)
    """Number of classes that may appear, in alphabetical order; at most all of the catalogue."""
    sentence_length: Range = (2, SENTENCE_LENGTH)
    """Maximum length of sentences; a type without such short wordings uses its shortest."""

    commands: tuple[str, ...] = COMMAND_NAMES
    """The types of command, equally often."""
    questions: tuple[str, ...] = QUESTION_NAMES
    """The types of question."""
    question_rate: float = 1.0
    """Probability that the teacher asks a question, at a step where one applies."""
    rare_first: float = 1.0
    """How strongly questions that rarely apply, most of them relational, are preferred; 0: not at all."""
    nothing_rate: float = 0.1
    """Probability that a question about a place asks about an empty one."""
    clustered: float = 0.4
    """Share of layouts with objects next to each other."""
    lined: float = 0.25
    """Share of layouts with three objects in a line."""
    between_rows_only: bool = False
    """Whether "between" is said only of two objects in a row, and not in a column."""
    rewards: Rewards = Rewards()
    """The rewards of the agent."""

    def __post_init__(self) -> None:
        for name, (least, most) in RANGES.items():
            self._check_range(name, least, most)
        for name, highest in _HIGHEST.items():
            value = getattr(self, name)
            if not (isinstance(value, int | float) and 0 <= value <= highest):
                raise SettingsError(f"{name}={value!r}: expected a number from 0 to {highest}")
        self._check_names("commands", COMMAND_NAMES)
        self._check_names("questions", QUESTION_NAMES)
        if not self.commands:
            raise SettingsError("commands=(): expected at least one type of command")
        if (shares := self.clustered + self.lined) > 1:
            raise SettingsError(f"clustered + lined = {shares}: expected shares that add up to at most 1")
        if not (isinstance(self.rewards, Rewards) and all(math.isfinite(reward) for reward in self.rewards)):
            raise SettingsError(f"rewards={self.rewards!r}: expected Rewards(...) of finite numbers")

    def _check_range(self, name: str, least: int, most: int | None) -> None:
        value = getattr(self, name)
        whole = isinstance(value, tuple) and len(value) == 2 and all(type(end) is int for end in value)
        if not (whole and least <= value[0] <= value[1] and (most is None or value[1] <= most)):
            bounds = f"from {least} to {most}" if most is not None else f"{least} or more"
            raise SettingsError(f"{name}={value!r}: expected two whole numbers, low <= high, {bounds}")

    def _check_names(self, name: str, known: tuple[str, ...]) -> None:
        names = getattr(self, name)
        if not isinstance(names, tuple):
            raise SettingsError(f"{name}={names!r}: expected a tuple of names, such as ({known[0]!r},)")
        if unknown := [repr(item) for item in names if item not in known]:
            raise SettingsError(f"{name}: no type {', '.join(unknown)}; there are {', '.join(known)}")
        if len(set(names)) < len(names):
            raise SettingsError(f"{name}={names}: a type is named twice")

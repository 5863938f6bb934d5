"""How the teacher teaches: a frozen record of settings, and a range for each quantity that the curriculum moves."""

import math
from dataclasses import dataclass

from xworld.teacher.commands import COMMANDS
from xworld.teacher.questions import QUESTIONS
from xworld.teacher.vocabulary import SENTENCE_LENGTH
from xworld.world.cells import SIDE
from xworld.world.movement import Rewards
from xworld.world.state import MAX_OBJECTS

SMALLEST_MAP = 3
STRONGEST_PREFERENCE = 10.0
COMMAND_NAMES = tuple(command.name for command in COMMANDS)
QUESTION_NAMES = tuple(question.name for question in QUESTIONS)

Range = tuple[int, int]
"""A lowest and a highest value, both included."""


class SettingsError(ValueError):
    """A setting that makes no sense; the message says which and what would."""


@dataclass(frozen=True)
class TeacherSettings:
    """What the worlds hold and what is said in them. The defaults are the paper's.

    The first five are the ranges of the curriculum: it moves from their low ends to their high ends. Without one it
    stands at the high ends from the start.

    >>> TeacherSettings(map_size=(3, 9))
    Traceback (most recent call last):
        ...
    xworld.teacher.settings.SettingsError: map_size=(3, 9): expected two whole numbers, low <= high, from 3 to 7
    """

    map_size: Range = (SMALLEST_MAP, SIDE)
    """Rows and columns of the map."""
    objects: Range = (1, 3)
    """Objects on the map: uniform from the low end to where the curriculum stands."""
    walls: Range = (0, 10)
    """Walls on the map: uniform likewise."""
    classes: Range = (4, 40)
    """Classes that may appear, in alphabetical order; a smaller catalogue is used whole."""
    sentence_length: Range = (2, SENTENCE_LENGTH)
    """The longest wording, where a type of sentence has one that short."""

    commands: tuple[str, ...] = COMMAND_NAMES
    """The types of command, equally often."""
    questions: tuple[str, ...] = QUESTION_NAMES
    """The types of question."""
    question_rate: float = 1.0
    """How often a question is asked at a step where one applies."""
    rare_first: float = 1.0
    """How much questions that seldom apply, most of them relational, are preferred; 0: no more than the others."""
    nothing_rate: float = 0.1
    """How often a question about a place points at an empty one."""
    clustered: float = 0.4
    """Share of layouts with objects placed next to each other."""
    lined: float = 0.25
    """Share of layouts with three objects in a line."""
    between_rows_only: bool = False
    """Whether "between" is said of two objects in a row only, and not in a column."""
    rewards: Rewards = Rewards()
    """What the agent earns."""

    def __post_init__(self) -> None:
        self._check_range("map_size", SMALLEST_MAP, SIDE)
        self._check_range("objects", 1, MAX_OBJECTS)
        self._check_range("walls", 0, SIDE * SIDE)
        self._check_range("classes", 1, None)
        self._check_range("sentence_length", 1, SENTENCE_LENGTH)
        self._check_names("commands", COMMAND_NAMES)
        self._check_names("questions", QUESTION_NAMES)
        if not self.commands:
            raise SettingsError("commands=(): expected at least one type of command")
        for name in ("question_rate", "nothing_rate", "clustered", "lined"):
            self._check_number(name, 1)
        if self.clustered + self.lined > 1:
            raise SettingsError(f"clustered + lined = {self.clustered + self.lined}: shares of one whole, at most 1")
        self._check_number("rare_first", STRONGEST_PREFERENCE)
        if not (isinstance(self.rewards, Rewards) and all(math.isfinite(reward) for reward in self.rewards)):
            raise SettingsError(f"rewards={self.rewards!r}: expected Rewards(...) of finite numbers")

    def _check_range(self, name: str, least: int, most: int | None) -> None:
        value = getattr(self, name)
        whole = isinstance(value, tuple) and len(value) == 2 and all(type(end) is int for end in value)
        if not (whole and least <= value[0] <= value[1] and (most is None or value[1] <= most)):
            bounds = f"from {least} to {most}" if most is not None else f"{least} or more"
            raise SettingsError(f"{name}={value!r}: expected two whole numbers, low <= high, {bounds}")

    def _check_number(self, name: str, most: float) -> None:
        value = getattr(self, name)
        if not (isinstance(value, int | float) and 0 <= value <= most):
            raise SettingsError(f"{name}={value!r}: expected a number from 0 to {most:g}")

    def _check_names(self, name: str, known: tuple[str, ...]) -> None:
        if not isinstance(getattr(self, name), tuple):
            raise SettingsError(f"{name}={getattr(self, name)!r}: expected a tuple of names, such as ({known[0]!r},)")
        unknown = [repr(item) for item in getattr(self, name) if item not in known]
        if unknown:
            raise SettingsError(f"{name}: no type {', '.join(unknown)}; there are {', '.join(known)}")
        if len(set(getattr(self, name))) < len(getattr(self, name)):
            raise SettingsError(f"{name}={getattr(self, name)}: a type is named twice")

"""The teacher's settings: ranges for the curriculum, types and rates of sentences, layouts and rewards."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from xworld.teacher.commands import COMMANDS
from xworld.teacher.questions import QUESTIONS
from xworld.teacher.vocabulary import SENTENCE_LENGTH
from xworld.world.catalogue import MAX_TILES
from xworld.world.cells import SIDE, SMALLEST_MAP
from xworld.world.checks import SettingsError, check_flag, check_kind, check_number, check_whole, refusal, show
from xworld.world.movement import Rewards
from xworld.world.state import MAX_OBJECTS

COMMAND_NAMES: Sequence[str] = COMMANDS.names
QUESTION_NAMES: Sequence[str] = QUESTIONS.names

Range = tuple[int, int]
"""A lowest and a highest value, both included."""

RANGES = {
    "map_size": (SMALLEST_MAP, SIDE),
    "objects": (1, MAX_OBJECTS),
    "walls": (0, SIDE * SIDE),
    "classes": (1, MAX_TILES),
    "sentence_length": (1, SENTENCE_LENGTH),
}
"""The settings that a curriculum moves along a range, and the limits of the range."""
_HIGHEST = {"question_rate": 1, "rare_first": 10, "nothing_rate": 1, "clustered": 1, "lined": 1}
_LARGEST_REWARD = 1e9


@dataclass(frozen=True)
class TeacherSettings:
    """What worlds contain and what the teacher says in them. The defaults are the paper's.

    The first five are ranges: a curriculum moves from their low ends to their high ends. Without a curriculum, sessions
    are at the high ends from the start.

    >>> TeacherSettings(map_size=(3, 9))
    Traceback (most recent call last):
        ...
    xworld.world.checks.SettingsError: map_size=(3, 9): expected two whole numbers, low <= high, from 3 to 7
    """

    map_size: Range = (SMALLEST_MAP, SIDE)
    """Rows and columns of the map."""
    objects: Range = (1, 3)
    """Objects on the map: uniform from the low end to the level of the curriculum."""
    walls: Range = (0, 10)
    """Walls on the map: uniform in the same way."""
    classes: Range = (4, MAX_TILES)
    """Number of classes that may appear, in alphabetical order; more than the catalogue has are all of them."""
    sentence_length: Range = (2, SENTENCE_LENGTH)
    """Maximum length of sentences; a type without such short wordings uses its shortest."""

    commands: tuple[str, ...] = field(default_factory=lambda: tuple(COMMAND_NAMES))
    """The types of command, equally often."""
    questions: tuple[str, ...] = field(default_factory=lambda: tuple(QUESTION_NAMES))
    """The types of question."""
    question_rate: float = 1.0
    """Probability that the teacher asks a question, at a step where one applies."""
    rare_first: float = 1.0
    """How strongly questions that rarely apply, most of them relational, are preferred; 0: not at all."""
    nothing_rate: float = 0.1
    """Probability that a question about a place asks about an empty one."""
    clustered: float = 0.4
    """Share of layouts with objects next to each other."""
    lined: float = 0.5
    """Share of layouts with three objects in a line."""
    between_rows_only: bool = False
    """Whether "between" is said only of two objects in a row, and not in a column."""
    rewards: Rewards = Rewards()
    """The rewards of the agent."""

    def __post_init__(self) -> None:
        """Check every setting, and keep numbers of NumPy as Python's."""
        checked: dict[str, object] = {name: self._check_range(name, *limits) for name, limits in RANGES.items()}
        for name, highest in _HIGHEST.items():
            checked[name] = check_number(name, getattr(self, name), 0, highest)
        checked["between_rows_only"] = check_flag("between_rows_only", self.between_rows_only)
        checked["rewards"] = _check_rewards(self.rewards)
        for name, value in checked.items():
            object.__setattr__(self, name, value)
        self._check_names("commands", COMMAND_NAMES)
        self._check_names("questions", QUESTION_NAMES)
        if not self.commands:
            raise refusal("commands", self.commands, "at least one type of command")
        if (shares := self.clustered + self.lined) > 1:
            raise SettingsError(f"clustered + lined = {shares}: expected shares that add up to at most 1")

    def _check_range(self, name: str, least: int, most: int) -> Range:
        value = getattr(self, name)
        try:
            low, high = check_kind(name, value, tuple)
            return check_whole(name, low, least, most), check_whole(name, high, low, most)
        except ValueError:
            raise refusal(name, value, f"two whole numbers, low <= high, from {least} to {most}") from None

    def _check_names(self, name: str, known: Sequence[str]) -> None:
        names = getattr(self, name)
        if not isinstance(names, tuple):
            raise refusal(name, names, f"a tuple of names, such as ({known[0]!r},)")
        for item in names:
            if not (isinstance(item, str) and item in known):
                raise SettingsError(f"{name}: no type {show(item)}; there are {', '.join(known)}")
        if len(set(names)) < len(names):
            raise SettingsError(f"{name}={show(names)}: a type is named twice")


def _check_rewards(rewards: Rewards) -> Rewards:
    named = check_kind("rewards", rewards, Rewards)._asdict().items()
    limits = -_LARGEST_REWARD, _LARGEST_REWARD
    return Rewards(*(check_number(f"rewards.{name}", value, *limits) for name, value in named))

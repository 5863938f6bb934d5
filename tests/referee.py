"""An independent referee of the teacher: slow, plain Python that shares nothing with the world it checks.

Every fair sentence refers to one cell (`Referent`). There are six ways to refer to a cell, and a sentence is
one of them together with what is wanted of the cell: to be walked to (a command), or to have the name, the
color or the direction of its thing told (a question). C1 to C8 are the triggering conditions of the paper.
Row 0 is the north and column 0 the west.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

Cell = tuple[int, int]
Word = str | None
Command = tuple[str, Word, Word, Word, Word, Cell]  # subtask, location, color, two objects, target
Question = tuple[str, Word, Word, Word, Word, str]  # subtask, location, color, two objects, answer

NAMES = frozenset(
    """
    apple avocado banana blueberry butterfly cabbage cat cherry circle coconut cucumber deer dog elephant fig
    fish frog grape hedgehog ladybug lemon lion monkey octopus orange owl panda penguin pineapple pumpkin
    rabbit snake square squirrel star strawberry triangle turkey turtle watermelon
    """.split()
)
COLORS = ("red", "green", "blue", "yellow")
MOVES = ("north", "east", "south", "west")
LOCATIONS = (*MOVES, "northeast", "southeast", "southwest", "northwest")
CUES = {"color": {"color"}, "location": {"where", "location", "direction", "side", "locate", "located"}}
"""The words that tell what a question asks for, the first match deciding; without any it asks for a name."""
PAIR = "object object"
"""The slots of a 'between'. Slots are the kinds of the content words of a sentence, in alphabetical order."""


class Unfair(ValueError):
    """The sentence is false, ambiguous, or its triggering condition does not hold in this scene."""


@dataclass(frozen=True)
class Thing:
    """An object on the map; any color but the four of `COLORS` is one that no word names."""

    row: int
    column: int
    name: str
    color: str

    @property
    def cell(self) -> Cell:
        return self.row, self.column


@dataclass(frozen=True)
class Scene:
    """A map of `size` x `size` cells. The agent may stand on a thing, which is then hidden."""

    size: int
    walls: frozenset[Cell]
    things: tuple[Thing, ...]
    agent: Cell

    def __post_init__(self) -> None:
        cells = [*self.walls, *(thing.cell for thing in self.things)]
        if len(set(cells)) < len(cells) or self.agent in self.walls:
            raise ValueError("a cell holds a single wall or thing, and the agent is never inside a wall")
        if not all(self.holds(cell) for cell in [*cells, self.agent]):
            raise ValueError("walls, things and the agent are all on the map")

    def holds(self, cell: Cell) -> bool:
        """Whether the cell is on the map."""
        return all(0 <= coordinate < self.size for coordinate in cell)

    def thing_at(self, cell: Cell) -> Thing | None:
        return next((thing for thing in self.things if thing.cell == cell), None)

    def is_floor(self, cell: Cell) -> bool:
        """Whether the cell is on the map with neither a wall nor a thing; the agent may stand there."""
        return self.holds(cell) and cell not in self.walls and self.thing_at(cell) is None

    def reaches(self, target: Cell) -> bool:
        """Whether the agent can walk to the target; walls and all other things are in its way."""
        obstacles = self.walls | ({thing.cell for thing in self.things} - {target})
        seen, frontier = {self.agent}, [self.agent]
        while frontier:
            here = frontier.pop()
            steps = {step(here, move) for move in MOVES} - seen - obstacles
            fresh = {cell for cell in steps if self.holds(cell)}
            seen |= fresh
            frontier += fresh
        return target in seen


@dataclass(frozen=True)
class Verdict:
    """What a fair sentence means: a command has a target and a question an answer."""

    subtask: str
    target: Cell | None = None
    answer: str | None = None


class Referent(NamedTuple):
    """The cell that a sentence is about, and the things it singles out to say so."""

    cell: Cell
    named: tuple[Thing, ...] = ()


def require(condition: bool, otherwise: str) -> None:
    if not condition:
        raise Unfair(otherwise)


def step(cell: Cell, location: str) -> Cell:
    """The cell exactly one away in that direction."""
    down = ("south" in location) - ("north" in location)
    right = ("east" in location) - ("west" in location)
    return cell[0] + down, cell[1] + right


def only(scene: Scene, *, color: Word = None, name: Word = None) -> Thing:
    """The one thing on the map with that name (C1), that color (C4), or both; a hidden one counts."""
    found = [thing for thing in scene.things if color in (None, thing.color) and name in (None, thing.name)]
    require(len(found) == 1, f"not one but {len(found)} of '{color or 'any'} {name or 'object'}'")
    return found[0]


# The six ways to refer to a cell.


def by_name(scene: Scene, name: str) -> Referent:
    """C1: 'the apple'."""
    thing = only(scene, name=name)
    return Referent(thing.cell, (thing,))


def by_color(scene: Scene, color: str) -> Referent:
    """C4: 'the red object'."""
    thing = only(scene, color=color)
    return Referent(thing.cell, (thing,))


def by_color_and_name(scene: Scene, color: str, name: str) -> Referent:
    """C2: 'the red apple', when another thing shares either just its name or just its color."""
    thing = only(scene, color=color, name=name)
    contrast = any((other.color == color) != (other.name == name) for other in scene.things)
    require(contrast, f"no other thing is {color} or called {name}")
    return Referent(thing.cell, (thing,))


def by_side(scene: Scene, location: str) -> Referent:
    """C5: 'in the north' is a neighbor cell of the agent."""
    return Referent(step(scene.agent, location))


def by_side_of(scene: Scene, location: str, name: str) -> Referent:
    """C1 & C6: 'the north of the apple' is a neighbor cell of that thing."""
    thing = only(scene, name=name)
    return Referent(step(thing.cell, location), (thing,))


def by_middle(scene: Scene, first: str, second: str) -> Referent:
    """C3 and C7: 'between apple and banana', in either order, which are two apart in a row or a column."""
    one, other = only(scene, name=first), only(scene, name=second)
    apart = sorted((abs(one.row - other.row), abs(one.column - other.column)))
    require(apart == [0, 2], f"{first} and {second} are not two cells apart in a row or a column")
    return Referent(((one.row + other.row) // 2, (one.column + other.column) // 2), (one, other))


REFERENCES: dict[str, Callable[..., Referent]] = {
    "object": by_name,
    "color": by_color,
    "color object": by_color_and_name,
    "location": by_side,
    "location object": by_side_of,
    PAIR: by_middle,
}


def refer(scene: Scene, slots: str, words: Sequence[str], rows_only: bool) -> Referent:
    """Resolve content words; `rows_only` demands that two things named together share their row."""
    referent = REFERENCES[slots](scene, *words)
    rows = {thing.row for thing in referent.named}
    require(not rows_only or len(rows) < 2, f"{' and '.join(words)} are not in the same row")
    return referent


# What is wanted of the cell.


def target(scene: Scene, referent: Referent) -> Cell:
    """A command leads to the thing it names or else to empty floor, reachable and not where the agent is."""
    cell = referent.cell
    require(cell != scene.agent, "the agent is there already")
    fit = scene.is_floor(cell) or cell in {thing.cell for thing in referent.named}
    require(fit, f"{cell} is not empty floor")
    require(scene.reaches(cell), f"{cell} is out of reach")
    return cell


def name_of(scene: Scene, cell: Cell) -> str:
    """The name of the thing, or 'nothing' on empty floor; never asked of walls and beyond the map."""
    thing = scene.thing_at(cell)
    require(thing is not None or scene.is_floor(cell), f"{cell} is a wall or off the map")
    return thing.name if thing else "nothing"


def color_of(scene: Scene, cell: Cell) -> str:
    """The color of the thing, one of the four."""
    thing = scene.thing_at(cell)
    if thing is None or thing.color not in COLORS:
        raise Unfair(f"{cell} holds no thing with a color that has a word")
    return thing.color


def location_of(scene: Scene, cell: Cell) -> str:
    """C5 and C8: the direction from the agent to the thing, which is one of its eight neighbors."""
    near = {step(scene.agent, location): location for location in LOCATIONS}
    require(scene.thing_at(cell) is not None, f"{cell} holds no thing")
    require(cell in near, f"{cell} is not near the agent")
    return near[cell]


ANSWERS = {"name": name_of, "color": color_of, "location": location_of}


def answer(scene: Scene, asked: str, referent: Referent) -> str:
    """What the question asks for; the cell under the agent is hidden, it is neither named nor asked about."""
    spoken_of = {referent.cell, *(thing.cell for thing in referent.named)}
    require(scene.agent not in spoken_of, "the agent hides what the question speaks of")
    return ANSWERS[asked](scene, referent.cell)


COMMANDS = {
    "object": "nav_obj",
    "color object": "nav_col_obj",
    "location object": "nav_nr_obj",
    PAIR: "nav_bw_obj",
}
QUESTIONS = {
    ("name", "color"): "rec_col2obj",
    ("name", "location"): "rec_loc2obj",
    ("name", "location object"): "rec_loc_obj2obj",
    ("name", PAIR): "rec_bw_obj2obj",
    ("color", "object"): "rec_obj2col",
    ("color", "location"): "rec_loc2col",
    ("color", "location object"): "rec_loc_obj2col",
    ("color", PAIR): "rec_bw_obj2col",
    ("location", "object"): "rec_obj2loc",
    ("location", "color"): "rec_col2loc",
    ("location", "color object"): "rec_col_obj2loc",
    ("location", PAIR): "rec_bw_obj2loc",
}


# Reading a sentence by its keywords.


def read(tokens: Sequence[str], names: frozenset[str]) -> tuple[str, tuple[str, ...]]:
    """The content words: their kinds in alphabetical order, and within a kind in the order spoken."""
    kinds = {"color": COLORS, "location": LOCATIONS, "object": names}
    content = [(kind, token) for kind, words in kinds.items() for token in tokens if token in words]
    slots = " ".join(kind for kind, _ in content)
    require(tokens.count("between") == int(slots == PAIR), "'between' and two objects go together")
    return slots, tuple(token for _, token in content)


def asked_for(tokens: Sequence[str]) -> str:
    return next((asked for asked, cues in CUES.items() if cues & set(tokens)), "name")


def judge_command(
    scene: Scene, tokens: Sequence[str], names: frozenset[str] = NAMES, *, rows_only: bool = False
) -> Verdict:
    """The subtask and the target of a command; `Unfair` says why there is none."""
    slots, words = read(tokens, names)
    require(slots in COMMANDS, f"no command speaks of '{slots}'")
    return Verdict(COMMANDS[slots], target=target(scene, refer(scene, slots, words, rows_only)))


def judge_question(
    scene: Scene, tokens: Sequence[str], names: frozenset[str] = NAMES, *, rows_only: bool = False
) -> Verdict:
    """The subtask and the answer of a question; `Unfair` says why there is none."""
    asked, (slots, words) = asked_for(tokens), read(tokens, names)
    require((asked, slots) in QUESTIONS, f"no question for a {asked} speaks of '{slots}'")
    referent = refer(scene, slots, words, rows_only)
    return Verdict(QUESTIONS[asked, slots], answer=answer(scene, asked, referent))


# Everything that could fairly be said, by trying all words.


def fillings(scene: Scene, slots: str) -> Iterator[tuple[str, ...]]:
    """All words for the slots; of the names only those on the map, as no other can be fair."""
    names = sorted({thing.name for thing in scene.things})
    words = {"color": COLORS, "location": LOCATIONS, "object": names}
    return product(*(words[kind] for kind in slots.split()))


def columns(slots: str, words: Sequence[str]) -> tuple[Word, Word, Word, Word]:
    """The words as location, color, object and second object."""
    if slots == PAIR:
        return None, None, words[0], words[1]
    said = dict(zip(slots.split(), words, strict=True))
    return said.get("location"), said.get("color"), said.get("object"), None


def applicable_commands(scene: Scene, *, rows_only: bool = False) -> set[Command]:
    """Every fair command with its target."""
    fair: set[Command] = set()
    for slots, subtask in COMMANDS.items():
        for words in fillings(scene, slots):
            with suppress(Unfair):
                cell = target(scene, refer(scene, slots, words, rows_only))
                fair.add((subtask, *columns(slots, words), cell))
    return fair


def applicable_questions(scene: Scene, *, rows_only: bool = False) -> set[Question]:
    """Every fair question with its answer."""
    fair: set[Question] = set()
    for (asked, slots), subtask in QUESTIONS.items():
        for words in fillings(scene, slots):
            with suppress(Unfair):
                told = answer(scene, asked, refer(scene, slots, words, rows_only))
                fair.add((subtask, *columns(slots, words), told))
    return fair

"""New scenes: the teacher lays out a map and gives a command, as she does for an agent that learns."""

import secrets
from dataclasses import dataclass
from typing import Any

import numpy as np

from xworld.demo.agents import DemoAgent
from xworld.demo.errors import RequestError
from xworld.demo.fields import Fields, check_whole, one_of, quote, text, whole
from xworld.demo.scene import Scene, scene_of
from xworld.teacher.holdout import Holdout
from xworld.teacher.settings import COMMAND_NAMES, SMALLEST_MAP, SettingsError, TeacherSettings
from xworld.teacher.simulator import Simulator
from xworld.world.cells import SIDE
from xworld.world.state import MAX_OBJECTS

SEEDS = 2**53
"""Seeds are below this, the whole numbers that a page can count with."""
MOST_WALLS = 20

_CONFINED = "nav_obj", "nav_col_obj", "nav_nr_obj"
"""Commands that name one class; to be told a certain word, all others are taken from the teacher."""


@dataclass(frozen=True)
class Wish:
    """What a new scene is to be like."""

    seed: int
    size: tuple[int, int] = (SIDE, SIDE)
    objects: int | None = None
    walls: int | None = None
    command: str | None = None
    word: str | None = None
    """A word that the command is to name."""

    def settings(self, classes: int) -> TeacherSettings:
        """The teacher's settings for it, with a catalogue of so many classes; sizes of a range are equally likely."""
        size = int(np.random.default_rng(self.seed).integers(self.size[0], self.size[1] + 1))
        objects = (2, 3) if self.objects is None else (self.objects, self.objects)
        walls = (0, _usual_walls(size)) if self.walls is None else (self.walls, self.walls)
        names = COMMAND_NAMES if self.command is None else (self.command,)
        commands = tuple(name for name in names if self.word is None or name in _CONFINED)
        if not commands:
            raise RequestError(f"with_word goes with {', '.join(_CONFINED)}; {self.command} names two objects.")
        return TeacherSettings(
            map_size=(size, size),
            objects=objects,
            walls=walls,
            classes=(classes, classes),
            commands=commands,
            question_rate=0.0,
        )


@dataclass(frozen=True)
class Laid:
    """A new scene and the command that was given in it."""

    scene: Scene
    command: str
    subtask: str
    target: tuple[int, int]

    def to_json(self) -> dict[str, Any]:
        """As the page reads it."""
        command = {"text": self.command, "subtask": self.subtask, "target": list(self.target)}
        return {"scene": self.scene.to_json(), "command": command}


def read_wish(fields: Fields, mind: DemoAgent) -> Wish:
    """What a request wants of a new scene; what it leaves open is left to chance."""
    seed = whole(fields, "seed", 0, SEEDS - 1)
    word = text(fields, "with_word")
    if word is not None and word not in mind.catalogue.classes:
        raise RequestError(f"with_word is {quote(word)}; no object of this agent's world has that name.")
    return Wish(
        seed=secrets.randbelow(2**32) if seed is None else seed,
        size=_read_size(fields.get("size")),
        objects=whole(fields, "objects", 1, MAX_OBJECTS),
        walls=whole(fields, "walls", 0, MOST_WALLS),
        command=one_of(fields, "command", COMMAND_NAMES),
        word=word,
    )


def lay(mind: DemoAgent, wish: Wish) -> Laid:
    """A new scene; the same wish gives the same one.

    >>> from xworld.demo.agents import load_agents
    >>> lay(load_agents()["standard"], Wish(seed=3, command="nav_obj")).command
    'Navigate to the butterfly.'
    """
    others = tuple(name for name in mind.catalogue.classes if name != wish.word) if wish.word else ()
    settings = wish.settings(len(mind.catalogue.classes))
    try:
        # Commands that hold out every other word name this one; maps are drawn until there is such a command.
        simulator = Simulator(1, mind.catalogue, Holdout("NWNav", others), settings, threads=1)
        simulator.reset([wish.seed])
    except SettingsError as error:
        raise RequestError(
            "No such map was found: ask for other numbers of walls and objects, a larger map, or another command."
        ) from error
    world = simulator.worlds[0]
    return Laid(
        scene=scene_of(world),
        command=simulator.grammar.vocabulary.text(simulator.commands[0]),
        subtask=COMMAND_NAMES[int(simulator.sessions["command_type"][0])],
        target=(int(world["target_row"]), int(world["target_column"])),
    )


def _read_size(value: Any) -> tuple[int, int]:
    """A size, or the ends of a range of sizes."""
    ends = value if isinstance(value, list) else [value, value]
    if value is None:
        return SIDE, SIDE
    if len(ends) != 2:
        raise RequestError(f"size is {quote(value)}; expected a whole number or [lowest, highest].")
    low, high = (check_whole(end, "size", SMALLEST_MAP, SIDE) for end in ends)
    if low > high:
        raise RequestError(f"size is [{low}, {high}]; the first is to be the lowest.")
    return low, high


def _usual_walls(size: int) -> int:
    """The most walls of a map: the teacher's ten on the largest, and as dense on smaller ones."""
    return TeacherSettings().walls[1] * size * size // (SIDE * SIDE)

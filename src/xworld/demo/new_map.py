"""New maps: the teacher lays one out and gives a command, as she does in training."""

import secrets
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from xworld.demo.agents import DemoAgent
from xworld.demo.errors import AgentRequest, RequestError, quote
from xworld.teacher.commands import COMMANDS
from xworld.teacher.holdout import Holdout
from xworld.teacher.settings import COMMAND_NAMES, TeacherSettings
from xworld.teacher.simulator import Simulator
from xworld.world.cells import SIDE, SMALLEST_MAP
from xworld.world.checks import SettingsError
from xworld.world.scene import Scene
from xworld.world.state import MAX_OBJECTS

SEEDS = 2**53
"""Seeds are below this: JavaScript counts no further in whole numbers."""
MAX_WALLS = 20

_ONE_CLASS = tuple(command.name for command in COMMANDS if set(command.slots) & {"object", "second"} == {"object"})
"""Commands that name one class. Holding out all other classes makes the teacher name a certain one."""

_Size = Annotated[int, Field(ge=SMALLEST_MAP, le=SIDE)]


class NewMapRequest(AgentRequest):
    """What a new map should be like; the teacher chooses what is left open."""

    seed: int | None = Field(default=None, ge=0, lt=SEEDS, description=f"a whole number from 0 to {SEEDS - 1}")
    size: _Size | tuple[_Size, _Size] | None = Field(
        default=None, description=f"a whole number from {SMALLEST_MAP} to {SIDE}, or [lowest, highest] of such numbers"
    )
    objects: int | None = Field(
        default=None, ge=1, le=MAX_OBJECTS, description=f"a whole number from 1 to {MAX_OBJECTS}"
    )
    walls: int | None = Field(default=None, ge=0, le=MAX_WALLS, description=f"a whole number from 0 to {MAX_WALLS}")
    command: str | None = Field(
        default=None, pattern=f"^({'|'.join(COMMAND_NAMES)})$", description=f"one of {', '.join(COMMAND_NAMES)}"
    )
    with_word: str | None = None
    """A word that the command should name."""

    def settings(self, seed: int, classes: int) -> TeacherSettings:
        """The teacher's settings, for a catalogue with this number of classes; sizes of a range are equally likely."""
        low, high = self.size if isinstance(self.size, tuple) else (self.size or SIDE, self.size or SIDE)
        if low > high:
            raise RequestError(f"size is [{low}, {high}]; the lowest comes first.")
        size = int(np.random.default_rng(seed).integers(low, high + 1))
        usual_walls = TeacherSettings().walls[1] * size * size // (SIDE * SIDE)  # the same density on smaller maps
        return TeacherSettings(
            map_size=(size, size),
            objects=(2, 3) if self.objects is None else (self.objects, self.objects),
            walls=(0, usual_walls) if self.walls is None else (self.walls, self.walls),
            classes=(classes, classes),
            commands=self._commands(),
            question_rate=0.0,
        )

    def _commands(self) -> tuple[str, ...]:
        names = tuple(COMMAND_NAMES) if self.command is None else (self.command,)
        commands = tuple(name for name in names if self.with_word is None or name in _ONE_CLASS)
        if not commands:
            raise RequestError(
                f"with_word works with {', '.join(_ONE_CLASS)}; {self.command} names two objects or none."
            )
        return commands


def make_map(agent: DemoAgent, request: NewMapRequest) -> tuple[Scene, dict[str, Any]]:
    """A new scene, and the answer with the teacher's command in it; the same seed and settings give the same one.

    >>> from xworld.demo.agents import load_agents
    >>> scene, answer = make_map(load_agents()["standard"], NewMapRequest(seed=3, command="nav_obj"))
    >>> answer["command"]["text"]
    'Navigate to the butterfly.'
    """
    classes, word = agent.catalogue.classes, request.with_word
    if word is not None and word not in classes:
        raise RequestError(f"with_word is {quote(word)}; no object in this agent's world has that name.")
    seed = secrets.randbelow(2**32) if request.seed is None else request.seed
    settings = request.settings(seed, len(classes))
    others = tuple(name for name in classes if name != word) if word else ()
    try:
        # The simulator draws maps until there is one with a command that is not held out.
        simulator = Simulator(1, agent.catalogue, Holdout("NWNav", others), settings, threads=1)
        simulator.reset([seed])
    except SettingsError as error:
        raise RequestError(
            "No such map was found; ask for other numbers of walls and objects, a larger map, or another command."
        ) from error
    world = simulator.worlds[0]
    scene = Scene.of_world(world)
    command = {
        "text": simulator.grammar.vocabulary.text(simulator.commands[0]),
        "subtask": COMMAND_NAMES[int(simulator.sessions["command_type"][0])],
        "target": [int(world["target_row"]), int(world["target_column"])],
    }
    return scene, {"scene": scene.to_json(), "command": command, "seed": seed}

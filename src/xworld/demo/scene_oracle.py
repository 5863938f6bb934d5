"""The teacher on any map: what she would say there, what it comes to, and what a step does."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from xworld.demo.scene import NOWHERE, Cell, Scene
from xworld.teacher.grammar import Sentence
from xworld.teacher.oracle import (
    Possible,
    possible_commands,
    possible_questions,
    shortest_paths,
    true_answer,
    true_target,
)
from xworld.teacher.session import SESSION
from xworld.teacher.settings import TeacherSettings
from xworld.teacher.simulator import Simulator
from xworld.world.catalogue import Catalogue
from xworld.world.cells import ACTIONS


@dataclass(frozen=True)
class Outcome:
    """What one action comes to."""

    at: Cell
    reward: float
    reached: bool
    bumped: bool


class SceneOracle:
    """A simulator with as many worlds as there are actions: a scene is put into all of them, and one step tries each.

    Visitors take turns, each for less than a millisecond; nothing of a scene stays when the next one comes.

    >>> import numpy as np
    >>> grid = np.ones((7, 7), np.int16)
    >>> grid[0, 3] = 4
    >>> room = SceneOracle(Catalogue.load())
    >>> room.target(Scene(7, grid, (5, 3)), room.grammar.read("Go to the apple."))
    (0, 3)
    """

    def __init__(self, catalogue: Catalogue) -> None:
        self._simulator = Simulator(len(ACTIONS), catalogue, settings=TeacherSettings(question_rate=0.0), threads=1)
        self._turn = Lock()
        self.catalogue, self.grammar = catalogue, self._simulator.grammar
        self.rewards = self._simulator.settings.rewards

    def sayable(self, scene: Scene) -> tuple[list[Possible], list[Possible]]:
        """All commands and all questions that are true there, in whatever words."""
        with self._set(scene) as simulator:
            return possible_commands(simulator), possible_questions(simulator)

    def target(self, scene: Scene, command: Sentence) -> Cell | None:
        """Where a command leads; None where the teacher would not give it."""
        with self._set(scene) as simulator:
            return true_target(simulator, command)

    def answer(self, scene: Scene, question: Sentence) -> str | None:
        """The answer to a question; None where the teacher would not ask it."""
        with self._set(scene) as simulator:
            return true_answer(simulator, question)

    def view(self, scene: Scene) -> NDArray[np.int16]:
        """(13, 13) The tiles that the agent sees."""
        with self._set(scene) as simulator:
            view: NDArray[np.int16] = simulator.tiles[0]
        return view

    def way(self, scene: Scene, target: Cell) -> int | None:
        """The least number of steps to a target; None where there is no way."""
        if scene.at == target:
            return 0
        with self._set(scene, target) as simulator:
            steps = int(shortest_paths(simulator)[0])
        return steps if steps > 0 else None

    def outcomes(self, scene: Scene, target: Cell | None) -> list[Outcome]:
        """What each action comes to."""
        with self._set(scene, target or NOWHERE) as simulator:
            rewards, terminated, _ = simulator.step(np.arange(len(ACTIONS)), autoreset=False)
            cells = list(
                zip(simulator.worlds["agent_row"].tolist(), simulator.worlds["agent_column"].tolist(), strict=True)
            )
        return [
            Outcome(cell, float(reward), bool(there), cell == scene.at)
            for cell, reward, there in zip(cells, rewards, terminated, strict=True)
        ]

    @contextmanager
    def _set(self, scene: Scene, target: Cell = NOWHERE) -> Iterator[Simulator]:
        """The simulator with a scene in all its worlds, for one visitor at a time."""
        worlds = np.repeat(scene.to_world(self.catalogue, target), len(ACTIONS))
        with self._turn:
            self._simulator.set_state(worlds, np.zeros(len(ACTIONS), SESSION))
            yield self._simulator

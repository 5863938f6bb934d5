"""The teacher on any map: what she would say there, the right answer or target, and what each step does."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from xworld.teacher import oracle
from xworld.teacher.grammar import Sentence
from xworld.teacher.session import SESSION
from xworld.teacher.settings import TeacherSettings
from xworld.teacher.simulator import Simulator
from xworld.world.catalogue import Catalogue
from xworld.world.cells import ACTIONS
from xworld.world.scene import NOWHERE, Cell, Scene


class SceneOracle:
    """A simulator with one world per action: a scene is loaded into all of them, and one step tries every action.

    Requests take turns, each for less than a millisecond. Nothing of a scene remains when the next one is loaded.

    >>> import numpy as np
    >>> grid = np.ones((7, 7), np.int16)
    >>> grid[0, 3] = 4
    >>> scene_oracle = SceneOracle(Catalogue.load())
    >>> scene_oracle.target(Scene(7, grid, (5, 3)), scene_oracle.grammar.read("Go to the apple."))
    (0, 3)
    """

    def __init__(self, catalogue: Catalogue) -> None:
        self._simulator = Simulator(len(ACTIONS), catalogue, settings=TeacherSettings(question_rate=0.0), threads=1)
        self._lock = Lock()
        self.catalogue, self.grammar = catalogue, self._simulator.grammar

    def possible_sentences(self, scene: Scene) -> tuple[list[oracle.Possible], list[oracle.Possible]]:
        """All commands and all questions that the teacher could use there."""
        with self._load(scene) as simulator:
            return oracle.possible_commands(simulator), oracle.possible_questions(simulator)

    def target(self, scene: Scene, command: Sentence) -> Cell | None:
        """The target of a command; None if the teacher would not give it."""
        with self._load(scene) as simulator:
            return oracle.true_target(simulator, command)

    def answer(self, scene: Scene, question: Sentence) -> str | None:
        """The answer to a question; None if the teacher would not ask it."""
        with self._load(scene) as simulator:
            return oracle.true_answer(simulator, question)

    def view(self, scene: Scene) -> NDArray[np.int16]:
        """(13, 13) The tiles that the agent sees."""
        with self._load(scene) as simulator:
            view: NDArray[np.int16] = simulator.tiles[0]
        return view

    def shortest_path(self, scene: Scene, target: Cell) -> int | None:
        """The fewest steps to a target; None if it cannot be reached."""
        steps = 0 if scene.at == target else int(oracle.path_lengths(scene.to_world(self.catalogue, target))[0])
        return steps if steps >= 0 else None

    def outcomes(self, scene: Scene, target: Cell | None) -> list[dict[str, Any]]:
        """The result of each action, in the format of answers."""
        with self._load(scene, target or NOWHERE) as simulator:
            rewards, terminated, _ = simulator.step(np.arange(len(ACTIONS)), autoreset=False)
            rows, columns = simulator.worlds["agent_row"].tolist(), simulator.worlds["agent_column"].tolist()
        return [  # rewards are single precision
            {"at": cell, "reward": round(float(reward), 4), "reached": bool(reached), "bumped": cell == scene.at}
            for cell, reward, reached in zip(zip(rows, columns), rewards, terminated, strict=True)
        ]

    @contextmanager
    def _load(self, scene: Scene, target: Cell = NOWHERE) -> Iterator[Simulator]:
        """The simulator with a scene in all its worlds, for one request at a time."""
        worlds = np.repeat(scene.to_world(self.catalogue, target), len(ACTIONS))
        with self._lock:
            self._simulator.set_state(worlds, np.zeros(len(ACTIONS), SESSION))
            yield self._simulator

"""The rules of the game: one world, a person in the agent's place, and a score. No terminal in it."""

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from xworld.envs.observation import session_words
from xworld.envs.rendering import tiles_with_agent
from xworld.play.score import Score
from xworld.teacher.oracle import expert_actions, shortest_paths
from xworld.teacher.settings import SettingsError
from xworld.teacher.simulator import Simulator
from xworld.teacher.vocabulary import NOTHING, WordError
from xworld.world.catalogue import COLORS
from xworld.world.cells import ACTIONS, DIRECTIONS
from xworld.world.state import FIRST_OBJECT


class Ending(Enum):
    """How a session came to its end."""

    REACHED = "reached"
    LATE = "truncated"
    GIVEN_UP = "given up"


class Happening(Enum):
    """What a step led to."""

    WALKED = "walked"
    BUMPED = "bumped"
    WRONG_OBJECT = "wrong object"
    ENDED = "ended"


@dataclass(frozen=True)
class Verdict:
    """What the teacher says to an answer: whether it is right, and the right one."""

    right: bool
    answer: str


class Game:
    """Sessions one after another, each with a command to carry out and now and then a question to answer.

    >>> game = Game(Simulator(1), seed=3)
    >>> while game.ending is None:
    ...     _ = game.move(ACTIONS.index(game.tip()))
    >>> game.score.successes, game.steps == game.shortest
    (1, True)
    """

    def __init__(self, simulator: Simulator, seed: int) -> None:
        if len(simulator) != 1:
            raise SettingsError(f"a simulator of {len(simulator)} worlds: a person plays in one")
        self.simulator = simulator
        self.score = Score(seed)
        self.answers = tuple(sorted((*simulator.grammar.vocabulary.objects, *COLORS, *DIRECTIONS, NOTHING)))
        self._compile(seed)
        self._begin([seed])

    def begin(self) -> None:
        """Begin the next session."""
        self._begin(None)

    def move(self, action: int) -> Happening:
        """Take one step; a question that waits is skipped by it."""
        self.skip()
        before = self._place
        _, terminated, truncated = self.simulator.step([action], autoreset=False)
        self.question = session_words(self.simulator, 0)["question"]
        if terminated[0] or truncated[0]:
            self._end(Ending.REACHED if terminated[0] else Ending.LATE)
            return Happening.ENDED
        if self._place == before:
            return Happening.BUMPED
        return Happening.WRONG_OBJECT if self._ground >= FIRST_OBJECT else Happening.WALKED

    def give_up(self) -> None:
        """End the session without the target."""
        self.skip()
        self._end(Ending.GIVEN_UP)

    def tip(self) -> str:
        """The first step of a shortest way, by its name; the score counts how often it was asked for."""
        self.score.tips += 1
        return ACTIONS[expert_actions(self.simulator)[0]]

    def answer(self, text: str) -> Verdict:
        """Answer the question that waits; it waits on where a word cannot be an answer and is refused."""
        word = text.strip().lower()
        self.simulator.grammar.vocabulary.number(word)
        if word not in self.answers:
            raise WordError(f"{word!r} is no answer; answer an object, a color, a direction or '{NOTHING}'")
        verdict = Verdict(word == self._right_answer, self._right_answer)
        self.score.right += verdict.right
        self.score.wrong += not verdict.right
        self.question = ""
        return verdict

    def skip(self) -> None:
        """Leave the question that waits without an answer, if there is one."""
        self.score.skipped += self.question != ""
        self.question = ""

    @property
    def tiles(self) -> NDArray[np.int16]:
        """(7, 7) The map, the agent drawn in."""
        return tiles_with_agent(self.simulator)

    @property
    def objects(self) -> list[int]:
        """The tiles of this session's objects, each once, in the catalogue's order: not by where they lie."""
        return sorted({int(tile) for tile in self.simulator.worlds[0]["grid"].flat if tile >= FIRST_OBJECT})

    @property
    def target(self) -> tuple[int, int]:
        """The row and column to go to. Not for the eyes of someone who still looks for it."""
        world = self.simulator.worlds[0]
        return int(world["target_row"]), int(world["target_column"])

    @property
    def steps(self) -> int:
        """Steps taken in this session."""
        return int(self.simulator.sessions[0]["steps"])

    @property
    def time_limit(self) -> int:
        """Steps that this session has at most."""
        return int(self.simulator.worlds[0]["time_limit"])

    @property
    def earned(self) -> float:
        """The sum of this session's rewards so far."""
        return float(self.simulator.sessions[0]["reward_sum"])

    @property
    def _right_answer(self) -> str:
        return session_words(self.simulator, 0)["answer"]

    @property
    def _place(self) -> tuple[int, int]:
        world = self.simulator.worlds[0]
        return int(world["agent_row"]), int(world["agent_column"])

    @property
    def _ground(self) -> int:
        """The tile that the agent stands on."""
        return int(self.simulator.worlds[0]["grid"][self._place])

    def _compile(self, seed: int) -> None:
        """Run every kernel once, so that none compiles, and says so, with the game on the screen."""
        self.simulator.reset([seed])
        self.simulator.step(expert_actions(self.simulator), autoreset=False)

    def _begin(self, seeds: list[int] | None) -> None:
        self.simulator.reset(seeds)
        words = session_words(self.simulator, 0)
        self.command, self.question = words["command"], words["question"]
        self.shortest = int(shortest_paths(self.simulator)[0])
        self.ending: Ending | None = None

    def _end(self, ending: Ending) -> None:
        """Close the session's books. What the teacher asks of the last scene is not passed on."""
        self.ending, self.question = ending, ""
        self.score.sessions += 1
        self.score.reward += self.earned
        if ending is Ending.REACHED:
            self.score.successes += 1
            self.score.steps += self.steps
            self.score.shortest += self.shortest

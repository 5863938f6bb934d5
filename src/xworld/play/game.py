"""The rules of the game: one world, a person in the agent's place, and a score. No terminal here."""

from dataclasses import dataclass
from enum import Enum, auto

from xworld.envs.observation import session_words
from xworld.teacher.oracle import expert_actions, shortest_paths
from xworld.teacher.questions import QUESTIONS
from xworld.teacher.simulator import Simulator
from xworld.teacher.vocabulary import NOTHING, WordError
from xworld.world.cells import ACTIONS, DIRECTIONS
from xworld.world.checks import SettingsError
from xworld.world.state import FIRST_OBJECT


class Outcome(Enum):
    """What a step led to, or how a session ended."""

    MOVED = auto()
    BLOCKED = auto()
    WRONG_OBJECT = auto()
    REACHED = auto()
    TIMED_OUT = auto()
    GIVEN_UP = auto()


@dataclass
class Score:
    """Counts over finished sessions and over the questions asked."""

    seed: int
    sessions: int = 0
    successes: int = 0
    """Sessions in which the target was reached."""
    steps: int = 0
    """Steps of the successful sessions."""
    shortest: int = 0
    """Steps of the shortest paths in the successful sessions."""
    total_return: float = 0.0
    """Sum of the returns of all finished sessions."""
    tips: int = 0
    """How often the oracle was asked for the next step."""
    correct: int = 0
    wrong: int = 0
    skipped: int = 0

    @property
    def asked(self) -> int:
        """Questions that were answered or skipped."""
        return self.correct + self.wrong + self.skipped

    def summary(self) -> list[str]:
        """The score in a few lines, printed after the game."""
        lines = ["no session finished"]
        if self.sessions:
            reached = f"{self.successes} of {count(self.sessions, 'session')} ({self.successes / self.sessions:.0%})"
            lines = [f"target reached in {reached}", f"mean return {self.total_return / self.sessions:.2f}"]
        if self.steps:
            steps = f"{count(self.steps, 'step')}, {self.shortest} on the shortest paths"
            lines.append(f"path efficiency {self.shortest / self.steps:.0%}: {steps}")
        if self.asked:
            answered = f"{self.correct} of {count(self.asked, 'question')} answered correctly"
            lines.append(f"{answered} ({self.correct / self.asked:.0%})")
        if self.tips:
            lines.append(f"{count(self.tips, 'tip')} from the oracle")
        return [*lines, f"to replay: --seed {self.seed}"]


class Game:
    """One session after another, each with a command to carry out and sometimes a question to answer."""

    command: str
    question: str
    """The open question; empty if there is none."""
    shortest: int
    """Steps of the shortest path from the start of the session to the target."""
    ending: Outcome | None
    """None until the session has ended."""

    def __init__(self, simulator: Simulator, seed: int) -> None:
        if len(simulator) != 1:
            raise SettingsError(f"got a simulator with {len(simulator)} worlds; a person plays in 1")
        self.simulator = simulator
        self.world, self.session = simulator.worlds[0], simulator.sessions[0]  # views that follow the simulator
        self.score = Score(seed)
        catalogue, others = simulator.grammar.catalogue, {word for kind in QUESTIONS for word in kind.answers}
        self.answers = tuple(sorted({*catalogue.classes, *catalogue.colors, *DIRECTIONS, NOTHING, *others}))
        simulator.reset([seed])  # run every kernel once, so that none compiles while the game is on the screen
        simulator.step(expert_actions(simulator), autoreset=False)
        self.next_session(seed)

    def next_session(self, seed: int | None = None) -> None:
        """Start the next session, or the first one of a seed."""
        self.simulator.reset(None if seed is None else [seed])
        words = session_words(self.simulator, 0)
        self.command, self.question = words["command"], words["question"]
        self.shortest = int(shortest_paths(self.simulator)[0])
        self.ending = None

    def step(self, action: int) -> Outcome:
        """Take one step, which skips an open question."""
        self.skip_question()
        before = self._position
        _, terminated, truncated = self.simulator.step([action], autoreset=False)
        self.question = session_words(self.simulator, 0)["question"]
        if terminated[0] or truncated[0]:
            return self._end(Outcome.REACHED if terminated[0] else Outcome.TIMED_OUT)
        if self._position == before:
            return Outcome.BLOCKED
        return Outcome.WRONG_OBJECT if self.world["grid"][self._position] >= FIRST_OBJECT else Outcome.MOVED

    def give_up(self) -> Outcome:
        """End the session before the target is reached."""
        self.skip_question()
        return self._end(Outcome.GIVEN_UP)

    def tip(self) -> str:
        """The name of the first action on a shortest path. The score counts the tips."""
        self.score.tips += 1
        return ACTIONS[expert_actions(self.simulator)[0]]

    def answer(self, text: str) -> bool:
        """Answer the open question; returns whether it was correct. The question stays open if this raises an error."""
        word = text.strip().lower()
        self.simulator.grammar.vocabulary.number(word)
        if word not in self.answers:
            raise WordError(f"{word!r} cannot be an answer; expected an object, a color, a direction or '{NOTHING}'")
        correct = word == self.expected_answer
        self.score.correct += correct
        self.score.wrong += not correct
        self.question = ""
        return correct

    def skip_question(self) -> None:
        """Leave the open question, if any, without an answer."""
        self.score.skipped += self.question != ""
        self.question = ""

    @property
    def objects(self) -> list[int]:
        """The tiles of this session's objects in catalogue order, which does not reveal where they are."""
        return sorted({int(tile) for tile in self.world["grid"].flat if tile >= FIRST_OBJECT})

    @property
    def target(self) -> tuple[int, int]:
        """Row and column of the target. Do not show them before the session has ended."""
        return int(self.world["target_row"]), int(self.world["target_column"])

    @property
    def steps(self) -> int:
        """Steps taken in this session."""
        return int(self.session["steps"])

    @property
    def session_return(self) -> float:
        """The sum of this session's rewards so far."""
        return float(self.session["reward_sum"])

    @property
    def expected_answer(self) -> str:
        """The answer to the latest question. Do not show it before the player has answered."""
        return session_words(self.simulator, 0)["answer"]

    @property
    def _position(self) -> tuple[int, int]:
        return int(self.world["agent_row"]), int(self.world["agent_column"])

    def _end(self, ending: Outcome) -> Outcome:
        """Add the session to the score. A question about the last scene is dropped."""
        self.ending, self.question = ending, ""
        self.score.sessions += 1
        self.score.total_return += self.session_return
        if ending is Outcome.REACHED:
            self.score.successes += 1
            self.score.steps += self.steps
            self.score.shortest += self.shortest
        return ending


def count(number: int, thing: str) -> str:
    """A number with its noun: `1 step`, `2 steps`."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"

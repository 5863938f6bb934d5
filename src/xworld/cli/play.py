"""`xworld play`: take the agent's place."""

import os
import secrets
import sys
from dataclasses import dataclass
from pathlib import Path
from shutil import get_terminal_size

from xworld.cli.options import CommandType
from xworld.play.color import color_depth, is_dumb
from xworld.play.game import Game
from xworld.play.player import Player
from xworld.play.screen import GameScreen
from xworld.teacher.holdout import Condition, Holdout
from xworld.teacher.settings import COMMAND_NAMES, TeacherSettings
from xworld.teacher.simulator import Simulator
from xworld.world.catalogue import Catalogue
from xworld.world.checks import check_number, check_seed, check_whole

QUESTION_RATE = 0.25
"""Share of steps with a question. An agent gets one at every step, which is tiresome for a person."""


@dataclass(frozen=True)
class PlayCommand:
    """Take the agent's place in this terminal: go where the teacher says, and answer her questions."""

    seed: int | None = None
    """Seed of the sessions; without one, every game is different."""
    sessions: int | None = None
    """Number of sessions to play; without it, play until you quit."""
    commands: tuple[CommandType, ...] = tuple(COMMAND_NAMES)
    """Types of command to practice."""
    questions: bool = True
    """Whether the teacher asks questions."""
    condition: Condition = "Standard"
    """The condition, which says what the teacher holds out."""
    level: float = 1.0
    """Difficulty, from 0 (a map of 3 x 3 with one object) to 1."""
    pack: Path | None = None
    """Folder of an icon pack that replaces the built-in objects."""

    def run(self) -> int:
        """Play until the person quits, then print the score."""
        if sys.platform == "win32":
            raise OSError("play needs a terminal of Linux or macOS; on Windows, run it in WSL")
        from xworld.play.terminal import Terminal  # cannot be imported on Windows

        simulator = self._simulator()
        seed = secrets.randbelow(2**32) if self.seed is None else self.seed
        depth = color_depth(os.environ, sys.stdout.encoding)
        terminal = Terminal(depth, is_dumb(os.environ))
        player = Player(Game(simulator, seed), self.sessions)
        screen = GameScreen(simulator.grammar.catalogue, depth)
        try:
            with terminal.full_screen():
                while not player.has_quit:
                    terminal.show(screen.draw(player, *get_terminal_size()))
                    player.press(terminal.read_key())
        finally:
            print("\n".join(player.game.score.summary()))
        return 0

    def _simulator(self) -> Simulator:
        if self.sessions is not None:
            check_whole("--sessions", self.sessions, 1)
        if self.seed is not None:
            check_seed("--seed", self.seed)
        check_number("--level", self.level, 0, 1)
        settings = TeacherSettings(commands=self.commands, question_rate=QUESTION_RATE if self.questions else 0.0)
        catalogue = Catalogue.load(self.pack)
        simulator = Simulator(1, catalogue, Holdout.draw(self.condition, catalogue), settings, threads=1)
        simulator.set_progress(self.level)
        return simulator

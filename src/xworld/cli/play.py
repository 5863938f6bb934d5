"""`xworld play`: take the agent's place."""

import os
import secrets
import sys
from dataclasses import dataclass
from pathlib import Path

from xworld.play.color import depth_of, is_dumb
from xworld.play.game import Game
from xworld.play.player import Player
from xworld.play.screen import Screen
from xworld.teacher.holdout import Holdout
from xworld.teacher.settings import COMMAND_NAMES, SettingsError, TeacherSettings
from xworld.teacher.simulator import Simulator
from xworld.world.catalogue import Catalogue

QUESTION_RATE = 0.25
"""A question at every step, as an agent gets, is tiresome for a person."""


@dataclass(frozen=True)
class Play:
    """Walk where the teacher says and answer her questions, with the arrow keys, in this terminal."""

    seed: int | None = None
    """The same seed gives the same sessions; without one they are new each time."""
    sessions: int | None = None
    """Stop after so many sessions."""
    commands: tuple[str, ...] = COMMAND_NAMES
    """The types of command to practice, such as nav_bw_obj."""
    questions: bool = True
    """Whether the teacher asks questions on the way."""
    condition: str = "Standard"
    """Which words and combinations the teacher holds out: Standard, NC, NWNav or NWNavRec."""
    level: float = 1.0
    """How hard it is, from 0 (a map of 3 x 3, one object) to 1."""
    pack: Path | None = None
    """An icon pack, whose classes take the place of the built-in ones."""

    def run(self) -> int:
        """Play until the person quits, then print the score."""
        if sys.platform == "win32":
            raise OSError("play reads keys as Linux and macOS give them; on Windows, run it in WSL")
        from xworld.play.terminal import check_terminal, open_terminal  # cannot be imported on Windows

        simulator = self._simulator()
        seed = secrets.randbelow(2**32) if self.seed is None else self.seed
        check_terminal()
        player = Player(Game(simulator, seed), self.sessions)
        screen = Screen(simulator.grammar.catalogue, depth_of(os.environ, sys.stdout.encoding))
        try:
            with open_terminal(is_dumb(os.environ)) as terminal:
                while not player.gone:
                    terminal.show(screen.draw(player, *terminal.size()))
                    player.react(terminal.read_key())
        finally:
            print("\n".join(player.game.score.summary()))
        return 0

    def _simulator(self) -> Simulator:
        if self.sessions is not None and self.sessions < 1:
            raise SettingsError(f"--sessions {self.sessions}: expected 1 or more")
        if self.seed is not None and not 0 <= self.seed < 2**64:
            raise SettingsError(f"--seed {self.seed}: expected a whole number from 0 to 2**64 - 1")
        if not 0 <= self.level <= 1:
            raise SettingsError(f"--level {self.level}: expected a number from 0 to 1")
        settings = TeacherSettings(commands=self.commands, question_rate=QUESTION_RATE if self.questions else 0.0)
        catalogue = Catalogue.load(self.pack)
        simulator = Simulator(1, catalogue, Holdout.draw(self.condition, catalogue), settings, threads=1)
        simulator.set_progress(self.level)
        return simulator

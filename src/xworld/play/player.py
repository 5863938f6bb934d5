"""What each key does: move, type an answer, start the next session, or show the help."""

import os

from xworld.play.game import Game, Outcome, count
from xworld.play.keyboard import BACKSPACE, CLEAR, DOWN, END_OF_INPUT, ENTER, ESCAPE, LEFT, REDRAW, RIGHT, TAB, UP
from xworld.teacher.vocabulary import WordError

PLAIN, GOOD, BAD, QUIET = "", "bold green", "bold red", "dim"
"""Styles of the message, in rich's words. These are the terminal's own colors, which suit its background."""
ARROWS = (UP, DOWN, LEFT, RIGHT)
MOVES = {key: action for keys in (ARROWS, "wsad", "kjhl") for action, key in enumerate(keys)}
"""The action of each key that moves: arrows, and the letters that games and vi use instead."""
LONGEST_ANSWER = 24

_STEP_MESSAGES = {
    Outcome.MOVED: (PLAIN, ""),
    Outcome.BLOCKED: (BAD, "The way is blocked."),
    Outcome.WRONG_OBJECT: (BAD, "Wrong object."),
}


class Player:
    """A person at the keyboard: the game, the answer typed so far, and the latest message about it."""

    def __init__(self, game: Game, max_sessions: int | None = None) -> None:
        self.game, self.max_sessions = game, max_sessions
        self.typed = ""
        self.message, self.message_style = "You are the robot. Go where the teacher says.", PLAIN
        self.shows_help = self.has_quit = False

    def press(self, key: str) -> None:
        """Do what a key asks for. Keys that mean nothing at the moment do nothing."""
        if key == END_OF_INPUT:
            self.has_quit = True
        elif key == REDRAW:
            pass
        elif self.shows_help:
            self.shows_help = False
        elif self.game.ending is not None:
            self._continue(key)
        elif self.game.question:
            self._edit_answer(key)
        else:
            self._act(key.lower())

    def key_hints(self) -> tuple[str, ...]:
        """The keys that do something at the moment, and what."""
        if self.shows_help:
            return ("any key returns to the game",)
        if self.game.ending is not None:
            return ("any key ends the game",) if self._was_last_session else ("any key continues", "q quit")
        if self.game.question:
            return ("Enter answer or skip", "Tab complete")
        return ("arrows move", "t tip", "n new session", "? help", "q quit")

    @property
    def _was_last_session(self) -> bool:
        return self.game.score.sessions == self.max_sessions

    def _act(self, key: str) -> None:
        if key in MOVES:
            self._report(self.game.step(MOVES[key]))
        elif key == "t":
            self._say(PLAIN, f"The oracle would go {self.game.tip()}.")
        elif key == "n":
            self._report(self.game.give_up())
        elif key == "?":
            self.shows_help = True
        elif key in ("q", ESCAPE):
            self.has_quit = True

    def _edit_answer(self, key: str) -> None:
        if key == ENTER and self.typed.strip():
            self._submit()
        elif key in (ENTER, ESCAPE):
            self._skip()
        elif key == TAB:
            self._complete()
        elif key == BACKSPACE:
            self.typed = self.typed[:-1]
        elif key == CLEAR:
            self.typed = ""
        elif key in ARROWS:
            self._say(PLAIN, "Answer the question first, or skip it with Enter.")
        elif len(key) == 1 and len(self.typed) < LONGEST_ANSWER:
            self.typed += key

    def _submit(self) -> None:
        try:
            correct = self.game.answer(self.typed)
        except WordError as error:
            message = str(error)
            self._say(BAD, f"{message[0].upper()}{message[1:]}")
            return
        self.typed = ""
        self._say(GOOD if correct else BAD, f"{'Yes' if correct else 'No'}: {self.game.expected_answer}.")

    def _skip(self) -> None:
        self.typed = ""
        self.game.skip_question()
        self._say(QUIET, "Skipped.")

    def _complete(self) -> None:
        """Add what all answers with this prefix have in common, and list them if there are several."""
        prefix = self.typed.strip().lower()
        matches = [answer for answer in self.game.answers if answer.startswith(prefix)] if prefix else []
        if not matches:
            self._say(PLAIN, "An answer is an object, a color, a direction or 'nothing'.")
            return
        self.typed = os.path.commonprefix(matches)  # noqa: RUF071 - by characters, as wanted for words
        self._say(PLAIN, " ".join(matches) if len(matches) > 1 else "")

    def _continue(self, key: str) -> None:
        if key.lower() in ("q", ESCAPE) or self._was_last_session:
            self.has_quit = True
            return
        self.game.next_session()
        self._say(PLAIN, "")

    def _report(self, outcome: Outcome) -> None:
        game, result = self.game, f"Return {self.game.session_return:+.1f}."
        if outcome in _STEP_MESSAGES:
            self._say(*_STEP_MESSAGES[outcome])
        elif outcome is Outcome.REACHED:
            fewest = ", the fewest possible" if game.steps == game.shortest else f" (shortest path: {game.shortest})"
            self._say(GOOD, f"Reached in {count(game.steps, 'step')}{fewest}. {result}")
        else:
            reason = "Time is up." if outcome is Outcome.TIMED_OUT else "Given up."
            distance = count(game.shortest, "step")
            self._say(BAD, f"{reason} The target is marked, {distance} from where you started. {result}")

    def _say(self, style: str, message: str) -> None:
        self.message, self.message_style = message, style

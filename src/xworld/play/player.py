"""What each key does: it walks, types an answer, goes on to the next session, or asks for help."""

from itertools import takewhile

from xworld.play import keyboard
from xworld.play.color import Style
from xworld.play.game import Ending, Game, Happening
from xworld.play.score import count
from xworld.teacher.vocabulary import WordError
from xworld.world.cells import ACTIONS

_ARROWS = (keyboard.UP, keyboard.DOWN, keyboard.LEFT, keyboard.RIGHT)
MOVES = {
    **dict(zip(_ARROWS, range(len(ACTIONS)), strict=True)),
    **dict(zip("wsad", range(len(ACTIONS)), strict=True)),
    **dict(zip("kjhl", range(len(ACTIONS)), strict=True)),
}
"""The action of each key that walks: the arrows, and the letters that stand for them elsewhere."""
TIP, NEW, HELP, QUIT = "t", "n", "?", "q"
LONGEST_ANSWER = 24

_GREETING = "You are the robot. Walk where the teacher says."
_KINDS_OF_ANSWER = "An answer is an object, a color, a direction or 'nothing'."
_HAPPENINGS = {
    Happening.WALKED: ("", Style.PLAIN),
    Happening.BUMPED: ("There is no way through.", Style.BAD),
    Happening.WRONG_OBJECT: ("Not this one.", Style.BAD),
    Happening.ENDED: ("", Style.PLAIN),
}


class Player:
    """A person at the keyboard: the game, the answer typed so far, and the last thing said about it all."""

    def __init__(self, game: Game, sessions: int | None = None) -> None:
        self.game = game
        self.sessions = sessions
        self.typed = ""
        self.note, self.mood = _GREETING, Style.PLAIN
        self.helping = False
        self.gone = False

    def react(self, key: str) -> None:
        """Do what a key asks for; keys that mean nothing now do nothing."""
        if key == keyboard.END:
            self.gone = True
        elif key == keyboard.RESIZED:
            pass
        elif self.helping:
            self.helping = False
        elif self.game.ending is not None:
            self._go_on(key)
        elif self.game.question:
            self._answer(key)
        else:
            self._walk(key.lower())

    def choices(self) -> tuple[str, ...]:
        """The keys that do something now, and what."""
        if self.helping:
            return ("any key goes back",)
        if self.game.ending is not None:
            return ("any key ends the game",) if self._last else ("any key goes on", "q quits")
        if self.game.question:
            return ("Enter answers or skips", "Tab completes")
        return ("arrows walk", "t tip", "n new session", "? help", "q quit")

    @property
    def _last(self) -> bool:
        """Whether as many sessions are over as were wanted."""
        return self.game.score.sessions == self.sessions

    def _walk(self, key: str) -> None:
        if key in MOVES:
            self._step(MOVES[key])
        elif key == TIP:
            self._say(f"The oracle would go {self.game.tip()}.")
        elif key == NEW:
            self.game.give_up()
            self._tell_ending()
        elif key == HELP:
            self.helping = True
        elif key in (QUIT, keyboard.ESCAPE):
            self.gone = True

    def _step(self, action: int) -> None:
        happening = self.game.move(action)
        self._say(*_HAPPENINGS[happening])
        if happening is Happening.ENDED:
            self._tell_ending()

    def _answer(self, key: str) -> None:
        if key == keyboard.ENTER:
            self._hand_in()
        elif key == keyboard.ESCAPE:
            self._skip()
        elif key == keyboard.TAB:
            self._complete()
        elif key == keyboard.BACKSPACE:
            self.typed = self.typed[:-1]
        elif key == keyboard.CLEAR:
            self.typed = ""
        elif key in _ARROWS:
            self._say("First the question: type a word, or skip it.")
        elif len(key) == 1 and len(self.typed) < LONGEST_ANSWER:
            self.typed += key

    def _hand_in(self) -> None:
        if not self.typed.strip():
            self._skip()
            return
        try:
            verdict = self.game.answer(self.typed)
        except WordError as error:
            message = str(error)
            self._say(f"{message[0].upper()}{message[1:]}", Style.BAD)
            return
        self.typed = ""
        if verdict.right:
            self._say(f"✓ {verdict.answer}", Style.GOOD)
        else:
            self._say(f"No: {verdict.answer}.", Style.BAD)

    def _skip(self) -> None:
        self.typed = ""
        self.game.skip()
        self._say("Skipped.", Style.QUIET)

    def _complete(self) -> None:
        """Add what all answers that begin like this have in common, and name them where there are several."""
        begun = self.typed.strip().lower()
        fitting = [answer for answer in self.game.answers if answer.startswith(begun)] if begun else []
        if not fitting:
            self._say(_KINDS_OF_ANSWER)
            return
        self.typed = _common_beginning(fitting)
        self._say(" ".join(fitting) if len(fitting) > 1 else "")

    def _go_on(self, key: str) -> None:
        if key.lower() == QUIT or key == keyboard.ESCAPE or self._last:
            self.gone = True
            return
        self.game.begin()
        self._say("")

    def _tell_ending(self) -> None:
        game = self.game
        if game.ending is Ending.REACHED:
            least = "the shortest way" if game.steps == game.shortest else f"the shortest way has {game.shortest}"
            self._say(f"Reached in {count(game.steps, 'step')}; {least}. Return {game.earned:+.1f}.", Style.GOOD)
        else:
            why = "Time is up." if game.ending is Ending.LATE else "Given up."
            where = f"The target is marked, {count(game.shortest, 'step')} from where you started"
            self._say(f"{why} {where}. Return {game.earned:+.1f}.", Style.BAD)

    def _say(self, note: str, mood: Style = Style.PLAIN) -> None:
        self.note, self.mood = note, mood


def _common_beginning(words: list[str]) -> str:
    """What all words of a sorted list begin with: what its first and its last one share."""
    pairs = zip(words[0], words[-1], strict=False)
    return "".join(letter for letter, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))

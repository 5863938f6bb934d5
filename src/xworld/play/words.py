"""The words beside the map: the score, what the teacher says, what the person types, the objects by name."""

import textwrap

from xworld.play.color import Depth, Style, styled
from xworld.play.player import Player

_HELP = """
The teacher tells you where to go. North is up. A step costs {step:g}, a wall {wall:g}, a wrong object {wrong:g};
the target gives {target:g}.

arrows, WASD or hjkl: walk

t: the oracle's tip for the next step

n: give up, a new session

q or Esc: quit

Now and then she asks something. Answer in one word: an object, a color, a direction seen from the robot, or
'nothing'. Enter alone skips.
"""

_HARD_SPACE = "\u00a0"


class Words:
    """A person's words in a column of a certain width."""

    def __init__(self, player: Player, depth: Depth, columns: int) -> None:
        self._player = player
        self._depth = depth
        self._columns = columns

    def lines(self, rows: int, legends: list[list[str]]) -> list[str]:
        """At most so many lines, with the first of the legends that leaves room for the rest."""
        ways: list[tuple[list[str], int]] = [(legend, 1) for legend in legends]
        ways += [(legends[-1], 0), ([], 0)]
        lines: list[str] = []
        for legend, gap in ways:
            lines = _join([*self._sections(), legend, self._keys()], gap)
            if len(lines) <= rows:
                break
        return lines[:rows]

    def _sections(self) -> list[list[str]]:
        if self._player.helping:
            return self._help()
        return [self._standing(), self._write(f"Teacher: {self._player.game.command}", Style.COMMAND), self._exchange()]

    def _help(self) -> list[list[str]]:
        rewards = self._player.game.simulator.settings.rewards
        text = _HELP.format(step=-rewards.step, wall=-rewards.wall, wrong=-rewards.wrong_object, target=rewards.target)
        return [self._write(paragraph) for paragraph in text.strip().split("\n\n")]

    def _standing(self) -> list[str]:
        """Where the session and the score stand."""
        game, score, most = self._player.game, self._player.game.score, self._player.sessions
        number = score.sessions + (game.ending is None)
        session = f"session {number}" + (f"/{most}" if most is not None else "")
        played = [f"reached {score.successes}/{score.sessions}"] if score.sessions else []
        answered = [f"answers {score.right}/{score.asked}"] if score.asked else []
        lines = (
            [session, f"step {game.steps}/{game.time_limit}", f"return {game.earned:+.1f}"],
            [*played, *answered],
        )
        return [line for parts in lines for line in self._write(", ".join(parts), Style.QUIET)]

    def _exchange(self) -> list[str]:
        """The question with the answer so far, and what was said last."""
        player = self._player
        asked = []
        if player.game.question:
            caret = "_" if self._depth is Depth.LETTERS else "█"
            asked = [
                *self._write(player.game.question, Style.QUESTION),
                *self._write(f"> {player.typed}{caret}"),
            ]
        return asked + self._write(player.note, player.mood)

    def _keys(self) -> list[str]:
        """The keys in a line or two; a key and what it does stay together."""
        items = [item.replace(" ", _HARD_SPACE) for item in self._player.choices()]
        return [line.replace(_HARD_SPACE, " ") for line in self._write("  ".join(items), Style.QUIET)]

    def _write(self, text: str, style: Style = Style.PLAIN) -> list[str]:
        if self._depth is Depth.LETTERS:
            text = text.replace("✓", "Yes:")
        return [styled(line, style, self._depth) for line in textwrap.wrap(text, self._columns)]


def _join(sections: list[list[str]], gap: int) -> list[str]:
    """The sections that say something, one beneath the other, with so many empty lines between."""
    lines: list[str] = []
    for section in sections:
        if section:
            lines += [*[""] * gap, *section] if lines else section
    return lines

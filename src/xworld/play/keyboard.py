"""Decode the bytes that a terminal sends into keys.

A key is a string: the typed character, or one of the names below. An arrow key is a sequence of bytes that may
arrive in pieces. An escape byte is the Esc key only if nothing follows it for a moment.
"""

import codecs
import re

UP, DOWN, LEFT, RIGHT = "up", "down", "left", "right"
ENTER, TAB, BACKSPACE, CLEAR, ESCAPE = "enter", "tab", "backspace", "clear", "escape"
END_OF_INPUT = "end of input"
REDRAW = "redraw"
"""Not a key: the window has another size or shows something else, and must be redrawn."""

_ARROWS = {"A": UP, "B": DOWN, "C": RIGHT, "D": LEFT}
_CONTROLS = {
    "\r": ENTER,
    "\n": ENTER,
    "\t": TAB,
    "\x08": BACKSPACE,
    "\x7f": BACKSPACE,
    "\x15": CLEAR,
    "\x04": END_OF_INPUT,
    "\x0c": REDRAW,
}
_TOKEN = re.compile(
    r"""[^\x1b]
    | \x1b\[200~ .*? \x1b\[201~                         # pasted text, in brackets
    | (?!\x1b\[200~) \x1b+ (?:                          # several escapes: with Alt
        \[\[ .                                          # function key of the Linux console
      | \[ [0-?]* [ -/]* (?P<csi>[@-~])                 # most keys: \x1b[A, with Ctrl \x1b[1;5A
      | O [0-9;]* (?P<ss3>[A-Za-z])                     # arrows in keypad mode: \x1bOA
      | [\]P^_X] [^\x07\x1b]* (?: \x07 | \x1b\\ )       # a terminal's reply to a query
      | [^\[OP\]^_X\x1b] )                              # Alt and a letter
    """,
    re.DOTALL | re.VERBOSE,
)


class Decoder:
    """Returns complete keys, and keeps the start of a sequence until the rest arrives."""

    def __init__(self) -> None:
        self.pending = ""
        """The start of a sequence. If nothing follows for a moment, call `flush`."""
        self._decode = codecs.getincrementaldecoder("utf-8")("ignore").decode

    def feed(self, data: bytes) -> list[str]:
        """The keys that these bytes complete. Sequences of other keys and pasted text are dropped."""
        self.pending += self._decode(data)
        keys = []
        while token := _TOKEN.match(self.pending):
            self.pending = self.pending[token.end() :]
            keys.append(_key(token))
        return [key for key in keys if key]

    def flush(self) -> list[str]:
        """Nothing followed: a lone escape is the Esc key, any other start of a sequence is dropped."""
        lone_escape = self.pending.strip("\x1b") == ""
        self.pending = ""
        return [ESCAPE] if lone_escape else []


def _key(token: re.Match[str]) -> str:
    """The name of a key, empty for those without a meaning here."""
    text = token[0]
    if text.startswith("\x1b"):
        return _ARROWS.get(token["csi"] or token["ss3"] or "", "")
    return _CONTROLS.get(text, text if text.isprintable() else "")

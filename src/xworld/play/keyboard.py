"""From the bytes that a terminal sends to keys.

A key is a text: a character as it is typed, or one of the names below. An arrow key comes as several bytes,
which may arrive apart; an escape alone is the Esc key, and only silence after it tells so.
"""

import codecs
import re

UP, DOWN, LEFT, RIGHT = "up", "down", "left", "right"
ENTER, TAB, BACKSPACE, CLEAR, ESCAPE = "enter", "tab", "backspace", "clear", "escape"
END = "end"
"""No more keys will come: the end of the input."""
RESIZED = "resized"
"""No key: the window has another size now, or has to be drawn anew for another reason."""

PATIENCE = 0.05
"""Seconds to wait for the rest of a sequence. Over a slow line its bytes may come apart."""

_ARROWS = {"A": UP, "B": DOWN, "C": RIGHT, "D": LEFT}
_CONTROLS = {
    "\r": ENTER,
    "\n": ENTER,
    "\t": TAB,
    "\x08": BACKSPACE,
    "\x7f": BACKSPACE,
    "\x15": CLEAR,
    "\x04": END,
    "\x0c": RESIZED,
}
_SEQUENCE = re.compile(
    r"\x1b+(?:"  # more than one: with Alt
    r"\[\[."  # a function key of the Linux console
    r"|\[[0-?]*[ -/]*(?P<final>[@-~])"  # most keys: \x1b[A, with Ctrl \x1b[1;5A
    r"|O[0-9;]*(?P<keypad>[A-Za-z])"  # arrows in the keypad's mode: \x1bOA
    r"|[\]P^_X][^\x07\x1b]*(?:\x07|\x1b\\)"  # what terminals report of themselves
    r"|[^\[OP\]^_X\x1b])",  # Alt and a letter
    re.DOTALL,
)
_PASTE_BEGINS, _PASTE_ENDS = "\x1b[200~", "\x1b[201~"


class Decoder:
    r"""Keeps what has arrived of a sequence until the rest comes.

    >>> decoder = Decoder()
    >>> decoder.feed(b"w\x1b["), decoder.feed(b"A")
    (['w'], ['up'])
    >>> decoder.feed(b"\x1b"), decoder.flush()
    ([], ['escape'])
    """

    def __init__(self) -> None:
        self._text = ""
        self._pasting = False
        self._decode = codecs.getincrementaldecoder("utf-8")("ignore").decode

    @property
    def waiting(self) -> bool:
        """Whether something has begun and is not complete; if nothing follows for a while, `flush`."""
        return self._text != "" or self._pasting

    def feed(self, data: bytes) -> list[str]:
        """The keys that are complete with these bytes."""
        self._text += self._decode(data)
        keys = []
        while self._text:
            found = self._take()
            if found is None:
                break
            key = self._key(found)
            if key is not None:
                keys.append(key)
        return keys

    def flush(self) -> list[str]:
        """Nothing followed: an escape alone is the key Esc, the beginning of anything else is dropped."""
        alone = self._text.strip("\x1b") == "" and not self._pasting
        self._text, self._pasting = "", False
        return [ESCAPE] if alone else []

    def _take(self) -> str | None:
        """Cut the first character or sequence off the text; None if it is not complete."""
        length = 1
        if self._text.startswith("\x1b"):
            match = _SEQUENCE.match(self._text)
            if match is None:
                return None
            length = match.end()
        taken, self._text = self._text[:length], self._text[length:]
        return taken

    def _key(self, found: str) -> str | None:
        """The key that a character or sequence stands for; None for those that mean nothing here."""
        if found in (_PASTE_BEGINS, _PASTE_ENDS):
            self._pasting = found == _PASTE_BEGINS
            return None
        if self._pasting:
            return None
        if match := _SEQUENCE.fullmatch(found):
            return _ARROWS.get(match["final"] or match["keypad"] or "")
        return _CONTROLS.get(found, found if found.isprintable() else None)

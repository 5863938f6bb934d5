"""What a visitor wants to be taught: an agent, a word, and a picture of the thing."""

import base64
import binascii
from dataclasses import dataclass
from typing import Any

from xworld.demo.agent_registry import MOST_WORDS, AgentRegistry
from xworld.demo.agents import DemoAgent
from xworld.demo.errors import RequestError
from xworld.demo.fields import Fields, one_of, quote, text
from xworld.word_learning import Picture, TeachingError, check_word, draw_pixels, read_image
from xworld.world.catalogue import COLORS

_LONGEST_VISITOR = 64


@dataclass(frozen=True)
class Lesson:
    """A word to be taught."""

    mind: DemoAgent
    word: str
    picture: Picture
    color: str
    visitor: str
    """What the page of a visitor calls itself; all who say nothing count as one."""


def read_lesson(fields: Fields, minds: AgentRegistry) -> Lesson:
    """A request to teach, checked as far as it can be before teaching begins."""
    mind = minds[text(fields, "agent")]
    if len(mind.taught) >= MOST_WORDS:
        raise RequestError(f"This agent was taught {MOST_WORDS} words already; begin anew with one that was not.")
    color, visitor = one_of(fields, "color", ("", *COLORS)) or "", _read_visitor(fields)
    try:
        word = check_word(text(fields, "word") or "", mind.catalogue)
        picture = _read_picture(fields.get("picture"))  # last: it takes longest
    except TeachingError as error:
        raise RequestError(as_sentence(error)) from error
    return Lesson(mind, word, picture, color, visitor)


def as_sentence(error: Exception) -> str:
    """An error as a page shows it.

    >>> as_sentence(ValueError("no such word"))
    'No such word.'
    """
    message = str(error)
    return f"{message[:1].upper()}{message[1:].removesuffix('.')}."


def _read_visitor(fields: Fields) -> str:
    visitor = text(fields, "visitor") or ""
    if len(visitor) > _LONGEST_VISITOR:
        raise RequestError(f"visitor is {quote(visitor)}; expected at most {_LONGEST_VISITOR} characters.")
    return visitor


def _read_picture(value: Any) -> Picture:
    if isinstance(value, dict) and isinstance(value.get("pixels"), list):
        return draw_pixels(value["pixels"])
    if isinstance(value, dict) and isinstance(value.get("png"), str):
        return read_image(_decode(value["png"]))
    raise RequestError(f'picture is {quote(value)}; expected {{"pixels": [144 colors]}} or {{"png": base64}}.')


def _decode(encoded: str) -> bytes:
    """The bytes of a text in base64, which may be a data URL."""
    try:
        return base64.b64decode(encoded.rpartition(",")[2], validate=True)
    except (binascii.Error, ValueError) as error:
        raise RequestError("picture.png is not base64; send the bytes of an image file, encoded.") from error

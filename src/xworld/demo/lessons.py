"""Lessons: a request to teach an agent a word, and the report on how it went."""

import asyncio
import base64
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import Field

from xworld import word_learning
from xworld.demo.agent_registry import MAX_TAUGHT_WORDS, AgentRegistry
from xworld.demo.agents import DemoAgent
from xworld.demo.errors import AgentRequest, RequestError, RequestModel, quote
from xworld.demo.limits import Limits
from xworld.evaluation.rate import Rate
from xworld.word_learning import Picture, TaughtAgent, TeachingError

ReportLine = dict[str, Any]

_DECIMALS = 4
_PROGRESS = "progress", "questions", "accuracy", "seconds"


class PictureFields(RequestModel):
    """A picture, drawn on 12 x 12 pixels or from an image file."""

    pixels: list[Any] | None = Field(default=None, description="a list of 144 colors")
    png: str | None = Field(default=None, description="the bytes of an image file in base64")

    def read(self) -> Picture:
        """The picture, checked."""
        if self.pixels is not None:
            return word_learning.draw_pixels(self.pixels)
        if self.png is None:
            raise RequestError('picture is empty; expected {"pixels": [144 colors]} or {"png": base64}.')
        try:
            image = base64.b64decode(self.png.rpartition(",")[2], validate=True)  # it may be a data URL
        except ValueError as error:
            raise RequestError("picture.png is not base64; send the bytes of an image file, encoded.") from error
        return word_learning.read_image(image)


class LessonRequest(AgentRequest):
    """A word to teach."""

    word: str | None = None
    picture: PictureFields = Field(description='{"pixels": [144 colors]} or {"png": base64}')
    color: str | None = Field(default=None, description="the word for a color, or an empty text")
    visitor: str | None = Field(default=None, max_length=64, description="a text of at most 64 characters")


@dataclass(eq=False)
class Lesson:
    """A lesson that waits or is being taught."""

    agent: DemoAgent
    word: str
    picture: Picture
    color: str
    visitor: str
    """A name that each page makes up for itself; all pages that send none count as one."""
    report: "asyncio.Queue[ReportLine | None]" = field(default_factory=asyncio.Queue)
    """Lines for the visitor; None is the end."""
    abandoned: threading.Event = field(default_factory=threading.Event)
    """Set when the visitor has left."""


def read_lesson(request: LessonRequest, agents: AgentRegistry) -> Lesson:
    """Check a request to teach as far as possible before teaching."""
    agent = agents[request.agent]
    if len(agent.taught) >= MAX_TAUGHT_WORDS:
        raise RequestError(f"This agent was taught {MAX_TAUGHT_WORDS} words already; start with one that was not.")
    if request.color not in (None, "", *agent.catalogue.colors):
        colors = ", ".join(agent.catalogue.colors)
        raise RequestError(f"color is {quote(request.color)}; expected {colors}, or an empty text.")
    try:
        word = word_learning.check_word(request.word or "", agent.catalogue)
        picture = request.picture.read()  # last, because it takes longest
    except TeachingError as error:
        raise RequestError(as_sentence(error)) from error
    return Lesson(agent, word, picture, request.color or "", request.visitor or "")


def as_sentence(error: Exception) -> str:
    """An error as the page shows it.

    >>> as_sentence(ValueError("no such word"))
    'No such word.'
    """
    message = str(error)
    return f"{message[:1].upper()}{message[1:].removesuffix('.')}."


def report_lesson(lesson: Lesson, agents: AgentRegistry, limits: Limits, send: Callable[[ReportLine], None]) -> None:
    """Teach a word and report: during the lesson, when the agent can be used, and after each of two tests."""
    base = lesson.agent
    taught = word_learning.teach(
        base.model,
        base.catalogue,
        lesson.word,
        lesson.picture,
        lesson.color,
        report=lambda progress: send({name: round(getattr(progress, name), _DECIMALS) for name in _PROGRESS}),
    )
    line = _describe_taught(agents.add(base, taught), taught)
    send({"taught": line})
    line = line | {"new_word": _shares(word_learning.evaluate_word(taught, limits.word_sessions))}
    send({"taught": line})
    rest = word_learning.evaluate_forgetting(taught, limits.rest_sessions)
    send({"taught": line | {"before": _shares(rest.before.success), "after": _shares(rest.after.success)}})


def _describe_taught(agent: DemoAgent, taught: TaughtAgent) -> ReportLine:
    """What the page needs to know about a taught agent; its test results are filled in later."""
    assert taught.catalogue.addition is not None
    picture = base64.b64encode(word_learning.write_png(taught.catalogue.addition.on_floor()[0])).decode()
    return {
        "agent": agent.key,
        "title": agent.title,
        "note": agent.note,
        "word": taught.word,
        "tile": taught.tile,
        "picture": f"data:image/png;base64,{picture}",
        "seconds": round(taught.seconds, _DECIMALS),
        "questions": taught.questions,
        "accuracy": round(taught.accuracy, _DECIMALS),
        "words": list(agent.taught),
        "before": None,
        "after": None,
        "new_word": None,
    }


def _shares(rates: Mapping[str, Rate]) -> dict[str, float]:
    return {name: round(rate.value, _DECIMALS) for name, rate in rates.items() if rate.trials}

"""Teaching a word for the page: the lesson, what is told of it, and the examination behind it."""

import base64
import io
from collections.abc import Callable, Mapping
from typing import Any

from PIL import Image

from xworld.demo.agent_registry import AgentRegistry
from xworld.demo.agents import DemoAgent
from xworld.demo.lesson_request import Lesson
from xworld.demo.limits import Limits
from xworld.evaluation.rate import Rate
from xworld.word_learning import TaughtAgent, TeachingProgress, evaluate_forgetting, evaluate_word, teach

Line = dict[str, Any]
"""A line of the report."""

_DECIMALS = 4


def report_lesson(lesson: Lesson, minds: AgentRegistry, limits: Limits, tell: Callable[[Line], None]) -> None:
    """Teach a word and tell of it: as it goes on, when the agent can be used, and twice more as it is examined."""
    base = lesson.mind
    taught = teach(
        base.agent,
        base.catalogue,
        lesson.word,
        lesson.picture,
        lesson.color,
        report=lambda progress: tell(_describe_progress(progress)),
    )
    line = describe_taught(minds.add(base, taught), taught)
    tell({"taught": line})
    line = line | {"new_word": _shares(evaluate_word(taught, limits.word_sessions))}
    tell({"taught": line})
    rest = evaluate_forgetting(taught, limits.rest_sessions)
    tell({"taught": line | {"before": _shares(rest.before.success), "after": _shares(rest.after.success)}})


def describe_taught(mind: DemoAgent, taught: TaughtAgent) -> Line:
    """What the page has to know of a taught agent; its examination is still to come."""
    return {
        "agent": mind.key,
        "title": mind.title,
        "note": mind.note,
        "word": taught.word,
        "tile": taught.tile,
        "picture": _draw(taught),
        "seconds": round(taught.seconds, _DECIMALS),
        "questions": taught.questions,
        "right": round(taught.accuracy, _DECIMALS),
        "words": list(mind.taught),
        "before": None,
        "after": None,
        "new_word": None,
    }


def _draw(taught: TaughtAgent) -> str:
    """The new thing on the floor, as a data URL."""
    assert taught.catalogue.addition is not None
    file = io.BytesIO()
    Image.fromarray(taught.catalogue.addition.on_floor()[0]).save(file, "PNG")
    return f"data:image/png;base64,{base64.b64encode(file.getvalue()).decode()}"


def _describe_progress(progress: TeachingProgress) -> Line:
    return {
        "progress": round(progress.progress, _DECIMALS),
        "asked": progress.questions,
        "right": round(progress.accuracy, _DECIMALS),
        "seconds": round(progress.seconds, _DECIMALS),
    }


def _shares(rates: Mapping[str, Rate]) -> dict[str, float]:
    return {name: round(rate.value, _DECIMALS) for name, rate in rates.items() if rate.trials}

"""Where words are taught on the page: one at a time, others in line, and each visitor told how it goes."""

import asyncio
import json
import logging
import os
import sys
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from xworld.demo.agent_registry import AgentRegistry
from xworld.demo.errors import BUSY, TOO_MANY, RequestError
from xworld.demo.lesson_request import Lesson, as_sentence
from xworld.demo.limits import Limits
from xworld.demo.teaching import Line, report_lesson
from xworld.word_learning import TeachingError

_GENTLY = 10
"""How far teaching stands back behind the steps of other visitors, as `nice` counts."""

_log = logging.getLogger("xworld")


class GaveUp(Exception):
    """Nobody waits for the word any more."""


@dataclass(eq=False)
class Visit:
    """A visitor in line, or being served: what is to be told, and whether anybody still listens."""

    lesson: Lesson
    lines: "asyncio.Queue[Line | None]" = field(default_factory=asyncio.Queue)
    gone: threading.Event = field(default_factory=threading.Event)


class LessonQueue:
    """A line of visitors, the first of whom is served in a thread that gives way to others.

    A second such thread reads what they bring: unpacking a large picture takes longer than many steps.
    """

    def __init__(self, minds: AgentRegistry, limits: Limits) -> None:
        self._minds, self._limits = minds, limits
        self._thread = ThreadPoolExecutor(1, "teaching", initializer=_stand_back)
        self._reader = ThreadPoolExecutor(1, "pictures", initializer=_stand_back)
        self._line: list[Visit] = []
        self._to_be_read = 0

    def check_room(self) -> None:
        """Refuse a visitor where the line is full, with those whose picture is still being read."""
        if len(self._line) + self._to_be_read > self._limits.waiting:
            raise RequestError("Many people are teaching words at the moment; please try again in a minute.", BUSY)

    def check_share(self, visitor: str) -> None:
        """Refuse a visitor who has so many lessons in line that others would find no place."""
        own = sum(visit.lesson.visitor == visitor for visit in self._line)
        if own >= self._limits.lessons_each:
            raise RequestError(
                f"You are teaching {own} words already; please wait until one of them is learned.", TOO_MANY
            )

    async def read(self, function: Callable[[bytes], Lesson], body: bytes) -> Lesson:
        """Read a request, if there is room for it, beside the threads that answer."""
        self.check_room()
        self._to_be_read += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._reader, function, body)
        finally:
            self._to_be_read -= 1

    def close(self) -> None:
        """Send everybody away."""
        for visit in self._line:
            visit.gone.set()
            visit.lines.put_nowait(None)
        for thread in (self._thread, self._reader):
            thread.shutdown(wait=False, cancel_futures=True)

    async def report(self, lesson: Lesson) -> AsyncIterator[bytes]:
        """Teach when it is one's turn: the report, line by line. Who stops reading gives up."""
        try:
            self.check_room()  # several may have been let in at the same time
            self.check_share(lesson.visitor)
        except RequestError as refusal:
            yield _write(dict(refusal.content))
            return
        visit = Visit(lesson)
        self._line.append(visit)
        self._tell_place(visit)
        try:
            while (line := await visit.lines.get()) is not None:
                yield _write(line)
        finally:
            self._leave(visit)

    def _leave(self, visit: Visit) -> None:
        """Make room: when a lesson is over, read or not, and when a visitor goes; the second time nothing is left."""
        visit.gone.set()
        if visit not in self._line:
            return
        place = self._line.index(visit)
        self._line.remove(visit)
        for other in self._line[place:]:
            self._tell_place(other)

    def _tell_place(self, visit: Visit) -> None:
        """Tell how many are in front of a visitor, or serve the first."""
        place = self._line.index(visit)
        if place:
            visit.lines.put_nowait({"waiting": place})
        else:
            self._thread.submit(self._serve, visit, asyncio.get_running_loop())

    def _serve(self, visit: Visit, loop: asyncio.AbstractEventLoop) -> None:
        """Teach, in the thread."""

        def tell(line: Line | None) -> None:
            if visit.gone.is_set():
                raise GaveUp
            loop.call_soon_threadsafe(visit.lines.put_nowait, line)

        try:
            report_lesson(visit.lesson, self._minds, self._limits, tell)
            tell(None)
        except GaveUp:
            pass
        except Exception as error:
            tell({"error": _explain(error)})
            tell(None)
        # Who does not read the report to its end keeps nobody waiting.
        loop.call_soon_threadsafe(self._leave, visit)


def _explain(error: Exception) -> str:
    if isinstance(error, TeachingError):
        return as_sentence(error)
    _log.error("teaching went wrong", exc_info=error)
    return "Teaching went wrong on the server, which is not your fault; its log says more."


def _write(line: Line) -> bytes:
    return json.dumps(line).encode() + b"\n"


def _stand_back() -> None:
    """Let the threads that answer go first; only Linux can say so of a thread."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), os.getpriority(os.PRIO_PROCESS, 0) + _GENTLY)

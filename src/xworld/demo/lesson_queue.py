"""The queue of lessons: one is taught at a time, and each visitor gets a report line by line."""

import asyncio
import ctypes
import json
import logging
import os
import sys
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial

from xworld.demo.agent_registry import AgentRegistry
from xworld.demo.errors import BUSY, TOO_MANY, RequestError
from xworld.demo.lessons import Lesson, ReportLine, as_sentence, report_lesson
from xworld.demo.limits import Limits
from xworld.word_learning import TeachingError

_log = logging.getLogger("xworld")


class _LessonAbandoned(Exception):
    """The visitor has left."""


class LessonQueue:
    """Teaches the first lesson of the queue in a thread of low priority.

    A second such thread reads lessons, because unpacking a large picture takes longer than many steps.
    """

    def __init__(self, agents: AgentRegistry, limits: Limits) -> None:
        self._agents, self._limits = agents, limits
        lower_priority = partial(_lower_priority, limits.teaching_niceness)
        self._teaching = ThreadPoolExecutor(1, "teaching", initializer=lower_priority)
        self._reading = ThreadPoolExecutor(1, "pictures", initializer=lower_priority)
        self._queue: list[Lesson] = []
        self._reserved: list[str] = []
        """Visitors whose lessons are being read; each has a place in the queue already."""

    async def add(self, visitor: str, read: Callable[[], Lesson]) -> Lesson:
        """Read a visitor's lesson and add it, if there is room for it."""
        self._check_room(visitor)
        self._reserved.append(visitor)
        try:
            lesson = await asyncio.get_running_loop().run_in_executor(self._reading, read)
        finally:
            self._reserved.remove(visitor)
        self._queue.append(lesson)
        self._advance(lesson)
        return lesson

    def _check_room(self, visitor: str) -> None:
        """The only place where lessons are refused for lack of room; a full queue is the same answer to everybody."""
        places = [*self._reserved, *(lesson.visitor for lesson in self._queue)]
        if len(places) > self._limits.max_waiting_lessons:
            raise RequestError("Many people are teaching words at the moment; please try again in a minute.", BUSY)
        if (own := places.count(visitor)) >= self._limits.max_lessons_per_visitor:
            raise RequestError(
                f"You are teaching {own} words already; please wait until one of them is learned.", TOO_MANY
            )

    async def report(self, lesson: Lesson) -> AsyncIterator[bytes]:
        """The report on a lesson of the queue, line by line; a visitor who closes it gives up."""
        try:
            while (line := await lesson.report.get()) is not None:
                yield json.dumps(line).encode() + b"\n"
        finally:
            self._remove(lesson)

    def _remove(self, lesson: Lesson) -> None:
        """Drop a lesson that is over or whose visitor has left; it may be gone already."""
        lesson.abandoned.set()
        if lesson not in self._queue:
            return
        place = self._queue.index(lesson)
        self._queue.remove(lesson)
        for other in self._queue[place:]:
            self._advance(other)

    def _advance(self, lesson: Lesson) -> None:
        """Teach the first lesson; report to others how many are before them."""
        place = self._queue.index(lesson)
        if place:
            lesson.report.put_nowait({"waiting": place})
        else:
            self._teaching.submit(self._teach, lesson, asyncio.get_running_loop())

    def _teach(self, lesson: Lesson, loop: asyncio.AbstractEventLoop) -> None:
        """Teach in the thread; lines of the report travel to the event loop."""

        def send(line: ReportLine | None) -> None:
            if lesson.abandoned.is_set():
                raise _LessonAbandoned
            loop.call_soon_threadsafe(lesson.report.put_nowait, line)

        try:
            report_lesson(lesson, self._agents, self._limits, send)
            send(None)
        except _LessonAbandoned:
            pass
        except Exception as error:
            send({"error": _explain(error)})
            send(None)
        _return_memory()
        # Here and not when the report was read: a visitor who does not read on must not block the queue.
        loop.call_soon_threadsafe(self._remove, lesson)


def _explain(error: Exception) -> str:
    if isinstance(error, TeachingError):
        return as_sentence(error)
    _log.error("teaching failed", exc_info=error)
    return "Teaching failed on the server, which is not your fault; its log says more."


def _return_memory() -> None:
    """Return what the lesson has freed to the system; glibc would keep some 50 MB of it, in pieces."""
    if sys.platform == "linux":
        with suppress(AttributeError):  # other C libraries keep nothing
            ctypes.CDLL(None).malloc_trim(0)


def _lower_priority(niceness: int) -> None:
    """Let the threads that answer go first; only Linux has priorities per thread."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), os.getpriority(os.PRIO_PROCESS, 0) + niceness)

"""The queue of lessons: one is taught at a time, and each visitor gets a report line by line."""

import asyncio
import json
import logging
import os
import sys
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
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

    A second such thread reads requests to teach, because unpacking a large picture takes longer than many steps.
    """

    def __init__(self, agents: AgentRegistry, limits: Limits) -> None:
        self._agents, self._limits = agents, limits
        lower_priority = partial(_lower_priority, limits.teaching_niceness)
        self._teaching = ThreadPoolExecutor(1, "teaching", initializer=lower_priority)
        self._reading = ThreadPoolExecutor(1, "pictures", initializer=lower_priority)
        self._queue: list[Lesson] = []
        self._unread = 0

    async def read(self, function: Callable[[bytes], Lesson], body: bytes) -> Lesson:
        """Read a request to teach beside the threads that answer, if the queue has room for one more lesson."""
        if len(self._queue) + self._unread > self._limits.max_waiting_lessons:
            raise RequestError("Many people are teaching words at the moment; please try again in a minute.", BUSY)
        self._unread += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._reading, function, body)
        finally:
            self._unread -= 1

    def add(self, lesson: Lesson) -> None:
        """Add a lesson that was just read, unless its visitor already has several in the queue."""
        own = sum(other.visitor == lesson.visitor for other in self._queue)
        if own >= self._limits.max_lessons_per_visitor:
            raise RequestError(
                f"You are teaching {own} words already; please wait until one of them is learned.", TOO_MANY
            )
        self._queue.append(lesson)
        self._advance(lesson)

    def close(self) -> None:
        """End all reports."""
        for lesson in self._queue:
            lesson.abandoned.set()
            lesson.report.put_nowait(None)
        for thread in (self._teaching, self._reading):
            thread.shutdown(wait=False, cancel_futures=True)

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
        # Here and not when the report was read: a visitor who does not read on must not block the queue.
        loop.call_soon_threadsafe(self._remove, lesson)


def _explain(error: Exception) -> str:
    if isinstance(error, TeachingError):
        return as_sentence(error)
    _log.error("teaching failed", exc_info=error)
    return "Teaching failed on the server, which is not your fault; its log says more."


def _lower_priority(niceness: int) -> None:
    """Let the threads that answer go first; only Linux has priorities per thread."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), os.getpriority(os.PRIO_PROCESS, 0) + niceness)

"""What the server takes on, and how it says that it is too much."""

import asyncio
import json
import platform
import resource
import threading
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest

from xworld.demo import lesson_queue
from xworld.demo.agents import DemoAgent
from xworld.demo.errors import RequestError
from xworld.demo.lesson_queue import LessonQueue
from xworld.demo.lessons import Lesson
from xworld.demo.limits import Limits
from xworld.demo.sentence_cache import cached_compiler


def make_lesson(visitor: str) -> Lesson:
    return Lesson(cast(Any, None), "yak", cast(Any, None), "", visitor)


def test_who_does_not_read_a_report_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first visitor reads one line of three and stays; the second is served all the same."""

    def report_three_lines(*arguments: Any) -> None:
        for number in range(3):
            arguments[-1]({"progress": number})

    async def visit() -> list[dict[str, int]]:
        queue = LessonQueue(cast(Any, None), Limits())
        lessons = [await queue.add(name, partial(make_lesson, name)) for name in "ab"]
        first, second = map(queue.report, lessons)
        assert json.loads(await anext(first)) == {"progress": 0}
        async with asyncio.timeout(60):
            return [json.loads(line) async for line in second]

    monkeypatch.setattr(lesson_queue, "report_lesson", report_three_lines)
    assert asyncio.run(visit())[-3:] == [{"progress": number} for number in range(3)]


def test_pictures_are_read_beside_the_threads_that_answer() -> None:
    def read() -> Lesson:
        names.append(threading.current_thread().name)
        raise RequestError("No picture.")

    names = list[str]()
    for _ in range(2):  # who sends none takes nobody's place
        with pytest.raises(RequestError, match="No picture"):
            asyncio.run(LessonQueue(cast(Any, None), Limits(max_waiting_lessons=0)).add("", read))
    assert names == ["pictures_0"] * 2


@pytest.mark.parametrize("taught", range(4))
def test_a_full_queue_is_the_same_answer_to_all_at_any_time(monkeypatch: pytest.MonkeyPatch, taught: int) -> None:
    """Of four places, some are taken by lessons that were read, and the others by lessons whose pictures still are."""

    def read(name: str) -> Lesson:
        assert name in waiting[:taught] or full.wait(60)
        return make_lesson(name)

    async def ask(queue: LessonQueue, visitor: str) -> tuple[int, Any]:
        with pytest.raises(RequestError) as refused:
            await queue.add(visitor, partial(read, visitor))
        return refused.value.status, refused.value.content

    async def visit() -> list[tuple[int, Any]]:
        queue = LessonQueue(cast(Any, None), Limits(max_waiting_lessons=3))
        lessons = [await queue.add(name, partial(read, name)) for name in waiting[:taught]]
        adding = [asyncio.create_task(queue.add(name, partial(read, name))) for name in waiting[taught:]]
        await asyncio.sleep(0)
        answers = [await ask(queue, visitor) for visitor in ("a", "b", "new", "")]
        full.set()
        lessons += await asyncio.gather(*adding)
        answers += [await ask(queue, visitor) for visitor in ("a", "b", "new", "")]
        over.set()
        for lesson in lessons:
            assert not [line async for line in queue.report(lesson) if b"waiting" not in line]
        return answers

    full, over, waiting = threading.Event(), threading.Event(), ["a", "a", "b", ""]
    monkeypatch.setattr(lesson_queue, "report_lesson", lambda *_: over.wait(60))
    sentence = "Many people are teaching words at the moment; please try again in a minute."
    assert asyncio.run(visit()) == [(503, {"error": sentence})] * 8


def test_lessons_whose_pictures_are_being_read_count_for_their_visitor() -> None:
    async def visit() -> int:
        queue = LessonQueue(cast(Any, None), Limits())
        reading = [asyncio.create_task(queue.add("a", cast(Any, over.wait))) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(RequestError, match="You are teaching 2 words already") as refused:
            await queue.add("a", cast(Any, over.wait))
        for task in reading:
            task.cancel()
        over.set()
        return refused.value.status

    over = threading.Event()
    assert asyncio.run(visit()) == 429


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries keep no memory")
def test_what_a_lesson_has_freed_goes_back_to_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred megabytes in small pieces; the last one stays, and with it all before, if nobody asks for them."""

    def leave_pieces(*_: Any) -> None:
        pieces = [b"x" * 50_000 for _ in range(2_000)]
        kept.append(pieces[-1])
        before.append(_resident())

    async def visit() -> int:
        queue = LessonQueue(cast(Any, None), Limits())
        assert not [line async for line in queue.report(await queue.add("", partial(make_lesson, "")))]
        await asyncio.to_thread(queue._teaching.shutdown)
        return _resident()

    kept, before = list[bytes](), list[int]()
    monkeypatch.setattr(lesson_queue, "report_lesson", leave_pieces)
    assert asyncio.run(visit()) < before[0] - 50e6


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def test_the_sentence_cache_has_an_end_and_changes_nothing(agent: DemoAgent) -> None:
    read, vocabulary = cached_compiler(agent.model, max_sentences=2), agent.grammar.vocabulary
    sentences = [vocabulary.encode(f"go to the {name} .").tobytes() for name in ("cat", "dog", "owl")]
    readings = [read(sentence) for sentence in sentences]
    assert read(sentences[2]) is readings[2]
    again = read(sentences[0])  # dropped, and read anew
    assert again is not readings[0]
    assert again.program.queries.equal(readings[0].program.queries)

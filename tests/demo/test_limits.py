"""What the server takes on, and how it says that it is too much."""

import asyncio
import json
import threading
from typing import Any, cast

import pytest

from xworld.demo import lesson_queue
from xworld.demo.agents import DemoAgent
from xworld.demo.errors import RequestError
from xworld.demo.lesson_queue import LessonQueue
from xworld.demo.lessons import Lesson
from xworld.demo.limits import Limits
from xworld.demo.sentence_cache import cached_compiler


def test_who_does_not_read_a_report_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first visitor reads one line of three and stays; the second is served all the same."""

    def report_three_lines(*arguments: Any) -> None:
        for number in range(3):
            arguments[-1]({"progress": number})

    async def visit() -> list[dict[str, int]]:
        queue = LessonQueue(cast(Any, None), Limits())
        lessons = [Lesson(cast(Any, None), "yak", cast(Any, None), "", name) for name in "ab"]
        for lesson in lessons:
            queue.add(lesson)
        first, second = map(queue.report, lessons)
        assert json.loads(await anext(first)) == {"progress": 0}
        async with asyncio.timeout(60):
            lines = [json.loads(line) async for line in second]
        queue.close()
        return lines

    monkeypatch.setattr(lesson_queue, "report_lesson", report_three_lines)
    assert asyncio.run(visit())[-3:] == [{"progress": number} for number in range(3)]


def test_pictures_are_read_beside_the_threads_that_answer_and_not_all_at_once() -> None:
    def read(body: bytes) -> Any:
        assert begun.wait(60)
        return threading.current_thread().name

    async def bring() -> list[Any]:
        queue = LessonQueue(cast(Any, None), Limits(max_waiting_lessons=1))
        reading = [asyncio.create_task(queue.read(read, b"")) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(RequestError, match="try again") as refused:
            await queue.read(read, b"")
        assert refused.value.status == 503
        begun.set()
        names = await asyncio.gather(*reading)
        names.append(await queue.read(read, b""))  # there is room again
        queue.close()
        return names

    begun = threading.Event()
    assert asyncio.run(bring()) == ["pictures_0"] * 3


def test_the_sentence_cache_has_an_end_and_changes_nothing(agent: DemoAgent) -> None:
    read, vocabulary = cached_compiler(agent.model, max_sentences=2), agent.grammar.vocabulary
    sentences = [vocabulary.encode(f"go to the {name} .").tobytes() for name in ("cat", "dog", "owl")]
    readings = [read(sentence) for sentence in sentences]
    assert read(sentences[2]) is readings[2]
    again = read(sentences[0])  # dropped, and read anew
    assert again is not readings[0]
    assert again.program.queries.equal(readings[0].program.queries)

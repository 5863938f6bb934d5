"""Teaching on the page: a word, a picture, and an agent of one's own."""

import json
import socket
import threading
import time
from collections.abc import Callable, Generator
from dataclasses import replace
from typing import Any

import httpx
import numpy as np
import pytest
import torch

from processes import wait_until
from xworld.agent.sizes import WORD_EMBEDDING
from xworld.demo.agent_registry import MAX_TAUGHT_WORDS, AgentRegistry
from xworld.demo.agents import DemoAgent
from xworld.demo.errors import RequestError
from xworld.demo.lessons import Lesson, LessonRequest, PictureFields, read_lesson
from xworld.word_learning import TaughtAgent, draw_pixels
from xworld.word_learning.taught_agent import with_word

Post = Callable[..., httpx.Response]

ZEBRA = (["#ffffff"] * 2 + ["#202020"] * 2) * 36
LLAMA = ["#ff00ff", "#00ff00"] * 72


def teach_on_page(client: httpx.Client, **fields: Any) -> Generator[dict[str, Any], None, None]:
    """The lines of a report, as they come."""
    with client.stream("POST", "/teach", json={"agent": "standard", **fields}) as answer:
        assert answer.status_code == 200, answer.read()
        assert answer.headers["content-type"].startswith("application/x-ndjson")
        for line in answer.iter_lines():
            yield json.loads(line)


@pytest.fixture(scope="module")
def report(client: httpx.Client) -> list[dict[str, Any]]:
    return list(teach_on_page(client, word="Zebra", picture={"pixels": ZEBRA}))


@pytest.fixture(scope="module")
def zebra(report: list[dict[str, Any]]) -> dict[str, Any]:
    taught: dict[str, Any] = report[-1]["taught"]
    return taught


def test_the_report_tells_how_it_goes(report: list[dict[str, Any]], zebra: dict[str, Any]) -> None:
    progress = [line["progress"] for line in report if "progress" in line]
    assert progress == sorted(progress)
    assert progress[-1] == 1
    first = next(line["taught"] for line in report if "taught" in line)
    assert (first["new_word"], first["before"], first["after"]) == (None, None, None)
    assert first["agent"] == zebra["agent"]  # of use before it is examined
    assert (zebra["title"], zebra["word"], zebra["tile"]) == ("Standard + zebra", "zebra", 118)
    assert zebra["picture"].startswith("data:image/png;base64,")
    assert zebra["new_word"]["nav_obj"] >= 0.8
    assert zebra["before"].keys() == zebra["after"].keys() == {"nav_obj", "nav_col_obj", "nav_nr_obj", "nav_bw_obj"}
    assert all(abs(zebra["before"][name] - zebra["after"][name]) < 0.1 for name in zebra["before"])


def test_a_taught_agent_obeys_its_word(post: Post, zebra: dict[str, Any]) -> None:
    right = 0
    for seed in range(10):
        laid = post("/scene", agent=zebra["agent"], with_word="zebra", command="nav_obj", seed=seed).json()
        assert any(118 in row for row in laid["scene"]["grid"])
        assert any(item.get("unheard") for item in laid["suggestions"])
        heard = post("/understand", agent=zebra["agent"], scene=laid["scene"], sentence=laid["command"]["text"]).json()
        assert [heard["words"][place] for place in heard["unheard"]] == ["zebra"]
        found = np.unravel_index(np.argmax(heard["attention"]), (13, 13))
        row, column = (int(place) + at - 6 for place, at in zip(found, laid["scene"]["at"], strict=True))
        right += [row, column] == heard["target"] == laid["command"]["target"]
    assert right >= 9


def test_others_know_nothing_of_it(post: Post, zebra: dict[str, Any]) -> None:
    scene = post("/scene", agent=zebra["agent"], with_word="zebra", seed=0).json()["scene"]
    assert post("/suggest", scene=scene).status_code == 400
    plain = post("/scene", seed=0).json()["scene"]
    assert post("/understand", scene=plain, sentence="go to the zebra").json()["word"] == "zebra"
    assert "zebra" not in post("/scene", seed=1).text
    assert zebra["agent"] not in httpx.get(post("/scene").url.join("/about")).text


def test_a_second_word_goes_on_from_the_first(client: httpx.Client, post: Post, zebra: dict[str, Any]) -> None:
    lines = teach_on_page(client, agent=zebra["agent"], word="llama", picture={"pixels": LLAMA}, color="green")
    llama = next(line["taught"] for line in lines if "taught" in line)
    lines.close()
    assert (llama["tile"], llama["words"], llama["title"]) == (119, ["zebra", "llama"], "Standard + zebra + llama")
    for word in llama["words"]:
        assert word in post("/scene", agent=llama["agent"], with_word=word).json()["command"]["text"].lower()


def test_what_looks_like_something_else_is_refused_in_the_report(client: httpx.Client, url: str) -> None:
    *_, last = teach_on_page(client, word="emptiness", picture={"pixels": [""] * 144})
    assert "looks like the floor" in last["error"]


def test_visitors_wait_in_line_and_who_leaves_makes_room(url: str) -> None:
    """One is taught while two wait; when the first leaves, the second is next."""
    clients = [httpx.Client(base_url=url, timeout=300) for _ in range(3)]
    first, second, third = (
        teach_on_page(client, word=word, picture={"pixels": LLAMA}, visitor=word)
        for client, word in zip(clients, ("llama", "emu", "yak"), strict=True)
    )
    assert "progress" in next(first)
    assert next(second) == {"waiting": 1}
    assert next(third) == {"waiting": 2}
    first.close()
    assert "progress" in next(second)
    assert next(third) == {"waiting": 1}
    for visit, client in zip((second, third), clients[1:], strict=True):
        visit.close()
        client.close()
    clients[0].close()


def test_who_leaves_while_a_picture_is_read_is_not_taught(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, gone, lessons = threading.Event(), threading.Event(), list[Lesson]()

    def read_slowly(request: LessonRequest, agents: AgentRegistry) -> Lesson:
        begun.set()
        assert gone.wait(60)
        lessons.append(read_lesson(request, agents))
        return lessons[0]

    monkeypatch.setattr("xworld.demo.app.read_lesson", read_slowly)
    body = json.dumps({"agent": "standard", "word": "gnu", "picture": {"pixels": LLAMA}})
    address = httpx.URL(url)
    with socket.create_connection((address.host, address.port), timeout=60) as connection:
        head = f"POST /teach HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n"
        connection.sendall((head + body).encode())
        assert begun.wait(60)
    assert httpx.get(f"{url}about", timeout=60).status_code == 200  # by now the server knows that the visitor left
    gone.set()
    wait_until(lambda: bool(lessons) and lessons[0].abandoned.is_set() and _has_room(url))
    assert lessons[0].report.empty()


def test_steps_are_answered_while_a_word_is_taught(client: httpx.Client, url: str, scene: dict[str, Any]) -> None:
    """Many steps in the time of a lesson, whatever the speed of the machine."""
    seconds, body = list[float](), {"agent": "standard", "scene": scene, "sentence": "go to the apple"}

    def walk() -> None:
        with httpx.Client(base_url=url, timeout=300) as visitor:
            while not done.is_set():
                begun = time.monotonic()
                assert visitor.post("/understand", json=body).status_code == 200
                seconds.append(time.monotonic() - begun)

    done, walker = threading.Event(), threading.Thread(target=walk)
    begun = time.monotonic()
    walker.start()
    lines = teach_on_page(client, word="emu", picture={"pixels": LLAMA})
    assert any("taught" in line for line in lines)  # the first of them
    done.set()
    lesson = time.monotonic() - begun
    walker.join()
    lines.close()
    assert np.median(seconds) < lesson / 5


@pytest.fixture(scope="module")
def emu(agent: DemoAgent) -> TaughtAgent:
    """An agent that has a word more, and no idea of it."""
    wider = agent.catalogue.with_class("emu", draw_pixels(LLAMA))
    return TaughtAgent(with_word(agent.model, torch.zeros(WORD_EMBEDDING), wider), wider, 0, 0.0, 0.0)


def test_only_so_many_are_kept_and_the_unused_go_first(agent: DemoAgent, emu: TaughtAgent) -> None:
    agents = AgentRegistry({"standard": agent}, max_taught=2)
    first, second = agents.add(agent, emu), agents.add(agent, emu)
    assert first.key != second.key
    assert agents[first.key] is first  # used, so that the second is now the longest unused
    third = agents.add(agent, emu)
    assert agents[first.key] is first
    assert agents[third.key] is third
    with pytest.raises(RequestError, match="teach it again") as refused:
        agents[second.key]
    assert refused.value.status == 410


def test_an_agent_learns_a_bounded_number_of_words(agent: DemoAgent) -> None:
    full = replace(agent, taught=("emu",) * MAX_TAUGHT_WORDS)
    request = LessonRequest(agent="full", word="yak", picture=PictureFields(pixels=LLAMA))
    with pytest.raises(RequestError, match="taught 8 words already"):
        read_lesson(request, AgentRegistry({"full": full}))


def test_taught_agents_share_their_weights(agent: DemoAgent, emu: TaughtAgent) -> None:
    taught = AgentRegistry({"standard": agent}).add(agent, emu).model
    own = {name for name, tensor in taught.state_dict().items() if tensor.data_ptr() != _address(agent, name)}
    assert own == {"words.embeddings"}


def _address(agent: DemoAgent, name: str) -> int:
    return int(agent.model.state_dict()[name].data_ptr())


def test_a_forgotten_agent_is_gone(post: Post, scene: dict[str, Any]) -> None:
    answer = post("/understand", agent="taught-long-ago", scene=scene, sentence="")
    assert (answer.status_code, answer.json()["error"]) == (410, "This taught agent is no longer here; teach it again.")


def test_a_full_line_is_refused(url: str) -> None:
    """One is taught and two wait; all others are told the same."""
    client = httpx.Client(base_url=url, timeout=300)
    visits = [teach_on_page(client, word="yak", picture={"pixels": LLAMA}, visitor=name) for name in "abc"]
    for visit in visits:
        next(visit)
    fields = {"agent": "standard", "word": "gnu", "picture": {"pixels": LLAMA}}
    answers = [client.post("/teach", json=fields | visitor) for visitor in ({}, {"visitor": "a"}, {"visitor": "d"})]
    sentence = "Many people are teaching words at the moment; please try again in a minute."
    assert [(answer.status_code, answer.json()) for answer in answers] == [(503, {"error": sentence})] * 3
    for visit in reversed(visits):
        visit.close()
    client.close()
    wait_until(lambda: _has_room(url))


@pytest.mark.parametrize("visitor", [{}, {"visitor": "the same"}])
def test_one_visitor_does_not_take_the_whole_line(url: str, visitor: dict[str, str]) -> None:
    """Two lessons of one visitor, and no third; somebody else is let in."""
    client = httpx.Client(base_url=url, timeout=300)
    fields: dict[str, Any] = {"agent": "standard", "word": "yak", "picture": {"pixels": LLAMA}}
    visits = [teach_on_page(client, **fields, **visitor) for _ in range(2)]
    for visit in visits:
        next(visit)
    refused = client.post("/teach", json={**fields, **visitor})
    assert (refused.status_code, "wait until one of them is learned" in refused.json()["error"]) == (429, True)
    visits.append(teach_on_page(client, **fields, visitor="somebody else"))
    assert next(visits[-1]) == {"waiting": 2}
    for visit in reversed(visits):
        visit.close()
    client.close()
    wait_until(lambda: _has_room(url))


@pytest.mark.parametrize("visitor", ["x" * 65, 3, ["a"]])
def test_visitors_have_short_names(post: Post, visitor: Any) -> None:
    answer = post("/teach", word="yak", picture={"pixels": LLAMA}, visitor=visitor)
    assert (answer.status_code, "visitor is" in answer.json()["error"]) == (400, True)


def _has_room(url: str) -> bool:
    with httpx.Client(base_url=url, timeout=300) as client:
        answer = client.post("/teach", json={"agent": "standard", "word": "apple", "picture": {"pixels": LLAMA}})
    return answer.status_code == 400  # no word to teach, and room to say so

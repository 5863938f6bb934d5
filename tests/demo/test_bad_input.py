"""Whatever is sent, the server answers in a sentence, and goes on."""

import base64
import json
import socket
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from xworld.demo.errors import quote

Post = Callable[..., httpx.Response]

ENDPOINTS = "/scene", "/suggest", "/understand", "/teach"
FLOOR = [[1] * 7] * 7
MAP = {"size": 7, "grid": FLOOR, "at": [0, 0]}


def grid_with(tile: Any) -> list[list[Any]]:
    return [[tile, *[1] * 6], *([1] * 7 for _ in range(6))]


def assert_refused(answer: httpx.Response, status: int = 400) -> str:
    assert answer.status_code == status, answer.text
    error: str = answer.json()["error"]
    assert error[0].isupper() or error.split()[0].startswith(
        ("scene", "size", "seed", "agent", "told_at", "sentence")
    ), error
    assert error[-1] in ".?”"
    assert len(error) < 300
    return error


@pytest.mark.parametrize(
    ("scene", "reason"),
    [
        (None, "expected an object"),
        ([], "expected an object"),
        ({}, "scene.size"),
        ({**MAP, "size": 2}, "from 3 to 7"),
        ({**MAP, "size": 7.0}, "from 3 to 7"),
        ({**MAP, "size": True}, "from 3 to 7"),
        ({**MAP, "size": 10**30}, "from 3 to 7"),
        ({**MAP, "size": 5}, "in the middle is floor"),
        ({**MAP, "grid": FLOOR[:6]}, "7 rows"),
        ({**MAP, "grid": [*FLOOR[:6], [1] * 8]}, "scene.grid[6] is a list of 8"),
        ({**MAP, "grid": grid_with(118)}, "from 1 to 117"),
        ({**MAP, "grid": grid_with(-1)}, "from 1 to 117"),
        ({**MAP, "grid": grid_with(0)}, "from 1 to 117"),
        ({**MAP, "grid": grid_with(3)}, "scene.at says where"),
        ({**MAP, "grid": grid_with("4")}, "scene.grid[0][0] is '4'; expected 7 rows of 7 tile ids"),
        ({**MAP, "grid": grid_with(10**30)}, "from 1 to 117"),
        ({**MAP, "grid": [[4] * 7, [4, 4, 1, 1, 1, 1, 1], *FLOOR[:5]]}, "9 objects"),
        ({**MAP, "grid": grid_with(2)}, "in a wall"),
        ({**MAP, "at": [0, 7]}, "from 0 to 6"),
        ({**MAP, "at": [-1, 0]}, "from 0 to 6"),
        ({**MAP, "at": 3}, "[row, column]"),
    ],
)
def test_scenes_that_cannot_be_are_refused(post: Post, scene: Any, reason: str) -> None:
    for path in ("/suggest", "/understand"):
        assert reason in assert_refused(post(path, scene=scene, sentence="go to the apple"))


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"seed": -1}, "whole number"),
        ({"seed": 2**53}, "whole number"),
        ({"seed": "3"}, "whole number"),
        ({"size": [3]}, "[lowest, highest]"),
        ({"size": [5, 4]}, "lowest"),
        ({"size": 8}, "from 3 to 7"),
        ({"objects": 0}, "from 1 to 8"),
        ({"walls": 1.5}, "whole number"),
        ({"command": "nav_moon"}, "nav_obj"),
        ({"command": ["nav_obj"]}, "a list of 1; expected one of nav_obj"),
        ({"with_word": "moon"}, "no object"),
        ({"agent": None}, "agent is missing"),
        ({"agent": "nobody"}, "there are standard"),
        ({"agent": 3}, "expected a text"),
    ],
)
def test_reset_options_that_make_no_sense_are_refused(post: Post, fields: dict[str, Any], reason: str) -> None:
    assert reason in post("/scene", **fields).json()["error"]


def test_unknown_words_get_the_nearest_ones(post: Post) -> None:
    answer = post("/understand", scene=MAP, sentence="go to the aple")
    assert assert_refused(answer).startswith("No word 'aple'; did you mean 'apple'")
    assert (answer.json()["near"][0], answer.json()["word"]) == ("apple", "aple")
    answer = post("/understand", scene=MAP, sentence="go to the \U0001f98a")
    assert answer.json()["near"] == []


@pytest.mark.parametrize(
    "sentence", ["", "   ", "?", ". . ?", "x" * 10_000, "apple " * 2_000, "the " * 12 + "apple", None, "\0", "\ud800"]
)
def test_sentences_that_are_none_are_refused(client: httpx.Client, sentence: str | None) -> None:
    body = json.dumps({"agent": "standard", "scene": MAP, "sentence": sentence})
    assert_refused(client.post("/understand", content=body))


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xff\xfe\x00binary\x00",
        b"{",
        b"[]",
        b"null",
        b"NaN",
        b'{"agent": "standard", "seed": NaN}',
        b'{"agent": "standard", "seed": Infinity}',
        b'{"agent": "standard", "seed": 1e999}',
        b'{"seed": ' + b"9" * 5_000 + b"}",
        b"[" * 100_000,
        b'{"scene":' * 20_000,
        b"\xef\xbb\xbf{}",
    ],
)
def test_bodies_that_are_no_requests_are_refused(client: httpx.Client, body: bytes) -> None:
    for path in ENDPOINTS:
        answer = client.post(path, content=body)
        assert answer.status_code == 400, answer.text
        assert answer.json()["error"]


class Upload:
    """A body without end, and how much of it was taken."""

    def __init__(self, most: int) -> None:
        self.sent, self.most = 0, most

    def __iter__(self) -> Iterator[bytes]:
        while self.sent < self.most:
            self.sent += 2**16
            yield b"x" * 2**16


@pytest.mark.parametrize("path", ENDPOINTS)
def test_huge_uploads_are_not_read_to_their_end(url: str, path: str) -> None:
    upload = Upload(2**30)
    try:
        with httpx.Client(base_url=url) as client:
            assert client.post(path, content=iter(upload)).status_code == 413
    except (httpx.WriteError, httpx.ReadError, httpx.RemoteProtocolError):
        pass  # the server closed the connection while there was more to come
    assert upload.sent < 2**25


def test_an_announced_size_is_enough_to_refuse(url: str) -> None:
    address = urlsplit(url)
    with socket.create_connection((address.hostname, address.port or 80), timeout=10) as connection:
        head = f"POST /teach HTTP/1.1\r\nHost: {address.netloc}\r\nContent-Length: {2**40}\r\n\r\n"
        connection.sendall(head.encode())
        answer = connection.makefile("rb").read()  # to its end: the connection is closed
    assert answer.startswith(b"HTTP/1.1 413")
    assert b"too large" in answer


def test_a_number_of_bytes_that_is_none_is_refused(url: str) -> None:
    address = urlsplit(url)
    for length in ("-1", "1e3", "٣", "9" * 50):
        with socket.create_connection((address.hostname, address.port or 80), timeout=10) as connection:
            head = f"POST /scene HTTP/1.1\r\nHost: {address.netloc}\r\nContent-Length: {length}\r\n\r\n"
            connection.sendall(head.encode())
            assert connection.recv(1000)[:12] in (b"HTTP/1.1 400", b"HTTP/1.1 413"), length


@pytest.mark.parametrize(
    ("picture", "reason"),
    [
        (None, "expected"),
        ("zebra", "expected"),
        ({}, "expected"),
        ({"pixels": ["#ffffff"] * 143}, "144"),
        ({"pixels": ["white"] * 144}, "no color"),
        ({"pixels": [None] * 144}, "no color"),
        ({"png": "no base64!"}, "base64"),
        ({"png": base64.b64encode(b"no image").decode()}, "not an image"),
        ({"png": base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"\0" * 100).decode()}, "not an image"),
        ({"png": "é" * 20}, "base64"),
    ],
)
def test_pictures_that_are_none_are_refused(post: Post, picture: Any, reason: str) -> None:
    answer = post("/teach", word="zebra", picture=picture)
    assert answer.status_code == 400
    assert reason in answer.json()["error"]


@pytest.mark.parametrize("word", ["", "apple", "two words", "x" * 100, "zebra1", None, 3, "между"])
def test_words_that_cannot_be_taught_are_refused(post: Post, word: Any) -> None:
    answer = post("/teach", word=word, picture={"pixels": ["#ff00ff"] * 144})
    assert answer.status_code == 400
    assert answer.json()["error"]


def test_other_sites_and_other_names_are_refused(client: httpx.Client) -> None:
    names = "evil.example", "localhost.evil.example", "127.0.0.1.evil.example:80", "", "[::1", "user@localhost"
    for name in (*names, "user@localhost@x", "localhost:8000:1"):
        answer = client.get("/about", headers={"Host": name})
        assert answer.status_code == 400, name
        assert answer.text == "Invalid host header"
    for name in ("localhost", "LOCALHOST:1234", "127.0.0.1:80", "[::1]:8000"):
        assert client.get("/about", headers={"Host": name}).status_code == 200, name
    for origin in ("http://evil.example", "null", "http://localhost:1", "http://[", "https://"):
        assert client.post("/scene", json={"agent": "standard"}, headers={"Origin": origin}).status_code == 403, origin
    own = str(client.base_url).rstrip("/")
    assert client.post("/scene", json={"agent": "standard"}, headers={"Origin": own}).status_code == 200


def test_every_answer_has_its_headers(client: httpx.Client) -> None:
    for path in ("/", "/about", "/tiles.png", "/nothing", "/static/nothing", "/static/index.html"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'self'; img-src 'self' data: blob:;")
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "server" not in headers


def test_errors_quote_no_more_than_is_useful() -> None:
    assert quote([1] * 1000) == "a list of 1000"
    assert len(quote("x" * 1000)) < 60
    assert len(quote(10**200)) < 60


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=8) | st.dictionaries(st.text(max_size=8), inner, max_size=5),
    max_leaves=30,
)
TILES = st.sampled_from([1, 1, 1, 1, 2, 4, 5, 50, 117]) | st.integers(-1, 120) | JSON
ALMOST_A_SCENE = st.fixed_dictionaries(
    {
        "size": st.sampled_from([7, 7, 7, 3, 5]) | JSON,
        "grid": st.lists(st.lists(TILES, min_size=7, max_size=7), min_size=7, max_size=7) | st.just(FLOOR) | JSON,
        "at": st.lists(st.integers(-1, 7), min_size=2, max_size=2) | JSON,
    }
)
WORDS = st.sampled_from("go to the red apple dog what is color of north between and where . ? moon".split())
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "agent": st.just("standard") | JSON,
        "scene": st.just(MAP) | ALMOST_A_SCENE | JSON,
        "sentence": st.lists(WORDS, max_size=14).map(" ".join) | JSON,
        "told_at": st.just([0, 0]) | JSON,
        "seed": st.integers(0, 100) | JSON,
        "size": st.integers(3, 7) | st.lists(st.integers(3, 7), min_size=2, max_size=2) | JSON,
        "objects": st.integers(1, 8) | JSON,
        "walls": st.integers(0, 20) | JSON,
        "command": st.sampled_from(["nav_obj", "nav_bw_obj"]) | JSON,
        "with_word": st.just("apple") | JSON,
        "word": st.just("apple") | JSON,
        "picture": JSON | st.fixed_dictionaries({"pixels": JSON}) | st.fixed_dictionaries({"png": JSON}),
        "color": st.just("red") | JSON,
    },
)


@pytest.mark.parametrize("path", ENDPOINTS)
@settings(max_examples=120, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(fields=FIELDS | JSON)
def test_no_json_breaks_the_server(client: httpx.Client, path: str, fields: Any) -> None:
    answer = client.post(path, content=json.dumps(fields))
    assert answer.status_code in (200, 400, 410), answer.text
    assert answer.status_code == 200 or answer.json()["error"]


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(path=st.sampled_from(ENDPOINTS), body=st.binary(max_size=300))
def test_no_bytes_break_the_server(client: httpx.Client, path: str, body: bytes) -> None:
    assert client.post(path, content=body).status_code == 400

"""Connections: how many, how long without a request, and what is asked of uvicorn for it."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from processes import wait_until
from xworld.demo.connections import Connection
from xworld.demo.limits import Limits
from xworld.demo.server import make_server, open_socket

TIMEOUT = 1.0
HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


async def say_hello(scope: Scope, receive: Receive, send: Send) -> None:
    """An app that takes longer for an answer than a request is waited for, if it is asked to."""
    if scope["type"] == "http":
        await asyncio.sleep(1.3 * TIMEOUT if scope["path"] == "/slow" else 0)
        await PlainTextResponse("hello")(scope, receive, send)


@contextmanager
def serving(limits: Limits) -> Iterator[tuple[str, int]]:
    with open_socket("127.0.0.1", 0) as listening:
        server = make_server(say_hello, limits)
        thread = threading.Thread(target=server.run, args=[[listening]])
        thread.start()
        wait_until(lambda: server.started)
        yield listening.getsockname()
        server.should_exit = True
        thread.join(timeout=10)


@pytest.fixture(scope="module")
def address() -> Iterator[tuple[str, int]]:
    """A server that does not wait long for a request."""
    with serving(Limits(timeout=TIMEOUT)) as address:
        yield address


def call(address: tuple[str, int]) -> socket.socket:
    return socket.create_connection(address, timeout=20)


def is_served(connection: socket.socket, requests: bytes = HEAD) -> bool:
    """Whether as many answers come as are asked for, before the connection is closed."""
    answers = b""
    try:
        connection.sendall(requests)
        while answers.count(b"hello") < requests.count(b"GET"):
            if not (part := connection.recv(1000)):
                return False
            answers += part
    except ConnectionError:
        return False
    return True


def test_watching_asks_no_more_of_uvicorn_than_of_any_protocol() -> None:
    assert issubclass(H11Protocol, asyncio.Protocol)
    for name in ("connection_made", "connection_lost"):
        assert name in vars(H11Protocol), "it does something there, which watching has to leave to it"


def test_answers_are_sent_at_once() -> None:
    with open_socket("127.0.0.1", 0) as listening, call(listening.getsockname()), listening.accept()[0] as accepted:
        assert accepted.proto == socket.IPPROTO_TCP  # where asyncio turns off what would keep them back


def test_only_so_many_are_open_and_who_leaves_makes_room() -> None:
    with serving(Limits(max_connections=3)) as address, call(address) as first, call(address) as second:
        with call(address) as third:
            assert all(is_served(connection) for connection in (first, second, third))
            with call(address) as fourth:
                assert not is_served(fourth)
        wait_until(lambda: _is_served_anew(address))


def test_half_a_second_request_is_not_waited_for(address: tuple[str, int]) -> None:
    with call(address) as connection:
        assert is_served(connection)
        connection.sendall(HEAD[:7])
        assert connection.recv(1000) == b""


def test_an_answer_may_take_longer_than_a_request(address: tuple[str, int]) -> None:
    with call(address) as connection:
        assert is_served(connection, 2 * HEAD.replace(b" / ", b" /slow "))  # two at once, one after the other


def _is_served_anew(address: tuple[str, int]) -> bool:
    with call(address) as connection:
        return is_served(connection)


def test_a_request_that_begins_before_the_last_is_over_is_not_cut_off() -> None:
    class Transport:
        closed = False

        def close(self) -> None:
            self.closed = True

        def is_closing(self) -> bool:
            return self.closed

    async def ask() -> bool:
        transport = Transport()
        connection = Connection(cast(Any, transport), timeout=0.01)
        connection.begin_request()
        connection.begin_request()
        connection.end_request()
        await asyncio.sleep(0.1)
        assert not transport.closed
        connection.end_request()
        await asyncio.sleep(0.1)
        return transport.closed

    assert asyncio.run(ask())

"""The server on its socket: silent clients, too many at once, and signals."""

import signal
import socket
from contextlib import ExitStack

import httpx
from starlette.responses import PlainTextResponse

from demo.conftest import serving_app
from processes import wait_until
from xworld.demo.limits import Limits
from xworld.demo.server import exit_at_signal, open_socket, url_of

HELLO = PlainTextResponse("hello")


def call(url: str) -> socket.socket:
    address = httpx.URL(url)
    return socket.create_connection((address.host, address.port), timeout=20)


def test_answers_are_sent_at_once() -> None:
    with open_socket("127.0.0.1", 0) as listening, call(url_of(listening)), listening.accept()[0] as accepted:
        assert accepted.proto == socket.IPPROTO_TCP  # where asyncio turns off what would keep them back


def test_silent_clients_do_not_stop_others_from_being_served() -> None:
    with serving_app(HELLO, Limits()) as url, ExitStack() as silent:
        for number in range(20):
            silent.enter_context(call(url)).sendall(b"GET /ab" if number % 2 else b"")
        assert httpx.get(url, timeout=60).text == "hello"


def test_too_many_get_503_until_others_leave() -> None:
    with serving_app(HELLO, Limits(max_connections=3)) as url:
        with call(url), call(url):
            wait_until(lambda: httpx.get(url, timeout=60).status_code == 503)
        wait_until(lambda: httpx.get(url, timeout=60).status_code == 200)


def test_signals_are_the_servers_only_while_it_runs() -> None:
    before = signal.getsignal(signal.SIGINT)
    with exit_at_signal():
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before

"""The server on its socket: silent clients, too many at once, and signals."""

import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import httpx
from starlette.responses import PlainTextResponse

from processes import wait_until
from xworld.demo.limits import Limits
from xworld.demo.server import exit_at_signal, make_server, open_socket, url_of


@contextmanager
def serving(limits: Limits) -> Iterator[str]:
    with open_socket("127.0.0.1", 0) as listening:
        server = make_server(PlainTextResponse("hello"), limits)
        thread = threading.Thread(target=server.run, args=[[listening]])
        thread.start()
        wait_until(lambda: server.started)
        yield url_of(listening)
        server.should_exit = True
        thread.join(timeout=60)
        assert not thread.is_alive()


def call(url: str) -> socket.socket:
    address = httpx.URL(url)
    return socket.create_connection((address.host, address.port), timeout=20)


def test_answers_are_sent_at_once() -> None:
    with open_socket("127.0.0.1", 0) as listening, call(url_of(listening)), listening.accept()[0] as accepted:
        assert accepted.proto == socket.IPPROTO_TCP  # where asyncio turns off what would keep them back


def test_silent_clients_do_not_stop_others_from_being_served() -> None:
    with serving(Limits()) as url, ExitStack() as silent:
        for number in range(20):
            silent.enter_context(call(url)).sendall(b"GET /ab" if number % 2 else b"")
        assert httpx.get(url, timeout=60).text == "hello"


def test_too_many_get_503_until_others_leave() -> None:
    with serving(Limits(max_connections=3)) as url:
        with call(url), call(url):
            wait_until(lambda: httpx.get(url, timeout=60).status_code == 503)
        wait_until(lambda: httpx.get(url, timeout=60).status_code == 200)


def test_signals_are_the_servers_only_while_it_runs() -> None:
    before = signal.getsignal(signal.SIGINT)
    with exit_at_signal():
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before

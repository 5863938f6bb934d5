"""The demo as a person starts it: a process that says where it is, serves a crowd, and stops when told to."""

import asyncio
import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import numpy as np
import pytest

import crowd
from processes import wait_until
from xworld.agent.thought import think
from xworld.cli.main import main
from xworld.demo.agents import DemoAgent

VISITORS = 50
SECONDS = 4.0
MOST_WORK = 5
"""How many times as long as the network alone a step may take."""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


class Demo:
    """A demo in a process of its own, in a folder of its own."""

    def __init__(self, folder: Path, *options: str, **environment: str) -> None:
        self.folder = folder
        command = [sys.executable, "-m", "xworld.cli.main", "demo", "--port", "0", *options]
        environment = {**os.environ, "HOME": str(folder), "TMPDIR": str(folder), **environment}
        self.process = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.output = ""

    @cached_property
    def url(self) -> str:
        """Its address, which it prints when it answers."""
        return self.read_until(r"http://\S+/")

    def read_until(self, pattern: str) -> str:
        """Wait until it prints something."""
        assert self.process.stdout is not None
        while not (found := re.search(pattern, self.output)):
            line = self.process.stdout.readline()
            assert line, self.output
            self.output += line
        return found[0]

    @property
    def memory(self) -> float:
        """Megabytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024

    @property
    def processor(self) -> float:
        """Seconds of the processor's time so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self, number: signal.Signals = signal.SIGINT) -> None:
        """Ctrl-C, or another signal; it ends at once and without complaint."""
        self.process.send_signal(number)
        self.output += self.process.communicate(timeout=30)[0]
        assert self.process.returncode == 0
        assert "Traceback" not in self.output, self.output

    def kill(self) -> None:
        """End it if a test has failed to."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    demo = Demo(tmp_path_factory.mktemp("demo"), "--no-browser")
    yield demo
    demo.kill()


def test_it_says_where_it_is_and_answers_there_at_once(demo: Demo) -> None:
    assert urlsplit(demo.url).hostname == "127.0.0.1"
    assert httpx.get(f"{demo.url}about").json()["agents"]


def test_a_step_costs_little_more_than_the_network(demo: Demo, agent: DemoAgent) -> None:
    """In processor time on average, new maps included, and by the clock when nothing else is in the way.

    The network's own time is the measure, so that a slow or busy machine does not matter.
    """
    before = demo.processor
    log = asyncio.run(crowd.gather(demo.url, 1, SECONDS))[0]
    worked, quickest = (demo.processor - before) / len(log.seconds), np.percentile(log.seconds, 10)
    network = _network_seconds(agent)
    print(
        f"a step takes {1000 * worked:.1f} ms of the processor and {1000 * quickest:.1f} ms by the clock, "
        f"the network alone {1000 * network:.1f} ms"
    )
    assert worked < MOST_WORK * network
    assert quickest < MOST_WORK * network


def _network_seconds(agent: DemoAgent) -> float:
    """What the network takes to read a command and act on it, at best."""
    vocabulary = agent.grammar.vocabulary
    command, view = vocabulary.encode("go to the apple ."), np.ones((13, 13), np.int16)

    def once() -> float:
        begun = time.process_time()
        think(agent.model, view, command, vocabulary.words)
        return time.process_time() - begun

    return min(once() for _ in range(50))


def test_a_crowd_is_served_and_nobody_sees_anothers_map(demo: Demo) -> None:
    before = demo.memory
    logs = asyncio.run(crowd.gather(demo.url, VISITORS, SECONDS))
    assert len(logs) == VISITORS
    assert min(len(log.seconds) for log in logs) >= 1
    assert demo.memory < before + 200
    exchanges = [exchange for log in logs for exchange in log.exchanges[:2]]
    assert asyncio.run(crowd.replay(demo.url, exchanges)) == 0


def test_many_silent_connections_do_no_harm(demo: Demo) -> None:
    idle = [_call(demo.url) for _ in range(150)]
    for connection in idle[::2]:
        connection.sendall(b"GET /ab")
    assert httpx.get(f"{demo.url}about", timeout=120).status_code == 200  # while they are there
    for connection in idle:
        connection.close()
    assert httpx.get(f"{demo.url}about", timeout=120).status_code == 200
    assert demo.process.poll() is None


def _call(url: str) -> socket.socket:
    return socket.create_connection((urlsplit(url).hostname or "", urlsplit(url).port or 0), timeout=120)


def test_a_taken_port_is_a_sentence(demo: Demo, capsys: pytest.CaptureFixture[str]) -> None:
    port = str(urlsplit(demo.url).port)
    assert main(["demo", "--no-browser", "--port", port]) == 2
    assert capsys.readouterr().err == (
        f"xworld: port {port} is in use, perhaps by another demo; "
        "choose another with --port, or any free one with --port 0\n"
    )


def test_nothing_is_written(demo: Demo) -> None:
    """After all of the above; compiled kernels stand beside the package, as for every command."""
    files = [path for path in demo.folder.rglob("*") if path.is_file()]
    assert files == []
    opened = Path(f"/proc/{demo.process.pid}/fd")
    assert not [link for link in opened.iterdir() if str(link.readlink()).startswith(str(demo.folder))]


def test_ctrl_c_stops_it_with_lessons_in_line(demo: Demo) -> None:
    visits = [Visit(demo.url, name) for name in "abcd"]
    for visit in visits:
        assert visit.heard.wait(600)
    _stop_sometime(demo, signal.SIGINT, most=4.0)
    for visit in visits:
        visit.join(60)
        assert not visit.is_alive()


def test_it_can_be_terminated_while_it_is_busy(tmp_path: Path) -> None:
    """Visitors walk, pictures are read, words are taught, a request has come half way: whatever it is doing."""
    demo = Demo(tmp_path, "--no-browser")
    try:
        for name in "abcd":
            Visit(demo.url, name)
        walking = threading.Thread(target=_walk_until_it_ends, args=[demo.url])
        walking.start()
        with _call(demo.url) as half_way:
            half_way.sendall(b"POST /scene HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{")
            _stop_sometime(demo, signal.SIGTERM, most=3.0)
        walking.join(60)
    finally:
        demo.kill()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_can_be_stopped_while_it_starts(tmp_path: Path, number: signal.Signals) -> None:
    demo = Demo(tmp_path, "--no-browser")
    try:
        demo.read_until("Starting")
        _stop_sometime(demo, number, most=3.0)
    finally:
        demo.kill()


def _walk_until_it_ends(url: str) -> None:
    with suppress(OSError, EOFError):
        asyncio.run(crowd.gather(url, visitors=3, seconds=60))


def _stop_sometime(demo: Demo, number: signal.Signals, most: float) -> None:
    moment = random.uniform(0, most)
    print(f"{number.name} after {moment:.2f} s")
    time.sleep(moment)
    demo.stop(number)


class Visit(threading.Thread):
    """Somebody who teaches a word, and listens to the report until it ends or breaks off."""

    def __init__(self, url: str, name: str) -> None:
        super().__init__(daemon=True)
        self.url, self.visitor, self.heard = url, name, threading.Event()
        self.start()

    def run(self) -> None:
        picture = {"pixels": ["#ff00ff", "#00ff00"] * 72}
        fields = {"agent": "standard", "word": "emu", "picture": picture, "visitor": self.visitor}
        with (
            suppress(httpx.TransportError),
            httpx.stream("POST", f"{self.url}teach", json=fields, timeout=1200) as answer,
        ):
            for _ in answer.iter_lines():
                self.heard.set()


def test_others_are_let_in_with_a_warning_and_the_browser_opens_when_the_page_answers(tmp_path: Path) -> None:
    """The browser asks for the page the moment that it is opened, and writes down what it got."""
    seen, browser = tmp_path / "seen", tmp_path / "browser"
    browser.write_text(
        f"#!{sys.executable}\n"
        "import pathlib, sys, urllib.request\n"
        f"pathlib.Path({str(seen)!r}).write_bytes(urllib.request.urlopen(sys.argv[1] + 'about').read())\n"
    )
    browser.chmod(0o755)
    demo = Demo(tmp_path, "--browser", "--host", "0.0.0.0", "NWNavRec", BROWSER=str(browser))
    try:
        about = httpx.get(f"{demo.url}about", headers={"Host": "my-machine"}).json()
        warning = next(line for line in demo.output.splitlines() if "others can reach" in line)
        assert all(words in warning for words in ("no password", "no encryption", "slow or silent", "reverse proxy"))
        assert [agent["key"] for agent in about["agents"]] == ["nwnavrec", "standard"]
        wait_until(lambda: seen.exists() and b"agents" in seen.read_bytes(), demo.process)
        demo.stop()
    finally:
        demo.kill()

"""`xworld demo`: a page in the browser where an agent can be met."""

import os
import socket
import sys
import threading
import webbrowser
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NoReturn

from rich.console import Console
from rich.text import Text
from tyro.conf import Positional


@dataclass(frozen=True)
class Demo:
    """Open a page where you build maps, say things to an agent, and watch what goes on in it."""

    files: Positional[tuple[Path, ...]] = ()
    """Files with agents' weights, also such as were taught words; they are shown beside those of the package."""
    port: int = 8017
    """The port to listen on; 0 takes any that is free."""
    host: str = "127.0.0.1"
    """The address to listen on. Any but this machine's own lets others in."""
    browser: bool = True
    """Whether to open the page in the browser."""

    def run(self) -> int:
        """Serve until ctrl-C, which is the way to end it, and no error."""
        from xworld.demo.guard import LOOPBACK
        from xworld.demo.running import open_socket

        with open_socket(self.host, self.port) as listening, suppress(KeyboardInterrupt):
            private = listening.getsockname()[0] in LOOPBACK
            if not private:
                print(_WARNING, file=sys.stderr)
            print("Starting the demo ...", flush=True)
            self._serve(listening, LOOPBACK if private else None)
        _leave()

    def _serve(self, listening: socket.socket, hosts: tuple[str, ...] | None) -> None:
        from xworld.demo.agent_registry import AgentRegistry
        from xworld.demo.agents import load_agents
        from xworld.demo.lesson_queue import LessonQueue
        from xworld.demo.limits import Limits
        from xworld.demo.running import make_server, url_of
        from xworld.demo.server import make_app
        from xworld.demo.warming import warm_up

        minds, limits = AgentRegistry(load_agents(self.files)), Limits()
        warm_up(minds)
        lesson_queue = LessonQueue(minds, limits)
        app, greet = make_app(minds, lesson_queue, hosts, limits), partial(self._greet, url_of(listening))
        make_server(app, limits, greet, lesson_queue.close).run([listening])

    def _greet(self, url: str) -> None:
        Console(highlight=False).print(Text(f"The demo is at {url} (ctrl-C stops it)"), soft_wrap=True)
        sys.stdout.flush()
        if self.browser:  # which may take its time to start
            threading.Thread(target=webbrowser.open, args=[url], daemon=True).start()


def _leave() -> NoReturn:
    """End the process at once: Python would wait for a word that is being taught, and take a second to tidy up."""
    sys.stdout.flush()
    os._exit(0)


_WARNING = "xworld: anybody who can reach this machine can now use the demo; there is no password and no encryption"

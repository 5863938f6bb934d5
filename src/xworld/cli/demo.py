"""`xworld demo`: talk to an agent on a page in the browser."""

import socket
import sys
import threading
import webbrowser
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from tyro.conf import Positional

from xworld.cli.display import say

_WARNING = (
    "xworld: others can reach the demo at this address; it has no password, no encryption and no defense against slow "
    "or silent clients, so put a reverse proxy before it, as docs/demo.md shows"
)


@dataclass(frozen=True)
class DemoCommand:
    """Open a page where you build maps, talk to an agent, and watch how it understands you."""

    agents: Positional[tuple[str, ...]] = ()
    """Bundled agents to list first, and files with agents of your own, which may have been taught words."""
    pack: Path | None = None
    """Folder of the icon pack that these agents were trained with; bundled agents know only the built-in pack."""
    port: int = 8017
    """The port to listen on; 0 takes any free one."""
    host: str = "127.0.0.1"
    """The address to listen on. Any other than this machine's own lets others in and needs a reverse proxy."""
    browser: bool = True
    """Open the page in the browser."""

    def run(self) -> int:
        """Serve until ctrl-C, which is the normal way to stop."""
        from xworld.demo.server import exit_at_signal, open_socket

        with open_socket(self.host, self.port) as listening, exit_at_signal():
            private = listening.getsockname()[0] in ("127.0.0.1", "::1")
            if not private:
                print(_WARNING, file=sys.stderr)
            print("Starting the demo ...", flush=True)
            self._serve(listening, any_host=not private)
        return 0

    def _serve(self, listening: socket.socket, any_host: bool) -> None:
        from xworld.demo.agent_registry import AgentRegistry
        from xworld.demo.agents import load_agents
        from xworld.demo.app import make_app, warm_up
        from xworld.demo.lesson_queue import LessonQueue
        from xworld.demo.limits import Limits
        from xworld.demo.server import make_server, url_of
        from xworld.training.pretrained import find_weights

        files = [find_weights(name) for name in self.agents]
        agents, limits = AgentRegistry(load_agents(files, self.pack)), Limits()
        warm_up(agents)
        lesson_queue = LessonQueue(agents, limits)
        server = make_server(make_app(agents, lesson_queue, limits, any_host), limits)
        self._greet(url_of(listening))  # requests wait in the socket until the server runs
        server.run([listening])

    def _greet(self, url: str) -> None:
        say(Console(highlight=False), f"The demo is at {url} (ctrl-C stops it)")
        sys.stdout.flush()
        if self.browser:  # in a thread, because a browser may be slow to start
            threading.Thread(target=webbrowser.open, args=[url], daemon=True).start()

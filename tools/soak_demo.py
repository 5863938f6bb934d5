"""Send a demo 20,000 requests of all kinds, and see whether its memory levels off: `python tools/soak_demo.py`.

Prints the resident memory after every tenth of them, and fails if it grew by more than 5 % since the first; on Linux.
"""

import argparse
import asyncio
import base64
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx
from PIL import Image

ALLOWED_GROWTH = 0.05
STATIC = Path(__file__).parents[1] / "src/xworld/demo/static"
PAGES = ["/", "/about", "/tiles.png", "/nothing-here", *(f"/static/{path.name}" for path in STATIC.iterdir())]
ENDPOINTS = "/scene", "/suggest", "/understand", "/teach"
AGENTS = "standard", "nwnavrec"


class Visitor:
    """Somebody who does one thing after another, at random."""

    def __init__(self, client: httpx.AsyncClient, number: int) -> None:
        self.client, self.random, self.agent = client, random.Random(number), AGENTS[0]
        self.name, self.new_map = str(number), dict[str, Any]()
        self.statuses = Counter[int]()
        self.activities: dict[Callable[[], Awaitable[None]], float] = {
            self.lay_out: 10, self.walk: 50, self.ask: 15, self.edit: 5, self.open_page: 10,
            self.send_nonsense: 8, self.hang_up: 2, self.teach: 0.2,
        }  # fmt: skip

    async def act(self) -> None:
        """One request."""
        activity = self.random.choices(list(self.activities), list(self.activities.values()))[0]
        await (activity if self.new_map else self.lay_out)()

    async def post(self, path: str, **fields: Any) -> dict[str, Any]:
        """The answer; a taught agent that is gone is given up."""
        answer = await self.client.post(path, json={"agent": self.agent, **fields})
        self.statuses[answer.status_code] += 1
        if answer.status_code == 410:
            self.agent = AGENTS[0]
        fields = answer.json()
        return fields

    async def lay_out(self) -> None:
        """A new map, sometimes with another agent."""
        if self.random.random() < 0.2:
            self.agent = self.random.choice(AGENTS)
        wishes = {"size": self.random.randint(3, 7), "objects": self.random.randint(1, 8), "walls": 2, "seed": 5}
        chosen = {name: wish for name, wish in wishes.items() if self.random.random() < 0.2}
        answer = await self.post("/scene", **chosen)
        self.new_map = answer if "scene" in answer else {}

    async def walk(self) -> None:
        """One step of the way to the target."""
        scene, command = self.new_map["scene"], self.new_map["command"]["text"]
        told_at = self.new_map.setdefault("told_at", scene["at"])
        answer = await self.post("/understand", scene=scene, sentence=command, told_at=told_at)
        if "outcomes" in answer:
            self.new_map["scene"] = {**scene, "at": answer["outcomes"][answer["choice"]]["at"]}

    async def ask(self) -> None:
        """Something that fits the map."""
        said = self.random.choice(self.new_map["suggestions"])["text"]
        await self.post("/understand", scene=self.new_map["scene"], sentence=said)

    async def edit(self) -> None:
        """An object more on the map, which may be one too many or under the agent."""
        row, column = self.random.randrange(7), self.random.randrange(7)
        self.new_map["scene"]["grid"][row][column] = self.random.randint(1, 117)
        answer = await self.post("/suggest", scene=self.new_map["scene"])
        self.new_map = {**self.new_map, **answer} if answer.get("suggestions") else {}

    async def open_page(self) -> None:
        """A page or a file, also with a link's query and with methods that do not fit."""
        path = self.random.choice(PAGES) + self.random.choice(["", "?agent=standard"])
        answer = await self.client.request(self.random.choice(["GET"] * 8 + ["HEAD", "DELETE"]), path)
        self.statuses[answer.status_code] += 1

    async def send_nonsense(self) -> None:
        """A request that is refused."""
        kind, path = self.random.randrange(8), self.random.choice(ENDPOINTS)
        body = b'{"agent": "standard", "word": "yak", "scene": %d}' % self.random.getrandbits(99)
        bodies = [body, self.random.randbytes(5_000), b"[" * 50_000, b" " * self.random.randint(2**18, 2**21)]
        headers = [{}, {}, {}, {}, {"Host": f"{self.random.random()}.org"}, {"Origin": "http://example.org"}]
        if kind < len(headers):
            with suppress(httpx.TransportError):  # the server does not read a body that is too large
                answer = await self.client.post(path, content=bodies[kind % len(bodies)], headers=headers[kind])
                self.statuses[answer.status_code] += 1
        elif kind == 6:
            words = self.random.choices(["go", "to", "the", f"x{self.random.random()}", "\U0001f98a"], k=9)
            await self.post("/understand", scene=self.new_map["scene"], sentence=" ".join(words))
        else:
            await self.post("/scene", agent=f"taught-{self.random.random()}")

    async def hang_up(self) -> None:
        """A request that breaks off, or that is not HTTP."""
        url = self.client.base_url
        _, writer = await asyncio.open_connection(url.host, url.port)
        head = b"POST /scene HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n"
        writer.write(
            self.random.choice([b"GET /ab", head + b"{" * self.random.randrange(999), b"\x16\x03\x01\r\n\r\n"])
        )
        writer.close()

    async def teach(self) -> None:
        """A lesson, which one in three does not wait for; afterwards the taught agent is used."""
        picture: dict[str, Any] = {"pixels": [f"#{self.random.getrandbits(24):06x}" for _ in range(144)]}
        if self.random.random() < 0.5:
            picture = {"png": _make_png(self.random)}
        patience = self.random.choice([2, 100, 100])
        word = "".join(self.random.choices("bdfgklmnprst", k=8))
        fields = {"agent": self.agent, "word": word, "picture": picture, "visitor": self.name}
        async with self.client.stream("POST", "/teach", json=fields) as answer:
            self.statuses[answer.status_code] += 1
            async for line in answer.aiter_lines():
                if found := re.search(r'"agent": "(taught-[^"]+)"', line):
                    self.agent = found[1]
                patience -= 1
                if not patience:
                    return


def _make_png(generator: random.Random) -> str:
    file = BytesIO()
    side = generator.randint(20, 400)
    Image.frombytes("RGB", (side, side), generator.randbytes(3 * side * side)).save(file, "PNG")
    return base64.b64encode(file.getvalue()).decode()


async def soak(url: str, pid: int, requests: int, visitors: int) -> list[float]:
    """The memory after every tenth of the requests, when all visitors rest, in MB."""
    memory = list[float]()
    async with httpx.AsyncClient(base_url=url, timeout=600) as client:
        people = [Visitor(client, number) for number in range(visitors)]
        for tenth in range(1, 11):
            numbers = iter(range(requests // 10))
            await asyncio.gather(*(_visit(visitor, numbers) for visitor in people))
            await asyncio.sleep(3)  # until lessons that were given up have ended
            memory.append(_memory(pid))
            print(f"{tenth * requests // 10:6} requests: {memory[-1]:.1f} MB", flush=True)
    print("answers by status:", dict(sum((visitor.statuses for visitor in people), Counter[int]())))
    return memory


async def _visit(visitor: Visitor, numbers: Iterator[int]) -> None:
    for _ in numbers:  # which all visitors share
        await visitor.act()


def _memory(pid: int) -> float:
    return int(Path(f"/proc/{pid}/status").read_text().split("VmRSS:")[1].split()[0]) / 1024


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--visitors", type=int, default=8)
    options = parser.parse_args()
    command = [sys.executable, "-m", "xworld.cli.main", "demo", "--port", "0", "--no-browser"]
    demo = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert demo.stdout is not None
        url = next(found[0] for line in demo.stdout if (found := re.search(r"http://\S+/", line)))
        print(f"     0 requests: {_memory(demo.pid):.1f} MB", flush=True)
        memory = asyncio.run(soak(url, demo.pid, options.requests, options.visitors))
    finally:
        demo.terminate()
        demo.wait()
    growth = memory[-1] / memory[0] - 1
    print(f"grew by {growth:.1%}; {ALLOWED_GROWTH:.0%} are allowed")
    return int(growth > ALLOWED_GROWTH)


if __name__ == "__main__":
    sys.exit(main())

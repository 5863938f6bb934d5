"""Many visitors of the demo at once: each walks on maps of its own, and checks that they stay its own.

python tests/crowd.py http://127.0.0.1:8017/ --visitors 50 --seconds 60
"""

import asyncio
import json
import time
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import tyro

PAUSE = 0.4
"""Seconds from one step to the next: about as long as the page shows one."""


@dataclass
class Visit:
    """What one visitor saw."""

    seed: int
    seconds: list[float] = field(default_factory=list)
    """What each step took."""
    first_seconds: list[float] = field(default_factory=list)
    """What the first step of each command took, which is also the first on a new map."""
    exchanges: list[tuple[dict[str, Any], bytes]] = field(default_factory=list)
    """What was asked, and what came back."""
    walks: int = 0
    arrivals: int = 0


class Connection:
    """A connection that is kept open, as a browser does."""

    def __init__(self, url: str) -> None:
        self._address = urlsplit(url)

    async def __aenter__(self) -> "Connection":
        self._reader, self._writer = await asyncio.open_connection(self._address.hostname, self._address.port)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._writer.close()
        await self._writer.wait_closed()

    async def post(self, path: str, fields: dict[str, Any]) -> bytes:
        """The body of the answer, which is to be a good one."""
        body = json.dumps(fields).encode()
        head = f"POST {path} HTTP/1.1\r\nHost: {self._address.netloc}\r\nContent-Length: {len(body)}\r\n\r\n"
        self._writer.write(head.encode() + body)
        lines = (await self._reader.readuntil(b"\r\n\r\n")).decode().lower().split("\r\n")
        length = next(int(line.split(":")[1]) for line in lines if line.startswith("content-length"))
        answer = await self._reader.readexactly(length)
        assert lines[0].split()[1] == "200", answer
        return answer


async def visit(url: str, seed: int, end: float) -> Visit:
    """Walk on one map after the other until it is time to leave."""
    seen = Visit(seed)
    async with Connection(url) as connection:
        while time.monotonic() < end:
            laid = json.loads(await connection.post("/scene", {"agent": "standard", "seed": seed + 1_000 * seen.walks}))
            seen.walks += 1
            begun = len(seen.seconds)
            seen.arrivals += await _walk(connection, laid, seen, end)
            seen.first_seconds.append(seen.seconds[begun])
    return seen


async def _walk(connection: Connection, laid: dict[str, Any], seen: Visit, end: float) -> bool:
    scene, told_at = laid["scene"], laid["scene"]["at"]
    for _ in range(4 * scene["size"]):
        fields = {"agent": "standard", "scene": scene, "sentence": laid["command"]["text"], "told_at": told_at}
        begun = time.monotonic()
        answer = await connection.post("/understand", fields)
        seen.seconds.append(time.monotonic() - begun)
        seen.exchanges.append((fields, answer))
        heard = json.loads(answer)
        assert heard["target"] == laid["command"]["target"]
        outcome = heard["outcomes"][heard["choice"]]
        scene = {**scene, "at": outcome["at"]}
        if outcome["reached"] or time.monotonic() > end:
            return bool(outcome["reached"])
        await asyncio.sleep(PAUSE)
    return False


async def gather(url: str, visitors: int, seconds: float) -> list[Visit]:
    """All visits at once."""
    end = time.monotonic() + seconds
    return list(await asyncio.gather(*(visit(url, seed, end) for seed in range(visitors))))


async def replay(url: str, exchanges: list[tuple[dict[str, Any], bytes]]) -> int:
    """How many of some exchanges come out differently when nobody else is there: not a single one should."""
    async with Connection(url) as connection:
        return sum([await connection.post("/understand", fields) != answer for fields, answer in exchanges])


def main(url: str, visitors: int = 50, seconds: float = 60.0) -> None:
    """Send a limiter to a demo that runs, and print how it was served."""
    visits = asyncio.run(gather(url, visitors, seconds))
    times = np.array([step for seen in visits for step in seen.seconds])
    sample = [exchange for seen in visits for exchange in seen.exchanges[:: max(1, len(seen.exchanges) // 4)]]
    differing = asyncio.run(replay(url, sample))
    walks, arrivals = sum(seen.walks for seen in visits), sum(seen.arrivals for seen in visits)
    p50, p95, p99, most = 1000 * np.percentile(times, [50, 95, 99, 100])
    first50, first95 = 1000 * np.percentile([step for seen in visits for step in seen.first_seconds], [50, 95])
    print(f"{visitors} visitors, {len(times)} steps in {seconds:.0f} s, all served; the fewest {_fewest(visits)}")
    print(f"a step took {p50:.0f} ms (median), {p95:.0f} ms (95 %), {p99:.0f} ms (99 %), {most:.0f} ms at most")
    print(f"the first step of a command took {first50:.0f} ms (median), {first95:.0f} ms (95 %)")
    print(f"{arrivals} of {walks} walks arrived; {differing} of {len(sample)} answers differ when asked again alone")


def _fewest(visits: list[Visit]) -> int:
    return min(len(seen.seconds) for seen in visits)


if __name__ == "__main__":
    tyro.cli(main, config=(tyro.conf.PositionalRequiredArgs,))

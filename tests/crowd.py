"""Many visitors of the demo at once: each walks on maps of its own and checks its answers.

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
"""Seconds between steps, about as on the page."""


@dataclass
class VisitorLog:
    """What one visitor saw."""

    seed: int
    seconds: list[float] = field(default_factory=list)
    """Of each step."""
    first_seconds: list[float] = field(default_factory=list)
    """Of the first step of each command, which is also the first on a new map."""
    exchanges: list[tuple[dict[str, Any], bytes]] = field(default_factory=list)
    """Requests and answers."""
    walks: int = 0
    arrivals: int = 0


class Connection:
    """A connection that stays open, as in a browser."""

    def __init__(self, url: str) -> None:
        self._address = urlsplit(url)

    async def __aenter__(self) -> "Connection":
        self._reader, self._writer = await asyncio.open_connection(self._address.hostname, self._address.port)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._writer.close()
        await self._writer.wait_closed()

    async def post(self, path: str, fields: dict[str, Any]) -> bytes:
        """The body of the answer, which must have status 200."""
        body = json.dumps(fields).encode()
        head = f"POST {path} HTTP/1.1\r\nHost: {self._address.netloc}\r\nContent-Length: {len(body)}\r\n\r\n"
        self._writer.write(head.encode() + body)
        lines = (await self._reader.readuntil(b"\r\n\r\n")).decode().lower().split("\r\n")
        length = next(int(line.split(":")[1]) for line in lines if line.startswith("content-length"))
        answer = await self._reader.readexactly(length)
        assert lines[0].split()[1] == "200", answer
        return answer


async def visit(url: str, seed: int, end: float) -> VisitorLog:
    """Walk on one map after another until the time is over."""
    log = VisitorLog(seed)
    async with Connection(url) as connection:
        while time.monotonic() < end:
            new_map = json.loads(
                await connection.post("/scene", {"agent": "standard", "seed": seed + 1_000 * log.walks})
            )
            log.walks += 1
            begun = len(log.seconds)
            log.arrivals += await _walk(connection, new_map, log, end)
            log.first_seconds.append(log.seconds[begun])
    return log


async def _walk(connection: Connection, new_map: dict[str, Any], log: VisitorLog, end: float) -> bool:
    scene, told_at = new_map["scene"], new_map["scene"]["at"]
    for _ in range(4 * scene["size"]):
        fields = {"agent": "standard", "scene": scene, "sentence": new_map["command"]["text"], "told_at": told_at}
        begun = time.monotonic()
        answer = await connection.post("/understand", fields)
        log.seconds.append(time.monotonic() - begun)
        log.exchanges.append((fields, answer))
        result = json.loads(answer)
        assert result["target"] == new_map["command"]["target"]
        outcome = result["outcomes"][result["choice"]]
        scene = {**scene, "at": outcome["at"]}
        if outcome["reached"] or time.monotonic() > end:
            return bool(outcome["reached"])
        await asyncio.sleep(PAUSE)
    return False


async def gather(url: str, visitors: int, seconds: float) -> list[VisitorLog]:
    """All visitors at once."""
    end = time.monotonic() + seconds
    return list(await asyncio.gather(*(visit(url, seed, end) for seed in range(visitors))))


async def replay(url: str, exchanges: list[tuple[dict[str, Any], bytes]]) -> int:
    """Repeat exchanges without load; returns how many answers differ, which should be none."""
    async with Connection(url) as connection:
        return sum([await connection.post("/understand", fields) != answer for fields, answer in exchanges])


def main(url: str, visitors: int = 50, seconds: float = 60.0) -> None:
    """Send visitors to a running demo, and print how they were served."""
    logs = asyncio.run(gather(url, visitors, seconds))
    times = np.array([step for log in logs for step in log.seconds])
    sample = [exchange for log in logs for exchange in log.exchanges[:: max(1, len(log.exchanges) // 4)]]
    differing = asyncio.run(replay(url, sample))
    walks, arrivals = sum(log.walks for log in logs), sum(log.arrivals for log in logs)
    p50, p95, p99, most = 1000 * np.percentile(times, [50, 95, 99, 100])
    first50, first95 = 1000 * np.percentile([step for log in logs for step in log.first_seconds], [50, 95])
    print(f"{visitors} visitors, {len(times)} steps in {seconds:.0f} s, all served; the fewest {_fewest(logs)}")
    print(f"a step took {p50:.0f} ms (median), {p95:.0f} ms (95 %), {p99:.0f} ms (99 %), {most:.0f} ms at most")
    print(f"the first step of a command took {first50:.0f} ms (median), {first95:.0f} ms (95 %)")
    print(
        f"{arrivals} of {walks} walks arrived; {differing} of {len(sample)} answers differ when repeated without load"
    )


def _fewest(logs: list[VisitorLog]) -> int:
    return min(len(log.seconds) for log in logs)


if __name__ == "__main__":
    tyro.cli(main, config=(tyro.conf.PositionalRequiredArgs,))

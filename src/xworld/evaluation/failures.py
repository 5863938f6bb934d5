"""Where a policy fails: its failed sessions by cause, and by the length of the shortest path.

The first cause that applies counts:

- `wrong_place`: in most of its steps, the cell with the most attention was not the target. Attention to “between” rests
  on the two objects, also in sessions that succeed, so for `nav_bw_obj` the four cells beside the target are right too.
- `wrong_object`: it stepped on an object that is not the target, which costs reward; the session goes on.
- `back_and_forth`: in the last third of its steps it entered no new cell. Without a memory, a policy decides the same
  where it has been before: it goes to and fro, or against a wall, until time is up.
- `out_of_time`: in that last third it came nearer to the target.
- `other`: none of these.

Where a policy has no attention, the first cause cannot be told, and the path alone decides.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from xworld.evaluation.rate import Rate
from xworld.evaluation.responders import as_responder
from xworld.evaluation.sessions import SessionResults, begin_sessions
from xworld.teacher.oracle import path_lengths
from xworld.teacher.settings import TeacherSettings
from xworld.teacher.simulator import Simulator
from xworld.world.catalogue import Catalogue
from xworld.world.cells import CELLS, SIDE, VIEW
from xworld.world.state import FIRST_OBJECT

Cells = NDArray[np.int64]
"""(sessions, steps + 1) Where the agent stood, from the start until time was up; all have as much time."""
Maps = NDArray[np.float32]
"""(sessions, 169) Attention around the agent, which is in the center."""

CAUSES: Mapping[str, str] = {
    "wrong_place": "attended wrongly",
    "wrong_object": "hit a wrong object",
    "back_and_forth": "went back and forth",
    "out_of_time": "ran out of time",
    "other": "other",
}
"""The causes and what the agent did, in the order in which they are tried."""
LENGTHS: Mapping[str, range] = {
    "1 to 4": range(1, 5),
    "5 to 8": range(5, 9),
    "9 to 12": range(9, 13),
    "13 and more": range(13, CELLS),
}
"""Groups of shortest paths, by their lengths."""


@dataclass(frozen=True, eq=False)
class FailedSession:
    """A session that did not reach its target in time."""

    cause: str
    """One of `CAUSES`."""
    command_type: str
    seed: int
    command: str
    grid: NDArray[np.int16]
    """(7, 7) The tiles of the map, without the agent."""
    cells: tuple[tuple[int, int], ...]
    """Where the agent stood, from the start on."""
    target: tuple[int, int]
    shortest: int
    """The length of a shortest path."""
    attention: NDArray[np.float32] | None
    """(13, 13) At the last step, with the agent in the center; None for a policy without attention."""


@dataclass(frozen=True)
class FailureReport:
    """The failed sessions of an evaluation, and how many there are of each kind."""

    sessions: tuple[FailedSession, ...]
    """By type of command, and by seed."""
    causes: dict[str, dict[str, Rate]]
    """The share of a cause in all sessions of each type of command; without `wrong_place` where it cannot be told."""
    lengths: dict[str, Rate]
    """The share of failures, by the length of the shortest path."""

    @property
    def examples(self) -> dict[str, FailedSession]:
        """The first session of each cause."""
        first = {session.cause: session for session in reversed(self.sessions)}
        return {cause: first[cause] for cause in CAUSES if cause in first}

    def share(self, cause: str) -> Rate:
        """The share of a cause in all sessions."""
        return sum(self.causes[cause].values(), start=Rate(0, 0))


def find_failures(
    agent: Any,
    results: Mapping[str, SessionResults],
    seeds: Sequence[int],
    catalogue: Catalogue | None,
    settings: TeacherSettings,
) -> FailureReport:
    """Why sessions failed, given the results of these seeds by type of command.

    Failed sessions begin again from their seeds, and the agent attends once more on the paths that it took.

    >>> import xworld
    >>> always_up = lambda observation: np.zeros(len(observation["command"]), int)
    >>> report = xworld.evaluate(always_up, sessions=40, observation="tiles", failures=True).failures
    >>> len(report.sessions), report.share("back_and_forth"), report.share("wrong_object")
    (38, Rate(hits=37, trials=40), Rate(hits=1, trials=40))
    """
    responder = as_responder(agent)
    found = {
        name: _find_failed(responder, name, result, seeds, catalogue, replace(settings, commands=(name,)))
        for name, result in results.items()
    }
    sessions = tuple(session for failed in found.values() for session in failed)
    attentive = all(session.attention is not None for session in sessions)
    told = [cause for cause in CAUSES if attentive or cause != "wrong_place"]
    causes = {cause: {name: _share(cause, found[name], results[name]) for name in results} for cause in told}
    return FailureReport(sessions, causes, _count_lengths(list(results.values())))


def _share(cause: str, failed: list[FailedSession], result: SessionResults) -> Rate:
    return Rate(sum(session.cause == cause for session in failed), len(result.success))


def _count_lengths(results: Sequence[SessionResults]) -> dict[str, Rate]:
    shortest = np.concatenate([result.shortest for result in results])
    success = np.concatenate([result.success for result in results])
    groups = {name: np.isin(shortest, lengths) for name, lengths in LENGTHS.items()}
    return {name: Rate(int((group & ~success).sum()), int(group.sum())) for name, group in groups.items()}


def _find_failed(
    responder: Any,
    name: str,
    result: SessionResults,
    seeds: Sequence[int],
    catalogue: Catalogue | None,
    settings: TeacherSettings,
) -> list[FailedSession]:
    """The failed sessions of one type of command."""
    failed: list[int] = np.flatnonzero(~result.success).tolist()
    if not failed:
        return []
    simulator = begin_sessions([seeds[number] for number in failed], catalogue, settings)
    worlds, text = simulator.worlds.copy(), simulator.grammar.vocabulary.text
    path = np.column_stack([worlds["agent_row"] * SIDE + worlds["agent_column"], result.path[failed]])
    misled, attention = _attend_again(responder, simulator, path, near=name == "nav_bw_obj")
    causes = np.select([misled, *_judge_paths(worlds, path)], list(CAUSES)[:-1], "other")
    return [
        FailedSession(
            cause=str(causes[number]),
            command_type=name,
            seed=seeds[session],
            command=text(simulator.sessions["command"][number]),
            grid=worlds["grid"][number],
            cells=tuple(divmod(cell, SIDE) for cell in path[number].tolist()),
            target=(int(worlds["target_row"][number]), int(worlds["target_column"][number])),
            shortest=int(result.shortest[session]),
            attention=None if attention is None else attention[number].reshape(VIEW, VIEW),
        )
        for number, session in enumerate(failed)
    ]


def _attend_again(
    responder: Any, simulator: Simulator, path: Cells, near: bool
) -> tuple[NDArray[np.bool_], Maps | None]:
    """(sessions,) Whether most steps attended to a wrong place, and the maps of the last step.

    The agent is put on the cells of its path, so that no rounding in another batch leads it elsewhere.
    """
    misses, maps = np.zeros(len(path), np.int64), None
    for cells in path.T[:-1]:
        worlds = _put(simulator.worlds, cells)
        simulator.set_state(worlds, simulator.sessions)
        maps = responder.attend(simulator) if hasattr(responder, "attend") else None
        if maps is None:
            break
        misses += _distance_to_target(maps, worlds) > near
    return 2 * misses > path.shape[1] - 1, maps


def _distance_to_target(maps: Maps, worlds: NDArray[np.void]) -> NDArray[np.int64]:
    """(worlds,) The steps from the cell with the most attention to the target, if nothing were in the way."""
    row, column = np.divmod(maps.argmax(axis=1), VIEW)  # of the view, with the agent in the center
    down = worlds["target_row"] - worlds["agent_row"] + VIEW // 2 - row
    right = worlds["target_column"] - worlds["agent_column"] + VIEW // 2 - column
    return np.array(abs(down) + abs(right))


def _judge_paths(worlds: NDArray[np.void], path: Cells) -> tuple[NDArray[np.bool_], ...]:
    """(sessions,) Which hit a wrong object, went back and forth, and came nearer in the last third of their steps."""
    late = path.shape[1] - (path.shape[1] - 1) // 3
    tiles = np.take_along_axis(worlds["grid"].reshape(-1, CELLS), path, axis=1)
    stuck = [set(cells[late:]) <= set(cells[:late]) for cells in path.tolist()]
    then, now = (path_lengths(_put(worlds, path[:, place])) for place in (late - 1, -1))
    hit = np.any(tiles >= FIRST_OBJECT, axis=1)  # never the target, which would have ended the session
    return np.array(hit), np.array(stuck), now < then


def _put(worlds: NDArray[np.void], cells: NDArray[np.int64]) -> NDArray[np.void]:
    """Worlds with their agents on these cells."""
    moved = worlds.copy()
    moved["agent_row"], moved["agent_column"] = np.divmod(cells, SIDE)
    return moved

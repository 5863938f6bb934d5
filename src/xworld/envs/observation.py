"""What an environment hands to its agent: the spaces, and observations and infos made from a simulator's arrays."""

from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from gymnasium import Space, spaces
from numpy.typing import NDArray

from xworld.teacher.settings import COMMAND_NAMES, QUESTION_NAMES
from xworld.teacher.simulator import Simulator
from xworld.teacher.vocabulary import SENTENCE_LENGTH
from xworld.world.cells import VIEW
from xworld.world.view import CELL_PIXELS, VIEW_PIXELS, paint

ObservationKind: TypeAlias = Literal["pixels", "tiles"]
Observation: TypeAlias = dict[str, Any]

_LEAST_PICTURES = 8
"""Fewer pictures than this are not worth a thread of their own."""


def observation_space(simulator: Simulator, kind: str) -> Space[Observation]:
    """The space of one world's observations: what is seen, the command, and the question."""
    if kind not in get_args(ObservationKind):
        raise ValueError(f"observation={kind!r}: expected 'pixels' or 'tiles'")
    words = [len(simulator.grammar.vocabulary) + 1] * SENTENCE_LENGTH
    seen = (
        spaces.Box(0, 255, (VIEW_PIXELS, VIEW_PIXELS, 3), np.uint8)
        if kind == "pixels"
        else spaces.Box(0, simulator.grammar.catalogue.tiles - 1, (VIEW, VIEW), np.int16)
    )
    return spaces.Dict(
        {
            kind: seen,
            "command": spaces.MultiDiscrete(words, dtype=np.int16),
            "question": spaces.MultiDiscrete(words, dtype=np.int16),
        }
    )


class Observer:
    """Turns what a simulator shows and says into observations. They are arrays that later steps leave alone."""

    def __init__(self, simulator: Simulator, kind: str) -> None:
        self.space = observation_space(simulator, kind)
        self._simulator = simulator
        self._kind = kind
        if kind == "pixels":
            atlas = simulator.grammar.catalogue.atlas(CELL_PIXELS)
            self._atlas = atlas.reshape(len(atlas), CELL_PIXELS, -1).view(np.uint32)

    def observe(self) -> Observation:
        """The observations of all worlds, stacked."""
        return self._make(self._simulator.tiles, self._simulator.commands, self._simulator.questions)

    def observe_final(self, done: NDArray[np.bool_]) -> NDArray[np.object_]:
        """(worlds,) The last observation of each session that ended in this step, and None elsewhere."""
        final = np.full(len(done), None, dtype=object)
        places = np.flatnonzero(done)
        lessons = self._simulator.final_sessions
        stacked = self._make(
            self._simulator.final_tiles[places], lessons["command"][places], lessons["question"][places]
        )
        final[places] = [dict(zip(stacked, parts, strict=True)) for parts in zip(*stacked.values(), strict=True)]
        return final

    def _make(self, tiles: NDArray[np.int16], commands: NDArray[np.int16], questions: NDArray[np.int16]) -> Observation:
        seen = self._draw(tiles) if self._kind == "pixels" else tiles
        return {self._kind: seen, "command": commands, "question": questions}

    def _draw(self, tiles: NDArray[np.int16]) -> NDArray[np.uint8]:
        pixels = np.empty((len(tiles), VIEW_PIXELS, VIEW_PIXELS, 3), np.uint8)
        words = pixels.reshape(len(tiles), VIEW, CELL_PIXELS, VIEW, -1).view(np.uint32)
        self._simulator.pool.share_out(
            lambda share: paint(tiles[share], self._atlas, words[share]), len(tiles), _LEAST_PICTURES
        )
        return pixels


def session_ids(lessons: NDArray[np.void]) -> dict[str, NDArray[np.int64]]:
    """What every info holds as numbers: types by their place among commands or questions, the answer as a word."""
    return {
        "command_type_id": lessons["command_type"].copy(),
        "question_type_id": lessons["question_type"].copy(),
        "answer_id": lessons["answer"].copy(),
    }


def final_numbers(lessons: NDArray[np.void], reached: NDArray[np.bool_]) -> dict[str, NDArray[Any]]:
    """What the info of a session's last step holds besides."""
    return {
        "is_success": reached.copy(),
        "session_return": lessons["earned"].copy(),
        "session_length": lessons["steps"].copy(),
    }


def session_words(simulator: Simulator, world: int) -> dict[str, str]:
    """The command, the question and its answer in words; empty where nothing is asked."""
    vocabulary, lesson = simulator.grammar.vocabulary, simulator.sessions[world]
    kind = int(lesson["question_type"])
    return {
        "command": vocabulary.text(lesson["command"]),
        "command_type": COMMAND_NAMES[lesson["command_type"]],
        "question": vocabulary.text(lesson["question"]),
        "question_type": QUESTION_NAMES[kind] if kind >= 0 else "",
        "answer": vocabulary.words[lesson["answer"]],
    }

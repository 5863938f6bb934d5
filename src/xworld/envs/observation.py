"""Observations and infos: their spaces, and their values from a simulator's arrays."""

from typing import Any, TypeAlias

import numpy as np
from gymnasium import Space, spaces
from numpy.typing import NDArray

from xworld.teacher.settings import COMMAND_NAMES, QUESTION_NAMES
from xworld.teacher.simulator import Simulator
from xworld.teacher.vocabulary import SENTENCE_LENGTH
from xworld.world.cells import VIEW
from xworld.world.checks import check_choice
from xworld.world.view import CELL_PIXELS, VIEW_PIXELS, paint

Observation: TypeAlias = dict[str, Any]

_MIN_SLICE = 8
"""Fewer pictures than this are not worth a thread of their own."""


class Observer:
    """Makes observations from a simulator's arrays. Later steps do not change them."""

    def __init__(self, simulator: Simulator, kind: str) -> None:
        check_choice("observation", kind, ("pixels", "tiles"))
        words = [len(simulator.grammar.vocabulary) + 1] * SENTENCE_LENGTH
        sentences = {name: spaces.MultiDiscrete(words, dtype=np.int16) for name in ("command", "question")}
        view: Space[Any] = spaces.Box(0, simulator.grammar.catalogue.tiles - 1, (VIEW, VIEW), np.int16)
        if kind == "pixels":
            view = spaces.Box(0, 255, (VIEW_PIXELS, VIEW_PIXELS, 3), np.uint8)
            atlas = simulator.grammar.catalogue.atlas(CELL_PIXELS)
            self._atlas = atlas.reshape(len(atlas), CELL_PIXELS, -1).view(np.uint32)
        self.space: Space[Observation] = spaces.Dict({kind: view, **sentences})
        self._simulator = simulator
        self._kind = kind

    def observe(self, worlds: NDArray[np.int64] | slice = slice(None)) -> Observation:
        """The observations of all worlds, or of some, stacked."""
        arrays = self._simulator.tiles, self._simulator.commands, self._simulator.questions
        return self._make(*(array[worlds] for array in arrays))

    def observe_final(self, done: NDArray[np.bool_]) -> NDArray[np.object_]:
        """(worlds,) The last observation of each session that ended in this step, and None elsewhere."""
        final, places = np.full(len(done), None, dtype=object), np.flatnonzero(done)
        sessions = self._simulator.final_sessions
        sentences = (sessions[name][places] for name in ("command", "question"))
        view, command, question = self._make(self._simulator.final_tiles[places], *sentences).values()
        kind = self._kind  # a literal for each session, because thousands end at a time
        final[places] = [
            {kind: v, "command": c, "question": q} for v, c, q in zip(view, command, question, strict=True)
        ]
        return final

    def _make(self, tiles: NDArray[np.int16], commands: NDArray[np.int16], questions: NDArray[np.int16]) -> Observation:
        view = self._draw(tiles) if self._kind == "pixels" else tiles
        return {self._kind: view, "command": commands, "question": questions}

    def _draw(self, tiles: NDArray[np.int16]) -> NDArray[np.uint8]:
        pixels = np.empty((len(tiles), VIEW_PIXELS, VIEW_PIXELS, 3), np.uint8)
        words = pixels.reshape(len(tiles), VIEW, CELL_PIXELS, VIEW, -1).view(np.uint32)
        self._simulator.pool.map_slices(
            lambda part: paint(tiles[part], self._atlas, words[part]), len(tiles), _MIN_SLICE
        )
        return pixels


def session_ids(sessions: NDArray[np.void]) -> dict[str, NDArray[np.int64]]:
    """The numbers in every info: indices into the types of commands and questions, and the answer's word number."""
    return {f"{name}_id": sessions[name].copy() for name in ("command_type", "question_type", "answer")}


def final_numbers(sessions: NDArray[np.void], success: NDArray[np.bool_]) -> dict[str, NDArray[Any]]:
    """The additional numbers in the info of a session's last step."""
    return {
        "is_success": success.copy(),
        "session_return": sessions["reward_sum"].copy(),
        "session_length": sessions["steps"].copy(),
    }


def session_words(simulator: Simulator, world: int) -> dict[str, str]:
    """The command, the question and its answer in words; empty where no question is asked."""
    vocabulary, session = simulator.grammar.vocabulary, simulator.sessions[world]
    question_type = int(session["question_type"])
    return {
        "command": vocabulary.text(session["command"]),
        "command_type": COMMAND_NAMES[session["command_type"]],
        "question": vocabulary.text(session["question"]),
        "question_type": QUESTION_NAMES[question_type] if question_type >= 0 else "",
        "answer": vocabulary.words[session["answer"]],
    }

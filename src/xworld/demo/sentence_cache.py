"""Sentences that were read already: on a walk the same command is heard at every step."""

from collections import OrderedDict
from threading import Lock

import numpy as np
import torch
from numpy.typing import NDArray

from xworld.agent.agent import Agent
from xworld.agent.thought import CompiledSentence, compile_sentence

MOST_SENTENCES = 1024
"""Sentences that are remembered; each takes some 25 kB."""


class Memory:
    """What an agent made of sentences, the longest unused forgotten first; its weights are not to change.

    >>> from xworld.training.pretrained import load_agent
    >>> memory = Memory(load_agent()[0])
    >>> sentence = np.array([13, 44, 41, 66, 2] + [0] * 7, np.int16)
    >>> memory.read(sentence) is memory.read(sentence)
    True
    """

    def __init__(self, agent: Agent, most: int = MOST_SENTENCES) -> None:
        self._agent, self._most = agent, most
        with torch.no_grad():
            self._lexicon = agent.words.lexicon()
        self._readings: OrderedDict[bytes, CompiledSentence] = OrderedDict()
        self._turn = Lock()

    def __len__(self) -> int:
        """How many sentences are remembered."""
        return len(self._readings)

    def read(self, sentence: NDArray[np.int16]) -> CompiledSentence:
        """What a sentence, (12,) word numbers, comes to."""
        key = sentence.tobytes()
        with self._turn:
            if key in self._readings:
                self._readings.move_to_end(key)
                return self._readings[key]
        reading = compile_sentence(self._agent, sentence, self._lexicon)
        with self._turn:
            self._readings[key] = reading
            while len(self._readings) > self._most:
                self._readings.popitem(last=False)
        return reading

"""Compiled sentences: on its way to a target, the agent hears the same command at every step."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
import torch

from xworld.agent.agent import Agent
from xworld.agent.thought import CompiledSentence, compile_sentence

CACHED_SENTENCES = 1024
"""Each takes some 25 kB."""


def cached_compiler(model: Agent, max_sentences: int = CACHED_SENTENCES) -> Callable[[bytes], CompiledSentence]:
    """Compiles sentences, given as the bytes of their word ids, and keeps the latest. The weights must not change.

    >>> from xworld.training.pretrained import load_agent
    >>> compile_cached = cached_compiler(load_agent()[0])
    >>> sentence = np.array([13, 44, 41, 66, 2] + [0] * 7, np.int16).tobytes()
    >>> compile_cached(sentence) is compile_cached(sentence)
    True
    """
    with torch.no_grad():
        lexicon = model.words.lexicon()

    @lru_cache(max_sentences)
    def compile_cached(sentence: bytes) -> CompiledSentence:
        return compile_sentence(model, np.frombuffer(sentence, np.int16).copy(), lexicon)

    return compile_cached

"""Compiled sentences: on its way to a target, the agent hears the same command at every step."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
import torch

from xworld.agent.agent import Agent
from xworld.agent.thought import CompiledSentence, compile_sentence


def cached_compiler(model: Agent, max_sentences: int) -> Callable[[bytes], CompiledSentence]:
    """Compiles sentences, given as the bytes of their word ids, and keeps the latest. The weights must not change."""
    with torch.no_grad():
        lexicon = model.words.lexicon()

    @lru_cache(max_sentences)
    def compile_cached(sentence: bytes) -> CompiledSentence:
        return compile_sentence(model, np.frombuffer(sentence, np.int16).copy(), lexicon)

    return compile_cached

"""The programmer: a sentence compiles to a program of three steps, and a program runs on a scene."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Self

import torch
from torch import Tensor, nn
from torch.nn import functional

from xworld.agent.gpu import fits_a_kernel
from xworld.agent.gru import read_sentences
from xworld.agent.model import select_rows
from xworld.agent.perception import SceneFeatures, tile_values
from xworld.agent.sizes import (
    CELLS,
    PROGRAM_STEPS,
    RNN_STATE,
    SYNTAX_EMBEDDING,
    VIEW,
    VISUAL_FEATURES,
)
from xworld.agent.word_embedding import Lexicon, WordEmbedding

_PERIOD = 20
"""The side of the Fourier transforms. The full convolution of two maps has side 25, of which the middle 13 are kept.
From 19 on, the wrap-around stays outside them; a transform of side 20 takes half the time of 19."""
_CENTER = slice(VIEW // 2, VIEW // 2 + VIEW)


@dataclass(frozen=True)
class Program:
    """Compiled sentences: all that does not depend on the scene."""

    queries: Tensor
    """(sentences, 3, 1024) The masked word embedding that each step grounds."""
    gate_logits: Tensor
    """(sentences, 3)"""
    word_logits: Tensor
    """(sentences, 3, length) Of word attention; 0 past the end of a sentence."""
    word_attention: Tensor
    """(sentences, 3, length)"""

    @classmethod
    def join(cls, parts: Sequence[Self]) -> Self:
        """All sentences of several programs."""
        return cls(*(torch.cat([getattr(part, field.name) for part in parts]) for field in fields(cls)))

    def select(self, sentences: Tensor) -> Self:
        """Some of the sentences, by their numbers."""
        return type(self)(*(getattr(self, field.name).index_select(0, sentences) for field in fields(self)))

    @property
    def gates(self) -> Tensor:
        """(sentences, 3) How much each step replaces the attention before it."""
        return self.gate_logits.sigmoid()

    def attend(self, scene: SceneFeatures, which: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """(scenes, 169) The map after the last step of `run`, and (scenes, 3, 169) the logits of all steps."""
        if not fits_a_kernel(self.queries):
            trace = self.run(scene, which)
            return trace.attention, trace.logits
        from xworld.agent.gpu.attention import run_in_one_kernel

        return run_in_one_kernel(*self._ground(scene, which), scene.tile_ids, scene.hidden)

    def run(self, scene: SceneFeatures, which: Tensor | None = None) -> "ProgramTrace":
        """Attend to scenes; `which` gives the sentence of each scene, by default the one with the same number."""
        tile_scores, cell_scores, gates = self._ground(scene, which)
        logits = tile_values(tile_scores, scene.tile_ids) + cell_scores  # (scenes, 3, 169)
        found = scene.attend(logits)
        start = found.new_zeros(len(found), CELLS)
        start[:, CELLS // 2] = 1.0  # all attention on the agent itself
        moved, kept = [], [start]
        for step in range(PROGRAM_STEPS):
            # The first step starts from the center: translating that by a map gives the map itself.
            moved.append(translate(kept[-1], found[:, step]) if step else found[:, 0])
            kept.append(torch.lerp(kept[-1], moved[-1], gates[:, step, None]))
        return ProgramTrace(logits, found, torch.stack(moved, 1), torch.stack(kept[1:], 1))

    def _ground(self, scene: SceneFeatures, which: Tensor | None) -> tuple[Tensor, Tensor, Tensor]:
        """For each scene, how well the words of each step fit every tile and every cell; and the gates."""
        queries = self.queries.flatten(0, 1)  # (sentences x 3, 1024), of which a product reads any columns
        scores = queries[:, :VISUAL_FEATURES] @ scene.visual.T, queries[:, VISUAL_FEATURES:] @ scene.spatial.T
        tile_scores, cell_scores = (rows.view(-1, PROGRAM_STEPS, rows.shape[1]) for rows in scores)
        return select_rows(tile_scores, which), select_rows(cell_scores, which), select_rows(self.gates, which)


@dataclass(frozen=True)
class ProgramTrace:
    """The attention maps of a program, step by step; each is (scenes, 3, 169)."""

    logits: Tensor
    """How well each cell fits the words of the step."""
    found: Tensor
    """Where the words of the step are grounded, a'': the softmax of that."""
    moved: Tensor
    """The attention before the step, translated by that, a."""
    kept: Tensor
    """The gated mixture of the translated attention and the attention before, a'."""

    @property
    def attention(self) -> Tensor:
        """(scenes, 169) The map after the last step."""
        # Unstated in the paper: whether the result is the last map before or after the gate. After it, so that a
        # short sentence can skip the last step.
        return self.kept[:, -1]


class Programmer(nn.Module):
    """Reads a sentence in both directions, then attends to its words in three steps."""

    def __init__(self, temperature: float) -> None:
        super().__init__()
        self.forward_rnn = nn.GRU(SYNTAX_EMBEDDING, RNN_STATE, batch_first=True)
        self.backward_rnn = nn.GRU(SYNTAX_EMBEDDING, RNN_STATE, batch_first=True)
        self.context = nn.Linear(2 * RNN_STATE, RNN_STATE)
        self.booting = nn.Linear(2 * RNN_STATE, RNN_STATE)
        self.attention_key = nn.Linear(RNN_STATE, RNN_STATE)
        self.programmer_rnn = nn.GRUCell(RNN_STATE, RNN_STATE)
        self.gate = nn.Linear(RNN_STATE, 1)
        self.temperature: Tensor
        self.register_buffer("temperature", torch.tensor(float(temperature)))

    def compile(self, sentences: Tensor, words: WordEmbedding, lexicon: Lexicon) -> Program:  # type: ignore[override]
        """Compile (sentences, length) word numbers with zeros at the end."""
        states, ends = read_sentences(self.forward_rnn, self.backward_rnn, lexicon.syntax, sentences)
        contexts = torch.tanh(self.context(states))  # (sentences, length, 128)
        word_logits, attention, gate_logits = self._attend_to_words(sentences, contexts, torch.tanh(self.booting(ends)))
        # Attention to positions as attention to the vocabulary: an average of embeddings is then a product with the
        # table, and no tensor has the size length x 1024.
        word_weights = attention.new_zeros(*attention.shape[:2], len(lexicon.embeddings))
        word_weights = word_weights.scatter_add(2, sentences.unsqueeze(1).expand_as(attention), attention)
        masks = words.mask(word_weights @ lexicon.functionality)
        queries = masks * (word_weights @ lexicon.embeddings)
        return Program(queries, gate_logits, word_logits, attention)

    def _attend_to_words(self, sentences: Tensor, contexts: Tensor, state: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """For each step the logits of attention to words, the attention, and the logit of the gate."""
        keys = functional.normalize(torch.tanh(self.attention_key(contexts)), dim=2)  # (sentences, length, 128)
        if fits_a_kernel(keys):
            from xworld.agent.gpu.word_attention import attend_to_words

            cell, gate = self.programmer_rnn, self.gate
            return attend_to_words(sentences, contexts, keys, state, cell, gate, self.temperature, PROGRAM_STEPS)
        return self._attend_step_by_step(sentences, contexts, keys, state)

    def _attend_step_by_step(
        self, sentences: Tensor, contexts: Tensor, keys: Tensor, state: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        padding = sentences == 0
        logits, attentions, gate_logits = list[Tensor](), list[Tensor](), list[Tensor]()
        for step in range(PROGRAM_STEPS):
            if step:
                attended_context = (attentions[-1].unsqueeze(1) @ contexts).squeeze(1)  # (sentences, 128)
                state = self.programmer_rnn(attended_context, state)
            cosines = (keys @ functional.normalize(state, dim=1).unsqueeze(2)).squeeze(2)
            logits.append((cosines * self.temperature).masked_fill(padding, 0.0))
            attentions.append(logits[-1].masked_fill(padding, torch.finfo(cosines.dtype).min).softmax(dim=1))
            gate_logits.append(self.gate(state).squeeze(1))
        return torch.stack(logits, dim=1), torch.stack(attentions, dim=1), torch.stack(gate_logits, dim=1)


def translate(attention: Tensor, offsets: Tensor) -> Tensor:
    """Translate attention by a map of offsets from the center: the convolution of the two, cropped to the view."""
    first, second = (torch.fft.rfft2(maps.view(-1, VIEW, VIEW), s=(_PERIOD, _PERIOD)) for maps in (attention, offsets))
    full: Tensor = torch.fft.irfft2(first * second, s=(_PERIOD, _PERIOD))
    return full[:, _CENTER, _CENTER].flatten(1)

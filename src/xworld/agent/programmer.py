"""The programmer: a sentence compiles to a program of three steps, and a program runs on a scene."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from xworld.agent.gru import gru_states, states_at
from xworld.agent.model import select_rows
from xworld.agent.perception import SceneFeatures, tile_values
from xworld.agent.sizes import CELLS, PROGRAM_STEPS, RNN_STATE, SYNTAX_EMBEDDING, VIEW, VISUAL_FEATURES
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

    @property
    def gates(self) -> Tensor:
        """(sentences, 3) How much each step replaces the attention before it."""
        return self.gate_logits.sigmoid()

    @property
    def sharpness(self) -> Tensor:
        """(sentences,) The mean squared gate logit, plus the mean squared logit of word attention."""
        return self.gate_logits.square().mean(dim=1) + self.word_logits.square().mean(dim=(1, 2))

    def run(self, scene: SceneFeatures, which: Tensor | None = None) -> "ProgramTrace":
        """Attend to scenes; `which` gives the sentence of each scene, by default the one with the same number."""
        tile_scores = self.queries[..., :VISUAL_FEATURES] @ scene.visual.T  # (sentences, 3, tiles)
        cell_scores = self.queries[..., VISUAL_FEATURES:] @ scene.spatial.T  # (sentences, 3, 169)
        tile_scores, cell_scores, gates = (select_rows(rows, which) for rows in (tile_scores, cell_scores, self.gates))
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
        contexts, state = self._encode(sentences, lexicon)
        keys = functional.normalize(torch.tanh(self.attention_key(contexts)), dim=2)  # (sentences, length, 128)
        padding = sentences == 0
        attentions, word_logits, gate_logits = [], [], []
        for _ in range(PROGRAM_STEPS):
            cosines = (keys @ functional.normalize(state, dim=1).unsqueeze(2)).squeeze(2)
            word_logits.append((cosines * self.temperature).masked_fill(padding, 0.0))
            attentions.append(word_logits[-1].masked_fill(padding, torch.finfo(cosines.dtype).min).softmax(dim=1))
            gate_logits.append(self.gate(state).squeeze(1))
            attended_context = (attentions[-1].unsqueeze(1) @ contexts).squeeze(1)  # (sentences, 128)
            state = self.programmer_rnn(attended_context, state)
        attention = torch.stack(attentions, dim=1)  # (sentences, 3, length)
        # Attention to positions as attention to the vocabulary: an average of embeddings is then a product with the
        # table, and no tensor has the size length x 1024.
        word_weights = attention.new_zeros(*attention.shape[:2], len(lexicon.embeddings))
        word_weights = word_weights.scatter_add(2, sentences.unsqueeze(1).expand_as(attention), attention)
        masks = words.mask(word_weights @ lexicon.functionality)
        queries = masks * (word_weights @ lexicon.embeddings)
        return Program(queries, torch.stack(gate_logits, dim=1), torch.stack(word_logits, dim=1), attention)

    def _encode(self, sentences: Tensor, lexicon: Lexicon) -> tuple[Tensor, Tensor]:
        """The context of every word, (sentences, length, 128), and the programmer's first state."""
        spoken = sentences != 0
        last = spoken.sum(dim=1, keepdim=True).clamp(min=1) - 1
        positions = torch.arange(sentences.shape[1], device=sentences.device)
        mirrored = (last - positions).clamp(min=0)  # (sentences, length) positions counted from the last word
        grus = self.forward_rnn, self.backward_rnn
        ahead, back = gru_states(grus, lexicon.syntax, [sentences, sentences.gather(1, mirrored) * spoken])
        ends = torch.cat([states_at(last, ahead), states_at(last, back)], dim=2).squeeze(1)
        contexts = torch.tanh(self.context(torch.cat([ahead, states_at(mirrored, back)], dim=2)))
        return contexts, torch.tanh(self.booting(ends))


def translate(attention: Tensor, offsets: Tensor) -> Tensor:
    """Translate attention by a map of offsets from the center: the convolution of the two, cropped to the view."""
    first, second = (torch.fft.rfft2(maps.view(-1, VIEW, VIEW), s=(_PERIOD, _PERIOD)) for maps in (attention, offsets))
    full: Tensor = torch.fft.irfft2(first * second, s=(_PERIOD, _PERIOD))
    return full[:, _CENTER, _CENTER].flatten(1)

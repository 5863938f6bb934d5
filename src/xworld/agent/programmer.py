"""The programmer: a sentence compiles to a program, and a program runs on a scene.

Word attention, masks and gates depend on the sentence alone. A program is what they come to: for each of three steps a
masked word embedding, which is the filter to ground, and a gate.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from xworld.agent.gru import read, states_at
from xworld.agent.perception import SceneFeatures, spread
from xworld.agent.sizes import CELLS, PROGRAM_STEPS, RNN_STATE, SYNTAX_EMBEDDING, VIEW, VISUAL_FEATURES
from xworld.agent.word_embedding import Lexicon, WordEmbedding

_PERIOD = 20
"""The side of the Fourier transforms. The full convolution of two maps has 25, of which the middle 13 are kept: from 19
on, what wraps around stays outside them, and of 20 a transform takes half the time."""
_CENTER = slice(VIEW // 2, VIEW // 2 + VIEW)


@dataclass(frozen=True)
class Program:
    """Compiled sentences."""

    queries: Tensor
    """(sentences, 3, 1024) The masked embedding that each step grounds."""
    gate_logits: Tensor
    """(sentences, 3) What the gates are made of."""
    word_attention: Tensor
    """(sentences, 3, length)"""
    masks: Tensor
    """(sentences, 3, 1024)"""

    @property
    def gates(self) -> Tensor:
        """(sentences, 3) How much each step replaces what was attended before."""
        return self.gate_logits.sigmoid()

    def run(self, scene: SceneFeatures, which: Tensor | None = None) -> "ProgramTrace":
        """Attend to scenes; `which` names the sentence of each scene, by default they go in pairs."""
        of_tiles = self.queries[..., :VISUAL_FEATURES] @ scene.visual.T  # (sentences, 3, tiles)
        of_places = self.queries[..., VISUAL_FEATURES:] @ scene.spatial.T  # (sentences, 3, 169)
        gates = self.gates
        if which is not None:
            of_tiles, of_places, gates = (each.index_select(0, which) for each in (of_tiles, of_places, gates))
        found = (spread(of_tiles, scene.tile_ids) + of_places).softmax(dim=2)  # (scenes, 3, 169)
        moved, kept = [], [center_map(scene)]
        for step in range(PROGRAM_STEPS):
            # From the center, to move by the first map is to come to that map itself.
            moved.append(translate(kept[-1], found[:, step]) if step else found[:, 0])
            kept.append(torch.lerp(kept[-1], moved[-1], gates[:, step, None]))
        return ProgramTrace(found, torch.stack(moved, 1), torch.stack(kept[1:], 1))


@dataclass(frozen=True)
class ProgramTrace:
    """What a program attended to, step by step; all maps are (scenes, 3, 169)."""

    found: Tensor
    """Where the words of the step are grounded, a''."""
    moved: Tensor
    """The attention so far, translated by that, a."""
    kept: Tensor
    """What the forget gate keeps, a'. The last one is the outcome."""

    @property
    def attention(self) -> Tensor:
        """(scenes, 169) The outcome."""
        # Unstated in the paper: whether the outcome is the last map before or after the gate. After it, so that a
        # short sentence can leave the last step out.
        return self.kept[:, -1]


class Programmer(nn.Module):
    """Reads a sentence both ways, then goes over it in three steps of word attention."""

    def __init__(self, temperature: float = 1.0) -> None:
        super().__init__()
        self.forward_rnn = nn.GRU(SYNTAX_EMBEDDING, RNN_STATE, batch_first=True)
        self.backward_rnn = nn.GRU(SYNTAX_EMBEDDING, RNN_STATE, batch_first=True)
        self.context = nn.Linear(2 * RNN_STATE, RNN_STATE)
        self.booting = nn.Linear(2 * RNN_STATE, RNN_STATE)
        self.attention_key = nn.Linear(RNN_STATE, RNN_STATE)
        self.programmer_rnn = nn.GRUCell(RNN_STATE, RNN_STATE)
        self.gate = nn.Linear(RNN_STATE, 1)
        self.log_temperature = nn.Parameter(torch.tensor(float(temperature)).log())

    def compile(self, sentences: Tensor, words: WordEmbedding, lexicon: Lexicon) -> Program:  # type: ignore[override]
        """Compile sentences, (sentences, length) word numbers with zeros at the end."""
        contexts, state = self._read(sentences, lexicon)
        keys = functional.normalize(torch.tanh(self.attention_key(contexts)), dim=2)  # (sentences, length, 128)
        silent = sentences == 0
        attentions, gate_logits = [], []
        for _ in range(PROGRAM_STEPS):
            cosines = (keys @ functional.normalize(state, dim=1).unsqueeze(2)).squeeze(2)
            scores = (cosines * self.log_temperature.exp()).masked_fill(silent, torch.finfo(cosines.dtype).min)
            attentions.append(scores.softmax(dim=1))
            gate_logits.append(self.gate(state).squeeze(1))
            state = self.programmer_rnn(_average(attentions[-1], contexts), state)
        attention = torch.stack(attentions, dim=1)  # (sentences, 3, length)
        spoken = attend_words(attention, sentences, len(lexicon.embeddings))
        masks = words.mask(spoken @ lexicon.functionality)
        queries = masks * (spoken @ lexicon.embeddings)
        return Program(queries, torch.stack(gate_logits, dim=1), attention, masks)

    def _read(self, sentences: Tensor, lexicon: Lexicon) -> tuple[Tensor, Tensor]:
        """The context of every word, (sentences, length, 128), and the programmer's first state."""
        spoken = sentences != 0
        last = spoken.sum(dim=1, keepdim=True).clamp(min=1) - 1
        places = torch.arange(sentences.shape[1], device=sentences.device)
        mirrored = (last - places).clamp(min=0)  # (sentences, length) the same, from the last word on
        readers = self.forward_rnn, self.backward_rnn
        ahead, back = read(readers, lexicon.syntax, [sentences, sentences.gather(1, mirrored) * spoken])
        ends = torch.cat([states_at(last, ahead), states_at(last, back)], dim=2).squeeze(1)
        contexts = torch.tanh(self.context(torch.cat([ahead, states_at(mirrored, back)], dim=2)))
        return contexts, torch.tanh(self.booting(ends))


def attend_words(attention: Tensor, sentences: Tensor, words: int) -> Tensor:
    """(sentences, 3, words) Attention to places of a sentence as attention to words.

    An average of word embeddings is then a product with the table: nothing of the size length x 1024 is made.
    """
    places = sentences.unsqueeze(1).expand_as(attention)
    return attention.new_zeros(*attention.shape[:2], words).scatter_add(2, places, attention)


def translate(attention: Tensor, offsets: Tensor) -> Tensor:
    """Move attention by a map of offsets from the center: the convolution of the two, cut to the view."""
    first, second = (torch.fft.rfft2(maps.view(-1, VIEW, VIEW), s=(_PERIOD, _PERIOD)) for maps in (attention, offsets))
    full: Tensor = torch.fft.irfft2(first * second, s=(_PERIOD, _PERIOD))
    return full[:, _CENTER, _CENTER].flatten(1)


def center_map(scene: SceneFeatures) -> Tensor:
    """(scenes, 169) All attention on the agent itself."""
    attention = scene.visual.new_zeros(len(scene.tile_ids), CELLS)
    attention[:, CELLS // 2] = 1.0
    return attention


def _average(weights: Tensor, vectors: Tensor) -> Tensor:
    """(sentences, size) Vectors of words averaged by attention."""
    return (weights.unsqueeze(1) @ vectors).squeeze(1)

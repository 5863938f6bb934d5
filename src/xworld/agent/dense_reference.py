"""The dense reference: an agent's weights in the network as the paper writes it down, on whole images.

Every scene has a feature map of 1024 x 169 of its own, every word of every sentence is projected by itself, and a map
is translated by a convolution with the rotated other one. Slow; tests compare the fast agent with it.
"""

import torch
from torch import Tensor
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from xworld.agent.agent import Agent
from xworld.agent.sizes import CELLS, PROGRAM_STEPS, VIEW


class DenseReference:
    """Acts and answers like the agent, from (scenes, 156, 156, 3) pixels."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent

    def act(self, pixels: Tensor, commands: Tensor) -> tuple[Tensor, Tensor]:
        """(scenes, 4) action logits and (scenes,) values."""
        visual, features = self._feature_map(pixels)
        attention = self._attend(features, commands.long())
        environment = self.agent.perception.environment_filter(visual.transpose(1, 2)).squeeze(2)
        logits, values = self.agent.action(attention, environment)
        return logits, values

    def answer(self, pixels: Tensor, questions: Tensor) -> Tensor:
        """(scenes, words) Scores of answers."""
        questions = questions.long()
        _, features = self._feature_map(pixels)
        attended = (features @ self._attend(features, questions).unsqueeze(2)).squeeze(2)  # F a
        functionality = self.agent.words.functionality(self.agent.words.embeddings[questions])
        packed = _pack(functionality, questions)
        _, last = self.agent.recognition.intention_rnn(packed)
        masked = self.agent.words.mask(last[0]) * attended
        scores = masked @ self.agent.words.embeddings.T
        return torch.cat([torch.full_like(scores[:, :1], -torch.inf), scores[:, 1:]], dim=1)

    def _feature_map(self, pixels: Tensor) -> tuple[Tensor, Tensor]:
        """(scenes, 512, 169) visual features, and (scenes, 1024, 169) those with the spatial features below."""
        visual = self.agent.perception.image_features(pixels).flatten(2)
        spatial = self.agent.perception.spatial_map.T.expand(len(pixels), -1, -1)
        return visual, torch.cat([visual, spatial], dim=1)

    def _attend(self, features: Tensor, sentences: Tensor) -> Tensor:
        """(scenes, 169) The programmer's last attention map."""
        programmer, words = self.agent.programmer, self.agent.words
        embeddings = words.embeddings[sentences]  # (sentences, length, 1024)
        functionality = words.functionality(embeddings)
        contexts, state = self._encode(words.syntax(embeddings), sentences)
        kept, padding = features.new_zeros(len(sentences), CELLS), sentences == 0
        kept[:, CELLS // 2] = 1.0
        for _ in range(PROGRAM_STEPS):
            keys = torch.tanh(programmer.attention_key(contexts))
            cosines = functional.cosine_similarity(state.unsqueeze(1), keys, dim=2, eps=1e-12)
            scores = (cosines * programmer.log_temperature.exp()).masked_fill(padding, torch.finfo(cosines.dtype).min)
            attention = scores.softmax(dim=1).unsqueeze(1)  # (sentences, 1, length)
            query = words.mask((attention @ functionality).squeeze(1)) * (attention @ embeddings).squeeze(1)
            found = (query.unsqueeze(1) @ features).squeeze(1).softmax(dim=1)
            gate = torch.sigmoid(programmer.gate(state))
            kept = (1 - gate) * kept + gate * _convolve(found, kept)
            state = programmer.programmer_rnn((attention @ contexts).squeeze(1), state)
        return kept

    def _encode(self, syntax: Tensor, sentences: Tensor) -> tuple[Tensor, Tensor]:
        """Word contexts and the booting vector, from packed sequences read in both directions."""
        programmer = self.agent.programmer
        lengths = (sentences != 0).sum(dim=1)
        ahead, first = programmer.forward_rnn(_pack(syntax, sentences))
        back, last = programmer.backward_rnn(_pack(_reverse(syntax, lengths), sentences))
        total = syntax.shape[1]
        ahead, _ = pad_packed_sequence(ahead, batch_first=True, total_length=total)
        back, _ = pad_packed_sequence(back, batch_first=True, total_length=total)
        both = torch.cat([ahead, _reverse(back, lengths)], dim=2)
        booting = programmer.booting(torch.cat([first[0], last[0]], dim=1))
        return torch.tanh(programmer.context(both)), torch.tanh(booting)


def _pack(vectors: Tensor, sentences: Tensor) -> torch.nn.utils.rnn.PackedSequence:
    lengths = (sentences != 0).sum(dim=1).cpu()
    return pack_padded_sequence(vectors, lengths, batch_first=True, enforce_sorted=False)


def _reverse(vectors: Tensor, lengths: Tensor) -> Tensor:
    """Sequences from their last word to their first; padding stays at the end."""
    rows = zip(vectors, lengths.tolist(), strict=True)
    return torch.stack([torch.cat([row[:length].flip(0), row[length:]]) for row, length in rows])


def _convolve(found: Tensor, kept: Tensor) -> Tensor:
    """The attention so far, filtered with the rotated new map: a true convolution of the two."""
    scenes = len(found)
    filters = found.view(scenes, 1, VIEW, VIEW).flip(2, 3)  # one filter per scene
    maps = kept.view(1, scenes, VIEW, VIEW)  # (1, scenes, 13, 13)
    return functional.conv2d(maps, filters, padding=VIEW // 2, groups=scenes).squeeze(0).flatten(1)

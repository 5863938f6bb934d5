"""The dense reference: an agent's weights in the network as the paper writes it down, on whole images.

Every scene has a feature map of 1024 x 169 of its own, every word of every sentence is projected by itself, and a map
is translated by a convolution with the rotated other one. Slow; tests compare the fast agent with it.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional

from xworld.agent.agent import Agent
from xworld.agent.model import exclude_padding
from xworld.agent.sizes import CELLS, PROGRAM_STEPS, VIEW, VISUAL_FEATURES


class DenseReference:
    """Acts and answers like the agent, from (scenes, 156, 156, 3) pixels."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent

    def act(self, pixels: Tensor, commands: Tensor) -> tuple[Tensor, Tensor]:
        """(scenes, 4) action logits and (scenes,) values."""
        features = self._feature_map(pixels)
        visual = features[:, :VISUAL_FEATURES].transpose(1, 2)
        environment = self.agent.perception.environment_filter(visual).squeeze(2)
        logits, values = self.agent.action(self._attend(features, commands.long()), environment)
        return logits, values

    def answer(self, pixels: Tensor, questions: Tensor) -> Tensor:
        """(scenes, words) Scores of answers."""
        questions, features, words = questions.long(), self._feature_map(pixels), self.agent.words
        attended = (features @ self._attend(features, questions).unsqueeze(2)).squeeze(2)  # F a
        functionality = words.functionality(words.embeddings[questions])
        _, last = _read(self.agent.recognition.intention_rnn, functionality, (questions != 0).sum(dim=1))
        return exclude_padding((words.mask(last) * attended) @ words.embeddings.T)

    def _feature_map(self, pixels: Tensor) -> Tensor:
        """(scenes, 1024, 169) Visual features, with the spatial features below."""
        visual = self.agent.perception.image_features(pixels).flatten(2)
        return torch.cat([visual, self.agent.perception.spatial_map.T.expand(len(pixels), -1, -1)], dim=1)

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
            scores = (cosines * programmer.temperature).masked_fill(padding, torch.finfo(cosines.dtype).min)
            attention = scores.softmax(dim=1).unsqueeze(1)  # (sentences, 1, length)
            query = words.mask((attention @ functionality).squeeze(1)) * (attention @ embeddings).squeeze(1)
            found = (query.unsqueeze(1) @ features).squeeze(1).softmax(dim=1)
            gate = torch.sigmoid(programmer.gate(state))
            kept = (1 - gate) * kept + gate * _convolve(found, kept)
            state = programmer.programmer_rnn((attention @ contexts).squeeze(1), state)
        return kept

    def _encode(self, syntax: Tensor, sentences: Tensor) -> tuple[Tensor, Tensor]:
        """Word contexts and the booting vector, from sentences read in both directions."""
        programmer, lengths = self.agent.programmer, (sentences != 0).sum(dim=1)
        ahead, last = _read(programmer.forward_rnn, syntax, lengths)
        back, first = _read(programmer.backward_rnn, _reverse(syntax, lengths), lengths)
        contexts = torch.tanh(programmer.context(torch.cat([ahead, _reverse(back, lengths)], dim=2)))
        return contexts, torch.tanh(programmer.booting(torch.cat([last, first], dim=1)))


def _read(gru: nn.GRU, vectors: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
    """The states at all words of sentences, and those after the last words."""
    states, _ = gru(vectors)
    return states, states[torch.arange(len(lengths)), lengths - 1]


def _reverse(vectors: Tensor, lengths: Tensor) -> Tensor:
    """Sequences from their last word to their first; padding stays at the end."""
    rows = zip(vectors, lengths.tolist(), strict=True)
    return torch.stack([torch.cat([row[:length].flip(0), row[length:]]) for row, length in rows])


def _convolve(found: Tensor, kept: Tensor) -> Tensor:
    """The attention so far, filtered with the rotated new map: a true convolution of the two."""
    filters, maps = found.view(-1, 1, VIEW, VIEW).flip(2, 3), kept.view(1, -1, VIEW, VIEW)  # one filter per scene
    return functional.conv2d(maps, filters, padding=VIEW // 2, groups=len(found)).squeeze(0).flatten(1)

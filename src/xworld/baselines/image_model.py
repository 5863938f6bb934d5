"""What VIS-LSTM and Multimodal share: a network over the whole picture, and layers for walking and answering."""

from abc import abstractmethod
from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional

from xworld.agent.init import init_for_relu
from xworld.agent.model import Model, Response, rule_out_silence
from xworld.agent.perception import ATLAS_SCALE
from xworld.agent.sizes import ACTIONS, VIEW

SIZE = 1024
"""Of words, of the state that reads them, and of the image's embedding."""
HEAD = 512
_PICTURE_FEATURES = 128 * 16 * 16
_AT_A_TIME = 32
"""Pictures that a CPU takes at a time: memory for the maps of more would be asked of the system anew for each batch."""


class PictureNetwork(nn.Module):
    """From scenes to embeddings of their pictures."""

    def __init__(self) -> None:
        super().__init__()
        # Unstated in the paper: padding. None: it names the paddings of the action module, and none here.
        self.convolutions = nn.Sequential(
            nn.Conv2d(3, 64, 3, stride=2),  # 77 x 77
            nn.ReLU(inplace=True),
            nn.Conv2d(64, 64, 3, stride=2),  # 38 x 38
            nn.ReLU(inplace=True),
            nn.Conv2d(64, 128, 3, stride=2),  # 18 x 18
            nn.ReLU(inplace=True),
            nn.Conv2d(128, 128, 3),  # 16 x 16
            nn.ReLU(inplace=True),
            nn.Flatten(),
        )
        self.layers = nn.Sequential(
            nn.Linear(_PICTURE_FEATURES, SIZE), nn.ReLU(), nn.Linear(SIZE, SIZE), nn.ReLU(), nn.Linear(SIZE, SIZE)
        )
        init_for_relu(self)

    def forward(self, tile_ids: Tensor, atlas: Tensor) -> Tensor:
        """(scenes, 1024) of scenes, (scenes, 13, 13) tile ids; the last layer is not activated."""
        parts: Sequence[Tensor] = [tile_ids] if tile_ids.is_cuda else torch.split(tile_ids, _AT_A_TIME)
        colors = atlas.to(next(self.parameters()).dtype) / ATLAS_SCALE
        features = [self.convolutions(paint(part, colors)) for part in parts]
        embeddings: Tensor = self.layers(torch.cat(features))
        return embeddings


def paint(tile_ids: Tensor, atlas: Tensor) -> Tensor:
    """(scenes, 3, 156, 156) The pictures of scenes, (scenes, 13, 13) tile ids; in memory, channels come last."""
    tiles = functional.embedding(tile_ids.long(), atlas.flatten(1))  # (scenes, 13, 13, 12 x 12 x 3)
    pixels = tiles.view(-1, VIEW, VIEW, *atlas.shape[1:]).transpose(2, 3)
    side = VIEW * atlas.shape[1]
    return pixels.reshape(-1, side, side, atlas.shape[3]).permute(0, 3, 1, 2)


class WholePictureModel(Model):
    """A picture and a sentence become one vector; walking and answering differ only in the layers after it."""

    def __init__(self, words: int, atlas: Tensor) -> None:
        super().__init__(words, atlas)
        self.picture = PictureNetwork()
        self.words = nn.Embedding(words, SIZE)
        self.sentence_rnn = nn.GRU(SIZE, SIZE, batch_first=True)
        self.navigation, self.recognition = _head(), _head()
        self.policy = nn.Linear(HEAD, ACTIONS)
        self.value = nn.Linear(HEAD, 1)
        self.answers = nn.Linear(HEAD, words)

    @abstractmethod
    def understand(self, images: Tensor, which: Tensor, sentences: Tensor) -> Tensor:
        """(sentences, 1024) Sentences and (images, 1024) what they are about; `which` names the image of each."""

    def act(self, tiles: Tensor, commands: Tensor) -> tuple[Tensor, Tensor]:
        """(scenes, 4) action logits and (scenes,) values for commands about scenes."""
        return self._walk(self.understand(self._see(tiles), _count(tiles), commands.long()))

    def answer(self, tiles: Tensor, questions: Tensor) -> Tensor:
        """(scenes, words) The score of every word as the answer to questions about scenes."""
        return self._tell(self.understand(self._see(tiles), _count(tiles), questions.long()))

    def respond(
        self,
        tiles: Tensor,
        commands: Tensor,
        questions: Tensor,
        asked_about: Tensor | None = None,
        embedding_noise: Tensor | None = None,
    ) -> Response:
        """Act and answer; each picture is seen once. There is nothing to embedding_noise."""
        same, sentences = asked_about is None, torch.cat([commands, questions]).long()
        images = self._see(tiles if asked_about is None else torch.cat([tiles, asked_about]))
        which = _count(tiles).repeat(2) if same else _count(sentences)
        understood = self.understand(images, which, sentences)
        logits, values = self._walk(understood[: len(tiles)])
        return Response(logits, values, self._tell(understood[len(tiles) :]), attention=None, gate_logits=None)

    def _see(self, tiles: Tensor) -> Tensor:
        images: Tensor = self.picture(tiles, self.atlas)
        return images

    def _walk(self, understood: Tensor) -> tuple[Tensor, Tensor]:
        state = self.navigation(understood)
        return self.policy(state), self.value(state).squeeze(1)

    def _tell(self, understood: Tensor) -> Tensor:
        return rule_out_silence(self.answers(self.recognition(understood)))


def _head() -> nn.Sequential:
    sizes = SIZE, HEAD, HEAD, HEAD
    layers = ((nn.Linear(before, after), nn.ReLU()) for before, after in pairwise(sizes))
    head = nn.Sequential(*(part for layer in layers for part in layer))
    init_for_relu(head)
    return head


def _count(rows: Tensor) -> Tensor:
    return torch.arange(len(rows), device=rows.device)

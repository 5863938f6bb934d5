"""The common part of VIS-LSTM and Multimodal: a network over the whole image, and heads for actions and answers."""

from abc import abstractmethod

import torch
from torch import Tensor, nn
from torch.nn import functional

from xworld.agent.gpu import fits_a_kernel, half_precision
from xworld.agent.init import init_for_relu
from xworld.agent.model import Model, Response, exclude_padding
from xworld.agent.perception import ATLAS_SCALE
from xworld.agent.sizes import ACTIONS, VIEW

SIZE = 1024
"""Of word embeddings, of the GRU's state, and of image embeddings."""
HEAD = 512
_CPU_BATCH = 32
"""Images per pass on a CPU; larger passes reallocate activations at every call."""


class ImageNetwork(nn.Module):
    """From scenes to embeddings of their images."""

    def __init__(self) -> None:
        super().__init__()
        # Unstated in the paper: padding. None: the paper gives paddings for the action module, but not here.
        self.convolutions = nn.Sequential(
            _FirstConvolution(3, 64, 3, stride=2),  # 77 x 77
            _Convolution(64, 64, 3, stride=2),  # 38 x 38
            _Convolution(64, 128, 3, stride=2),  # 18 x 18
            _Convolution(128, 128, 3),  # 16 x 16
            nn.Flatten(),
        )
        self.layers = nn.Sequential(
            nn.Linear(128 * 16 * 16, SIZE), nn.ReLU(), nn.Linear(SIZE, SIZE), nn.ReLU(), nn.Linear(SIZE, SIZE)
        )
        init_for_relu(self)

    def forward(self, tile_ids: Tensor, atlas: Tensor) -> Tensor:
        """(scenes, 1024) embeddings of (scenes, 13, 13) tile ids; the last layer has no activation."""
        batch = len(tile_ids) if tile_ids.is_cuda else _CPU_BATCH
        dtype = next(self.parameters()).dtype
        blocks = _blocks(atlas.to(dtype) / ATLAS_SCALE)
        with half_precision(blocks):
            blocks = blocks.bfloat16() if fits_a_kernel(blocks) else blocks
            features = [self.convolutions(render(part, blocks)) for part in torch.split(tile_ids, batch)]
            embeddings: Tensor = self.layers(torch.cat(features))
        return embeddings.to(dtype)


class _Convolution(nn.Conv2d):
    """A convolution and a ReLU."""

    def forward(self, images: Tensor) -> Tensor:
        """Of images with channels last in memory."""
        return self._activate(functional.conv2d(images, self.weight, None, self.stride))

    def _activate(self, maps: Tensor) -> Tensor:
        assert self.bias is not None
        if not fits_a_kernel(self.bias):
            return maps.add_(self.bias[:, None, None]).relu_()
        from xworld.agent.gpu.bias_relu import add_bias_and_relu

        return add_bias_and_relu(maps, self.bias)


class _FirstConvolution(_Convolution):
    """A convolution over pixels with stride 2, computed as one over blocks of 2 x 2 pixels with stride 1.

    Processors multiply by many channels at a time, and pixels have three.
    """

    def forward(self, images: Tensor) -> Tensor:
        """Of images of `render`."""
        weight = functional.pad(self.weight, (0, 1, 0, 1)).view(self.out_channels, self.in_channels, 2, 2, 2, 2)
        weight = weight.permute(0, 3, 5, 1, 2, 4).flatten(1, 3)  # (64, 2 x 2 x 3, 2, 2)
        return self._activate(functional.conv2d(images, functional.pad(weight, (0, 0, 0, 0, 0, _UNUSED))))


_UNUSED = 4
"""Channels of zeros, so that there are 16."""


def _blocks(atlas: Tensor) -> Tensor:
    """(tiles, 6, 6, 16) The blocks of 2 x 2 pixels of each tile."""
    tiles, side, _, colors = atlas.shape
    blocks = atlas.view(tiles, side // 2, 2, side // 2, 2, colors).transpose(2, 3).flatten(3)
    return functional.pad(blocks, (0, _UNUSED))


def render(tile_ids: Tensor, blocks: Tensor) -> Tensor:
    """(scenes, 16, 78, 78) The images of scenes, (scenes, 13, 13) tile ids; in memory, channels come last."""
    tiles = functional.embedding(tile_ids.long(), blocks.flatten(1))  # (scenes, 13, 13, 6 x 6 x 16)
    images = tiles.view(-1, VIEW, VIEW, *blocks.shape[1:]).transpose(2, 3)
    side = VIEW * blocks.shape[1]
    return images.reshape(-1, side, side, blocks.shape[3]).permute(0, 3, 1, 2)


class ImageModel(Model):
    """Image and sentence become one vector, with one head for actions and one for answers."""

    def __init__(self, words: int, atlas: Tensor) -> None:
        super().__init__(words, atlas)
        self.image = ImageNetwork()
        self.words = nn.Embedding(words, SIZE)
        self.sentence_rnn = nn.GRU(SIZE, SIZE, batch_first=True)
        self.navigation, self.recognition = _head(), _head()
        self.policy = nn.Linear(HEAD, ACTIONS)
        self.value = nn.Linear(HEAD, 1)
        self.answers = nn.Linear(HEAD, words)

    @abstractmethod
    def embed(self, images: Tensor, which: Tensor, sentences: Tensor) -> Tensor:
        """(sentences, 1024) Joint embeddings; `which` gives the image of each sentence, of (images, 1024)."""

    def act(self, tiles: Tensor, commands: Tensor) -> tuple[Tensor, Tensor]:
        """(scenes, 4) action logits and (scenes,) values for commands about scenes."""
        return self._navigate(self._embed_pairs(tiles, commands))

    def answer(self, tiles: Tensor, questions: Tensor) -> Tensor:
        """(scenes, words) The score of every word as the answer to questions about scenes."""
        return self._recognize(self._embed_pairs(tiles, questions))

    def respond(
        self,
        tiles: Tensor,
        commands: Tensor,
        questions: Tensor,
        question_tiles: Tensor | None = None,
        embedding_noise: Tensor | None = None,
    ) -> Response:
        """Act and answer in one pass; each image is processed once. The noise is ignored."""
        scenes = tiles if question_tiles is None else torch.cat([tiles, question_tiles])
        embeddings, count = self._embed_pairs(scenes, torch.cat([commands, questions])), len(tiles)
        scores = self._recognize(embeddings[count:])
        return Response(*self._navigate(embeddings[:count]), scores)

    def _embed_pairs(self, tiles: Tensor, sentences: Tensor) -> Tensor:
        """Joint embeddings of scenes and as many sentences, or of scenes and twice as many sentences."""
        which = torch.arange(len(sentences), device=tiles.device) % len(tiles)
        return self.embed(self.image(tiles, self.atlas), which, sentences.long())

    def _navigate(self, embeddings: Tensor) -> tuple[Tensor, Tensor]:
        state = self.navigation(embeddings)
        return self.policy(state), self.value(state).squeeze(1)

    def _recognize(self, embeddings: Tensor) -> Tensor:
        return exclude_padding(self.answers(self.recognition(embeddings)))


def _head() -> nn.Sequential:
    head = nn.Sequential(
        nn.Linear(SIZE, HEAD), nn.ReLU(), nn.Linear(HEAD, HEAD), nn.ReLU(), nn.Linear(HEAD, HEAD), nn.ReLU()
    )
    init_for_relu(head)
    return head

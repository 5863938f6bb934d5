"""Attention is translated by short Fourier transforms."""

import torch

from xworld.agent.dense_reference import _convolve
from xworld.agent.programmer import translate
from xworld.agent.sizes import CELLS


def test_a_map_is_translated_by_the_convolution_with_the_other() -> None:
    attention, offsets = torch.rand(2, 5, CELLS, dtype=torch.float64)  # up to the edges, where it could wrap around
    torch.testing.assert_close(translate(attention, offsets), _convolve(offsets, attention))

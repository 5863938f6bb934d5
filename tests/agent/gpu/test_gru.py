"""One kernel reads whole sentences as PyTorch's GRU reads them word by word."""

import pytest
import torch
from torch import Tensor, nn

from kernels import DEVICE, HALF_PRECISION, LENGTH, WORDS, assert_close, assert_same_gradients, leaf, random_sentences
from xworld.agent.gpu.gru import read_in_one_kernel
from xworld.agent.gru import final_states, read_sentences

SIZE = 16


def make(grus: int) -> tuple[list[nn.GRU], Tensor]:
    torch.manual_seed(grus)
    return [nn.GRU(8, SIZE, batch_first=True).to(DEVICE) for _ in range(grus)], leaf(WORDS, 8)


@pytest.mark.parametrize("count", [3, 16, 37])
def test_two_grus_read_in_both_directions(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("xworld.agent.gru._fits_one_kernel", lambda *_: False)
    grus, table = make(2)
    sentences = random_sentences(count)
    spoken = ((sentences != 0) | (torch.arange(LENGTH, device=DEVICE) == 0)).unsqueeze(2)
    states, ends = read_in_one_kernel(grus, table, sentences)
    assert (states * ~spoken == 0).all()
    expected, expected_ends = read_sentences(grus[0], grus[1], table, sentences)
    found, wanted = (states, ends), (expected * spoken, expected_ends)
    assert_close(found, wanted, HALF_PRECISION)
    leaves = [table, *(weight for gru in grus for weight in gru.parameters())]
    assert_same_gradients(found, wanted, leaves, HALF_PRECISION)


def test_one_gru_reads_forward(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("xworld.agent.gru._fits_one_kernel", lambda *_: False)
    (gru,), table = make(1)
    sentences = random_sentences(20)
    _, ends = read_in_one_kernel([gru], table, sentences)
    expected = final_states(gru, table, sentences)
    assert_close([ends], [expected], HALF_PRECISION)
    assert_same_gradients([ends], [expected], [table, *gru.parameters()], HALF_PRECISION)


def test_without_gradients_nothing_is_kept_and_states_are_the_same() -> None:
    grus, table = make(2)
    sentences = random_sentences(5)
    with torch.no_grad():
        quick = read_in_one_kernel(grus, table, sentences)
    torch.testing.assert_close(quick, read_in_one_kernel(grus, table, sentences))
    assert not quick[0].requires_grad


def test_tiny_gradients_do_not_vanish_in_half_precision() -> None:
    (gru,), table = make(1)
    sentences = random_sentences(20)
    _, ends = read_in_one_kernel([gru], table, sentences)
    (tiny,) = torch.autograd.grad(1e-9 * ends.sum(), [table], retain_graph=True)
    (plain,) = torch.autograd.grad(ends.sum(), [table])
    assert_close([1e9 * tiny], [plain], 1e-4)

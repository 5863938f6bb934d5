"""Processing each prefix once gives the states and gradients of processing every sentence by itself."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn
from torch.nn import functional

from xworld.agent.cpu.prefixes import find_prefixes
from xworld.agent.gru import (
    _batched_states,
    _last_positions,
    final_states,
    prefix_states,
    read_sentences,
    states_at,
)

WORDS, LENGTH = 5, 4
DEVICES = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]
SENTENCES = st.lists(st.lists(st.integers(1, WORDS - 1), max_size=LENGTH), min_size=1, max_size=12).map(
    lambda rows: torch.tensor([row + [0] * (LENGTH - len(row)) for row in rows])
)


def gru_and_table() -> tuple[nn.GRU, Tensor]:
    torch.manual_seed(0)
    return nn.GRU(3, 6, batch_first=True).double(), torch.randn(WORDS, 3, dtype=torch.float64, requires_grad=True)


def spoken(sentences: Tensor) -> Tensor:
    """Where a state has a meaning: at every word, and at the first position of an empty sentence."""
    return (sentences != 0) | (torch.arange(LENGTH) == 0)


@settings(deadline=None)
@given(sentences=SENTENCES)
def test_states_and_gradients_are_those_of_each_sentence_by_itself(sentences: Tensor) -> None:
    gru, table = gru_and_table()
    weights = torch.randn(*sentences.shape, 6, dtype=torch.float64) * spoken(sentences).unsqueeze(2)
    together = prefix_states(gru, table, sentences)
    alone, _ = gru(functional.embedding(sentences, table))
    leaves = [table, *gru.parameters()]
    gradients = [torch.autograd.grad((states * weights).sum(), leaves) for states in (together, alone)]
    torch.testing.assert_close(together[spoken(sentences)], alone[spoken(sentences)])
    torch.testing.assert_close(*gradients)


@settings(deadline=None)
@given(sentences=SENTENCES)
def test_each_prefix_is_found_once(sentences: Tensor) -> None:
    last_words, _, _ = find_prefixes(sentences, WORDS)
    distinct = {
        tuple(row[: length + 1]) for row in sentences.tolist() for length in range(max(1, LENGTH - row.count(0)))
    }
    assert sum(len(words) for words in last_words) == len(distinct)


@pytest.mark.parametrize("word", [-1, WORDS])
def test_a_word_that_does_not_exist_is_refused(word: int) -> None:
    with pytest.raises(IndexError, match="expected 0 to 4"):
        find_prefixes(torch.tensor([[1, word]]), WORDS)


@pytest.mark.parametrize("device", DEVICES)
def test_a_gru_of_any_size_on_a_gpu(device: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if device == "cpu":  # PyTorch has the fused cell for GPUs only; what is tested is the chain of cells
        monkeypatch.setattr(torch.ops.aten, "_thnn_fused_gru_cell", fused_cell)
        monkeypatch.setattr(torch.ops.aten, "_thnn_fused_gru_cell_backward", fused_cell_backward)
    torch.manual_seed(0)
    gru = nn.GRU(3, 6, batch_first=True).double().to(device)
    table = torch.randn(WORDS, 3, dtype=torch.float64, device=device, requires_grad=True)
    sentences = torch.randint(1, WORDS, (7, LENGTH), device=device)
    states, expected = _batched_states(gru, table, sentences), gru(functional.embedding(sentences, table))[0]
    torch.testing.assert_close(states, expected)
    leaves, weights = [table, *gru.parameters()], torch.randn_like(expected)
    gradients = [torch.autograd.grad((found * weights).sum(), leaves) for found in (states, expected)]
    torch.testing.assert_close(*gradients)


@given(sentences=SENTENCES)
def test_one_gru_reads_forward_and_the_other_backward(sentences: Tensor) -> None:
    (forward, table), backward = gru_and_table(), nn.GRU(3, 6, batch_first=True).double()
    states, ends = read_sentences(forward, backward, table, sentences)
    for row, words in enumerate(sentences):
        spoken = words[: max(1, int((words != 0).sum()))]
        ahead, _ = forward(table[spoken])
        back, _ = backward(table[spoken.flip(0)])
        torch.testing.assert_close(states[row, : len(spoken)], torch.cat([ahead, back.flip(0)], dim=1))
        torch.testing.assert_close(ends[row], torch.cat([ahead[-1], back[-1]]))


def fused_cell(x: Tensor, p: Tensor, h: Tensor) -> tuple[Tensor, Tensor]:
    """The new state from the projected input and the projected state, and what `fused_cell_backward` needs."""
    size = h.shape[1]
    r, z = ((x + p)[:, : 2 * size]).sigmoid().chunk(2, dim=1)
    p_n = p[:, 2 * size :]
    n = (x[:, 2 * size :] + r * p_n).tanh()
    return (1 - z) * n + z * h, torch.cat([r, z, n, h, p_n], dim=1)


def fused_cell_backward(gradient: Tensor, workspace: Tensor, has_bias: bool) -> tuple[Tensor | None, ...]:
    """The gradients by projected input, projected state and state."""
    r, z, n, h, p_n = workspace.chunk(5, dim=1)
    by_n = gradient * (1 - z) * (1 - n.square())
    by_r, by_z = by_n * p_n * r * (1 - r), gradient * (h - n) * z * (1 - z)
    return torch.cat([by_r, by_z, by_n], dim=1), torch.cat([by_r, by_z, by_n * r], dim=1), gradient * z, None, None


@given(sentences=SENTENCES)
def test_the_state_after_the_last_word(sentences: Tensor) -> None:
    gru, table = gru_and_table()
    states, last = prefix_states(gru, table, sentences), _last_positions(sentences)
    assert torch.equal(states_at(last, states).squeeze(1), final_states(gru, table, sentences))
    assert last.flatten().tolist() == [max(1, LENGTH - row.count(0)) - 1 for row in sentences.tolist()]


def test_past_its_end_a_sentence_keeps_its_last_state() -> None:
    gru, table = gru_and_table()
    states = prefix_states(gru, table, torch.tensor([[1, 2, 0, 0], [1, 2, 3, 4]]))
    assert torch.equal(states[0, 2], states[0, 1])
    assert torch.equal(states[0, 3], states[0, 1])
    assert not torch.equal(states[1, 3], states[1, 1])

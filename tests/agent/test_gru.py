"""Processing each prefix once gives the states and gradients of processing every sentence by itself."""

import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn
from torch.nn import functional

from xworld.agent.gru import find_prefixes, prefix_states

WORDS, LENGTH = 5, 4
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


def test_past_its_end_a_sentence_keeps_its_last_state() -> None:
    gru, table = gru_and_table()
    states = prefix_states(gru, table, torch.tensor([[1, 2, 0, 0], [1, 2, 3, 4]]))
    assert torch.equal(states[0, 2], states[0, 1])
    assert torch.equal(states[0, 3], states[0, 1])
    assert not torch.equal(states[1, 3], states[1, 1])

"""Reading prefixes once comes to what reading every sentence by itself comes to."""

import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn
from torch.nn import functional

from xworld.agent.prefix_gru import find_prefixes, read_prefixes

WORDS, LENGTH = 5, 4
SENTENCES = st.lists(st.lists(st.integers(1, WORDS - 1), max_size=LENGTH), min_size=1, max_size=12).map(
    lambda rows: torch.tensor([row + [0] * (LENGTH - len(row)) for row in rows])
)


def reader_and_table() -> tuple[nn.GRU, Tensor]:
    torch.manual_seed(0)
    return nn.GRU(3, 6, batch_first=True).double(), torch.randn(WORDS, 3, dtype=torch.float64, requires_grad=True)


def spoken(sentences: Tensor) -> Tensor:
    """Where a state is a reading: at every word, and at the first place of a sentence that has none."""
    return (sentences != 0) | (torch.arange(LENGTH) == 0)


@settings(deadline=None)
@given(sentences=SENTENCES)
def test_states_and_gradients_are_those_of_reading_each_sentence(sentences: Tensor) -> None:
    reader, table = reader_and_table()
    weights = torch.randn(*sentences.shape, 6, dtype=torch.float64) * spoken(sentences).unsqueeze(2)
    together = read_prefixes(reader, table, sentences)
    alone, _ = reader(functional.embedding(sentences, table))
    leaves = [table, *reader.parameters()]
    gradients = [torch.autograd.grad((states * weights).sum(), leaves) for states in (together, alone)]
    torch.testing.assert_close(together[spoken(sentences)], alone[spoken(sentences)])
    torch.testing.assert_close(*gradients)


@settings(deadline=None)
@given(sentences=SENTENCES)
def test_each_beginning_is_there_once(sentences: Tensor) -> None:
    found = find_prefixes(sentences, WORDS)
    distinct = {
        tuple(row[: length + 1]) for row in sentences.tolist() for length in range(max(1, LENGTH - row.count(0)))
    }
    assert sum(len(words) for words in found.words) == len(distinct)


def test_past_its_end_a_sentence_stays_where_it_has_come_to() -> None:
    reader, table = reader_and_table()
    states = read_prefixes(reader, table, torch.tensor([[1, 2, 0, 0], [1, 2, 3, 4]]))
    assert torch.equal(states[0, 2], states[0, 1])
    assert torch.equal(states[0, 3], states[0, 1])
    assert not torch.equal(states[1, 3], states[1, 1])

"""One kernel attends to words in all steps as the programmer does step by step."""

import pytest
import torch
from torch.nn import functional

from kernels import DEVICE, HALF_PRECISION, LENGTH, assert_close, assert_same_gradients, leaf, random_sentences
from xworld.agent.gpu.word_attention import attend_to_words
from xworld.agent.programmer import Programmer
from xworld.agent.sizes import PROGRAM_STEPS, RNN_STATE


@pytest.mark.parametrize("count", [3, 19])
def test_it_attends_as_the_programmer_does(count: int) -> None:
    torch.manual_seed(count)
    programmer, sentences = Programmer(temperature=5.0).to(DEVICE), random_sentences(count)
    contexts, state = leaf(count, LENGTH, RNN_STATE), leaf(count, RNN_STATE)
    keys, same = (functional.normalize(torch.tanh(programmer.attention_key(contexts)), dim=2) for _ in range(2))
    cell, gate = programmer.programmer_rnn, programmer.gate
    found = attend_to_words(sentences, contexts, keys, state, cell, gate, programmer.temperature, PROGRAM_STEPS)
    expected = programmer._attend_step_by_step(sentences, contexts, same, state)
    assert_close(found, expected, HALF_PRECISION)
    leaves = [contexts, state, *programmer.attention_key.parameters(), *cell.parameters(), *gate.parameters()]
    assert_same_gradients(found, expected, leaves, HALF_PRECISION)

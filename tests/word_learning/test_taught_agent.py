"""An agent with one more word shares everything else with the original."""

import torch

from new_things import STRIPES
from xworld.teacher.simulator import Simulator
from xworld.training.pretrained import load_model
from xworld.word_learning.taught_agent import TaughtAgent, with_word
from xworld.world.catalogue import Catalogue


def test_only_the_embedding_table_is_new(catalogue: Catalogue) -> None:
    agent, _ = load_model()
    before = agent.words.embeddings.clone()
    extended = with_word(agent, torch.full((1024,), 3.0), catalogue.with_class("zebra", STRIPES))
    own = {
        name
        for (name, ours), theirs in zip(extended.named_parameters(), agent.parameters(), strict=True)
        if ours.data_ptr() != theirs.data_ptr()
    }
    assert own == {"words.embeddings"}
    assert torch.equal(extended.words.embeddings[:-1], before)
    assert torch.equal(agent.words.embeddings, before)
    assert len(extended.atlas) == len(agent.atlas) + 1
    assert all(weight.requires_grad for weight in agent.parameters())


def test_sentences_without_the_word_give_the_same(catalogue: Catalogue) -> None:
    agent, _ = load_model()
    wider = catalogue.with_class("zebra", STRIPES)
    extended = with_word(agent, torch.full((1024,), 3.0), wider)
    again = TaughtAgent(extended, wider, 0, 0.0, 0.0).base
    simulator = Simulator(200)
    simulator.reset(range(200))
    heard = [torch.from_numpy(array) for array in (simulator.tiles, simulator.commands, simulator.questions)]
    with torch.no_grad():
        ours, theirs, once_more = (each.respond(*heard) for each in (agent, extended, again))
    assert torch.allclose(ours.logits, theirs.logits, atol=1e-5)
    assert torch.allclose(ours.scores[:, 1:], theirs.scores[:, 1:-1], atol=1e-4)
    assert torch.equal(ours.scores, once_more.scores)

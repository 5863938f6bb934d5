"""The agent: independence of the rest of the batch, empty sentences, and reproducible gradients."""

import pytest
import torch
from torch import Tensor

from xworld.agent.agent import Agent
from xworld.agent.model import Model
from xworld.world.catalogue import Catalogue

COMMANDS = torch.tensor([[13, 44, 41, 66, 2], [13, 44, 41, 66, 2], [13, 44, 70, 0, 0], [9, 0, 0, 0, 0]])
QUESTIONS = torch.tensor([[20, 21, 22, 0, 0], [0, 0, 0, 0, 0], [20, 21, 23, 5, 6], [20, 21, 22, 0, 0]])


@pytest.fixture(scope="module")
def agent() -> Agent:
    torch.manual_seed(0)
    return Agent(words=105, atlas=torch.from_numpy(Catalogue.load().atlas()))


@pytest.fixture(scope="module")
def tiles(agent: Agent) -> Tensor:
    return torch.randint(len(agent.atlas), (4, 13, 13), generator=torch.Generator().manual_seed(0)).to(torch.int16)


def test_each_scene_by_itself_gives_the_same(agent: Agent, tiles: Tensor) -> None:
    together = agent.respond(tiles, COMMANDS, QUESTIONS)
    alone = [agent.respond(tiles[[i]], COMMANDS[[i]], QUESTIONS[[i]]) for i in range(len(tiles))]
    for whole, parts in zip(together[:3], zip(*(each[:3] for each in alone), strict=True), strict=True):
        torch.testing.assert_close(whole, torch.cat(parts), rtol=1e-4, atol=1e-5)


@torch.no_grad()
def test_sharpness_is_the_mean_square_of_all_logits_of_attention(agent: Agent, tiles: Tensor) -> None:
    """Of gates, of words up to the end of a sentence, and of cells, one sentence at a time."""
    for sentences in (COMMANDS, QUESTIONS):
        lexicon, total = agent.words.lexicon(), 0.0
        for tile_ids, sentence in zip(tiles, sentences, strict=True):
            program = agent.compile(sentence[None], lexicon)
            trace = program.run(agent.perceive(tile_ids[None]))
            for logits in (program.gate_logits, program.word_logits, trace.logits):
                total += float(logits.square().mean())
            length = int((sentence != 0).sum())
            assert not program.word_logits[..., length:].any()
            attention = program.word_logits[0, :, :length].softmax(dim=1)
            torch.testing.assert_close(program.word_attention[0, :, :length], attention if length else attention * 0)
        scores, sharpness = agent.study(tiles, sentences)
        assert sharpness.item() == pytest.approx(total / len(tiles), rel=1e-4)
        torch.testing.assert_close(scores, agent.answer(tiles, sentences), rtol=1e-4, atol=1e-5)


@torch.no_grad()
def test_the_temperature_multiplies_the_logits_of_words(tiles: Tensor) -> None:
    logits = []
    for temperature in (1.0, 5.0):
        torch.manual_seed(0)
        agent = Agent(105, torch.from_numpy(Catalogue.load().atlas()), temperature)
        assert "programmer.temperature" not in dict(agent.named_parameters())
        logits.append(agent.compile(COMMANDS[:1]).word_logits[:, 0])
    torch.testing.assert_close(logits[1], 5 * logits[0])


def test_one_pass_gives_what_acting_and_answering_give(agent: Agent, tiles: Tensor) -> None:
    policy, value, scores, *_ = agent.respond(tiles, COMMANDS, QUESTIONS)
    torch.testing.assert_close((policy, value), agent.act(tiles, COMMANDS), rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(scores, agent.answer(tiles, QUESTIONS), rtol=1e-4, atol=1e-5)


def test_empty_sentences_give_finite_gradients(agent: Agent, tiles: Tensor) -> None:
    nothing = torch.zeros_like(COMMANDS)
    agent.zero_grad()
    policy, value, scores, *_ = agent.respond(tiles, nothing, nothing)
    (policy.sum() + value.sum() + scores[:, 1:].sum()).backward()  # type: ignore[no-untyped-call]
    assert all(weight.grad is not None and weight.grad.isfinite().all() for weight in agent.parameters())


def test_gradients_are_reproducible_bit_for_bit(agent: Agent, tiles: Tensor) -> None:
    many = tiles.repeat(40, 1, 1), COMMANDS.repeat(40, 1), QUESTIONS.repeat(40, 1)  # so that equal ones add up
    gradients = []
    for _ in range(3):
        agent.zero_grad()
        policy, value, scores, *_ = agent.respond(*many)
        (policy.square().sum() + value.sum() + scores[:, 7].sum()).backward()  # type: ignore[no-untyped-call]
        gradients.append([weight.grad.clone() for weight in agent.parameters() if weight.grad is not None])
    for first, second, third in zip(*gradients, strict=True):
        assert torch.equal(first, second)
        assert torch.equal(first, third)


def test_a_model_must_act_answer_and_respond() -> None:
    assert Model.__abstractmethods__ == {"act", "answer", "respond"}

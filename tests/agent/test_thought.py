"""A thought holds what the agent computes for a sentence, step by step."""

import numpy as np
import pytest
import torch

from xworld.agent.agent import Agent
from xworld.agent.thought import Thought, compile_sentence, think
from xworld.teacher.grammar import Grammar
from xworld.teacher.simulator import Simulator
from xworld.training.pretrained import load_model


@pytest.fixture(scope="module")
def agent() -> Agent:
    return load_model()[0]


@pytest.fixture(scope="module")
def simulator() -> Simulator:
    simulator = Simulator(20)
    simulator.reset(range(20))
    return simulator


@pytest.fixture(scope="module")
def thought(agent: Agent, simulator: Simulator, grammar: Grammar) -> Thought:
    return think(agent, simulator.tiles[0], simulator.commands[0], grammar.vocabulary.words)


@torch.no_grad()
def test_a_thought_ends_in_what_the_agent_does(agent: Agent, simulator: Simulator, thought: Thought) -> None:
    tiles, commands = torch.from_numpy(simulator.tiles[:1]), torch.from_numpy(simulator.commands[:1])
    scene = agent.perceive(tiles)
    attention, _ = agent.attend(scene, commands, agent.words.lexicon())
    logits, values = agent.act(tiles, commands)
    np.testing.assert_array_equal(thought.attention.ravel(), attention[0].numpy())
    np.testing.assert_array_equal(thought.gates, agent.compile(commands).gates[0].numpy())
    np.testing.assert_array_equal(thought.environment.ravel(), scene.environment_map()[0].numpy())
    np.testing.assert_array_equal(thought.policy, logits[0].softmax(dim=0).numpy())
    assert thought.value == values.item()


@torch.no_grad()
def test_its_answers_are_the_most_likely_words(agent: Agent, simulator: Simulator, grammar: Grammar) -> None:
    asked = int(np.flatnonzero(simulator.questions.any(axis=1))[0])
    question, tiles = simulator.questions[asked], simulator.tiles[asked]
    thought = think(agent, tiles, question, grammar.vocabulary.words, answers=5)
    scores = agent.answer(torch.from_numpy(tiles[None]), torch.from_numpy(question[None]))[0].softmax(dim=0)
    words = [grammar.vocabulary.words[number] for number in scores.argsort(descending=True)[:5]]
    assert [word for word, _ in thought.answers] == words
    assert thought.answers[0][1] == scores.max().item()


def test_its_words_are_those_of_the_sentence(simulator: Simulator, thought: Thought) -> None:
    assert list(thought.words) == simulator.grammar.vocabulary.decode(simulator.commands[0])
    assert thought.word_attention.shape == (3, len(thought.words))
    np.testing.assert_allclose(thought.word_attention.sum(axis=1), 1, rtol=1e-5)
    np.testing.assert_allclose(thought.mean_word_attention.sum(), 1, rtol=1e-5)
    assert thought.found.shape == thought.moved.shape == thought.kept.shape == (3, 13, 13)


def test_a_sentence_may_be_compiled_before(agent: Agent, simulator: Simulator, thought: Thought) -> None:
    compiled = compile_sentence(agent, simulator.commands[0])
    again = think(agent, simulator.tiles[0], simulator.commands[0], simulator.grammar.vocabulary.words, 3, compiled)
    for name, value in vars(thought).items():
        np.testing.assert_array_equal(getattr(again, name), value)

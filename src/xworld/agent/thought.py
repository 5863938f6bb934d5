"""Thought: every step between one sentence and an action or an answer, for figures and the demo."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from xworld.agent.agent import Agent
from xworld.agent.model import best_actions
from xworld.agent.planner import Planner
from xworld.agent.programmer import Program
from xworld.agent.sizes import VIEW
from xworld.agent.word_embedding import Lexicon

Map = NDArray[np.float32]


@dataclass(frozen=True)
class CompiledSentence:
    """Everything that depends on the sentence alone, so that it can be cached while the scene changes."""

    program: Program
    intention: Tensor
    """(1, 1024) The features that the sentence asks about, if it is a question."""
    lexicon: Lexicon


@dataclass(frozen=True)
class Thought:
    """What the agent makes of a sentence about a scene; maps are (13, 13) with the agent in the center."""

    words: tuple[str, ...]
    word_attention: Map
    """(3, words) of each step."""
    gates: Map
    """(3,)"""
    found: Map
    """(3, 13, 13) Where the words of each step are grounded."""
    moved: Map
    """(3, 13, 13) The attention of the step before, translated by that."""
    kept: Map
    """(3, 13, 13) The gated mixture of the translated attention and the attention before."""
    environment: Map
    policy: Map
    """(4,) The probability of each action, if the sentence is a command."""
    action: int
    """The best one."""
    value: float
    plan: Map | None
    """(steps + 1, 13, 13) How much each cell appeals to a planner, step by step; None without a planner."""
    answers: tuple[tuple[str, float], ...]
    """The most likely words and their probabilities, if the sentence is a question."""

    @property
    def attention(self) -> Map:
        """(13, 13) The map after the last step."""
        return np.asarray(self.kept[-1])

    @property
    def mean_word_attention(self) -> Map:
        """(words,) The attention to each word, averaged over the steps with their gates as weights."""
        return np.asarray(self.gates @ self.word_attention / self.gates.sum())


@torch.no_grad()
def compile_sentence(agent: Agent, sentence: NDArray[np.int16], lexicon: Lexicon | None = None) -> CompiledSentence:
    """Compile one sentence, (length,) word numbers; the lexicon is the same for all sentences."""
    numbers, lexicon = torch.from_numpy(sentence[None]), lexicon or agent.words.lexicon()
    return CompiledSentence(agent.compile(numbers, lexicon), agent.intention(numbers, lexicon), lexicon)


@torch.no_grad()
def think(
    agent: Agent,
    view: NDArray[np.int16],
    sentence: NDArray[np.int16],
    vocabulary: Sequence[str],
    answers: int = 3,
    compiled: CompiledSentence | None = None,
) -> Thought:
    """What an agent makes of one sentence about one view, (13, 13) tile ids; `vocabulary` lists all words by number."""
    compiled = compiled or compile_sentence(agent, sentence)
    scene = agent.perceive(torch.from_numpy(view[None]))
    trace = compiled.program.run(scene)
    logits, value = agent.navigate(scene, trace.attention)
    scores = agent.recognize(scene, trace.attention, compiled.intention, compiled.lexicon)
    environment = scene.environment_map()
    plan = None
    if isinstance(agent.action, Planner):
        plan = agent.action.appeal(trace.attention, environment)[:, 0].view(-1, VIEW, VIEW).numpy()
    best = scores.softmax(dim=1)[0].topk(answers)
    words = tuple(vocabulary[number] for number in sentence.tolist() if number)
    found, moved, kept = (maps[0].view(-1, VIEW, VIEW).numpy() for maps in (trace.found, trace.moved, trace.kept))
    return Thought(
        words=words,
        word_attention=compiled.program.word_attention[0, :, : len(words)].numpy(),
        gates=compiled.program.gates[0].numpy(),
        found=found,
        moved=moved,
        kept=kept,
        environment=environment[0].view(VIEW, VIEW).numpy(),
        policy=logits.softmax(dim=1)[0].numpy(),
        action=int(best_actions(logits)),
        value=float(value[0]),
        plan=plan,
        answers=tuple(zip((vocabulary[number] for number in best.indices.tolist()), best.values.tolist(), strict=True)),
    )

"""Learning one word from answers: the one row of the embedding table that is its own.

Everything else in the agent is frozen, so what it makes of a question about a scene, up to the last product with the
embeddings, never changes: it is computed once. What is left to learn is a logistic regression.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor
from torch.nn import functional

from xworld.agent.agent import Agent
from xworld.agent.model import rule_out_silence
from xworld.teaching.questions import Asked

FREEDOM = 1e4
"""The variance granted to each number of the row around where it starts: a weak pull, so that the answers decide.

A strong one leaves a word that answers rightly and is too faint to be found by: with 100, four of ten commands such as
"go to the blue anchor" went astray among other blue things, and with 10,000 one of a hundred."""

_MOST_ITERATIONS = 100
_HISTORY = 20


@dataclass(frozen=True)
class Evidence:
    """What the frozen parts of an agent make of questions."""

    features: Tensor
    """(questions, 1024) What is attended, as far as the question is after it; the score of a word is its product."""
    scores: Tensor
    """(questions, words) The scores of all words before the new one."""
    answers: Tensor
    """(questions,) Word numbers; the new word's is the number of words before it."""

    @cached_property
    def meant(self) -> Tensor:
        """(questions,) Whether the new word is the answer."""
        return self.answers == self.scores.shape[1]

    @cached_property
    def others(self) -> Tensor:
        """(questions,) What the score of the new word is up against, all other words together."""
        return self.scores.logsumexp(dim=1)

    def loss(self, row: Tensor) -> Tensor:
        """The cross entropy of the right answers, less what does not depend on the row."""
        ahead = self.features @ row - self.others
        return functional.softplus(torch.where(self.meant, -ahead, ahead)).sum()

    def right(self, row: Tensor) -> float:
        """The share of the questions whose answer is the new word to which the agent, with this row, gives it."""
        scores = (self.features @ row)[self.meant]
        return float((scores > self.scores[self.meant].amax(dim=1)).float().mean())


@torch.no_grad()
def weigh(agent: Agent, asked: Asked) -> Evidence:
    """What an agent whose last word is to be learned makes of questions."""
    arrays = asked.tiles, asked.questions, asked.answers
    tiles, questions, answers = (torch.from_numpy(array).to(agent.atlas.device) for array in arrays)
    scene, lexicon = agent.perceive(tiles), agent.words.lexicon()
    features = agent.intend(questions, lexicon) * scene.gather_features(agent.attend(scene, questions, lexicon))
    return Evidence(features, rule_out_silence(features @ lexicon.embeddings[:-1].T), answers)


def join(parts: Sequence[Evidence]) -> Evidence:
    """All evidence as one."""
    return Evidence(*(torch.cat([getattr(part, name) for part in parts]) for name in ("features", "scores", "answers")))


def start_row(agent: Agent, objects: int) -> Tensor:
    """(1024,) Where a word starts: the mean of the last so many, which are the names of objects."""
    return agent.words.embeddings[-objects:].detach().mean(dim=0)


def learn_row(evidence: Evidence, start: Tensor, first: Tensor) -> Tensor:
    """(1024,) The row under which the answers are likeliest, pulled weakly to where it starts; searched from `first`.

    The problem is convex: there is one such row, whatever the search begins with.
    """
    row = first.clone().requires_grad_()
    search = torch.optim.LBFGS([row], max_iter=_MOST_ITERATIONS, history_size=_HISTORY, line_search_fn="strong_wolfe")

    def closure() -> Tensor:
        search.zero_grad()
        loss = evidence.loss(row) + (row - start).square().sum() / (2 * FREEDOM)
        loss.backward()  # type: ignore[no-untyped-call]
        return loss

    with torch.enable_grad():
        search.step(closure)  # type: ignore[no-untyped-call]
    return row.detach()

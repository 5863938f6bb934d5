"""Learning one word from answers: the one row of the embedding table that is its own.

Everything else in the agent is frozen, so what it makes of a question about a scene, up to the last product with the
embeddings, never changes: it is computed once. What is left to learn is a logistic regression.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor
from torch.nn import functional

from xworld.agent.agent import Agent
from xworld.agent.model import rule_out_silence
from xworld.agent.sizes import CELLS
from xworld.word_learning.questions import Asked

_FIRMNESS = 300.0
"""What it costs, in nats, to be twice as far from the mean of names as names are."""
_SEEKING = 0.1
"""What finding a thing by its name counts beside naming it; at 1, some answers about other things are lost."""
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
        """What is wrong with a row, in nats: as an answer, and as a name by which a thing is sought.

        The first is the cross entropy of the right answers, less what does not depend on the row. There the new word is
        up against other words, and in a command the new thing against other things: a faint one may be named rightly,
        and be outshone by all that the questions with other answers were about. The second is the cross entropy of
        finding it in a view full of those.
        """
        scores = self.features @ row
        ahead, elsewhere = scores - self.others, scores[~self.meant]
        rivals = elsewhere.logsumexp(dim=0) + math.log(CELLS / max(1, len(elsewhere)))
        answering = functional.softplus(torch.where(self.meant, -ahead, ahead)).sum()
        return answering + _SEEKING * functional.softplus(rivals - scores[self.meant]).sum()

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


@dataclass(frozen=True)
class Names:
    """What is known of a name before it is heard: names lie around their mean, all about as far from it.

    That distance is how loud a name is. A fainter one answers rightly, but in "the blue anchor" it is not heard beside
    the color; a louder one drowns others out, in "between the anchor and the cat" and in answers to all questions.
    """

    mean: Tensor
    """(1024,) Where a new name starts."""
    distance: Tensor

    @classmethod
    def of(cls, agent: Agent, objects: int) -> "Names":
        """From the last so many words of an agent, which are the names of objects."""
        names = agent.words.embeddings[-objects:].detach()
        return cls(names.mean(dim=0), (names - names.mean(dim=0)).norm(dim=1).median())

    def cost(self, row: Tensor) -> Tensor:
        """What is to be paid for a row that is farther from the mean than names are."""
        too_far = (row - self.mean).norm() / self.distance - 1
        return _FIRMNESS * functional.relu(too_far).square()


def learn_row(evidence: Evidence, names: Names, first: Tensor) -> Tensor:
    """(1024,) The row under which the answers are likeliest, hardly farther from others than names are.

    The problem is convex: whatever the search begins with, it cannot get stuck.
    """
    row = first.clone().requires_grad_()
    search = torch.optim.LBFGS([row], max_iter=_MOST_ITERATIONS, history_size=_HISTORY, line_search_fn="strong_wolfe")

    def closure() -> Tensor:
        search.zero_grad()
        loss = evidence.loss(row) + names.cost(row)
        loss.backward()  # type: ignore[no-untyped-call]
        return loss

    with torch.enable_grad():
        search.step(closure)  # type: ignore[no-untyped-call]
    return row.detach()

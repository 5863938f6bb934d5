"""Fitting the embedding of one new word to answers.

The rest of the agent is frozen. What it computes for a question about a scene, up to the last product with the word
embeddings, never changes and is computed once. Fitting the embedding is a logistic regression.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from xworld.agent.agent import Agent
from xworld.agent.model import exclude_padding
from xworld.agent.sizes import CELLS
from xworld.word_learning.questions import Questions

_PRIOR_WEIGHT = 300.0
"""The penalty, in nats, at twice the usual distance from the mean of names. The distance is the weight of a name in a
sentence. If it is too small, the object is named correctly, but the color dominates "the blue anchor". If it is too
large, the name dominates "between the anchor and the cat" and answers."""
_SEARCH_WEIGHT = 0.1
"""The weight of finding an object by its name relative to naming it; at 1, some answers about others are lost."""


class Examples(NamedTuple):
    """Training examples of the regression: the output of the frozen agent for questions."""

    features: Tensor
    """(questions, 1024) Attended features, masked by the question's intention; a word's score is its product."""
    positive: Tensor
    """(questions,) Whether the new word is the answer."""
    known_score: Tensor
    """(questions,) The log-sum-exp of the scores of all known words."""
    best_known: Tensor
    """(questions,) The highest score of a known word."""

    def loss(self, embedding: Tensor) -> Tensor:
        """The cross entropy of an embedding, in nats: as an answer, plus as a name by which to find an object.

        In answers the new word competes with other words, but in commands the new object competes with other objects: a
        weak embedding may name the object correctly and still score lower than everything else in view. The second term
        is for finding the object in a view full of what the questions with other answers were about.
        """
        scores = self.features @ embedding
        margins, negatives = scores - self.known_score, scores[~self.positive]
        rivals = negatives.logsumexp(dim=0) + math.log(CELLS / max(1, len(negatives)))
        naming = functional.softplus(torch.where(self.positive, -margins, margins)).sum()
        return naming + _SEARCH_WEIGHT * functional.softplus(rivals - scores[self.positive]).sum()

    def accuracy(self, embedding: Tensor) -> float:
        """Of the questions whose answer is the new word, the share that the agent answers with it."""
        scores = (self.features @ embedding)[self.positive]
        return float((scores > self.best_known[self.positive]).float().mean())


@torch.no_grad()
def encode_questions(agent: Agent, asked: Questions) -> Examples:
    """Run an agent, whose last word is the new one, on questions."""
    arrays = (np.ascontiguousarray(asked[field]) for field in ("tiles", "question", "answer"))
    tiles, questions, answers = (torch.from_numpy(array).to(agent.atlas.device) for array in arrays)
    scene, lexicon = agent.perceive(tiles), agent.words.lexicon()
    attention, _ = agent.attend(scene, questions, lexicon)
    features = agent.intention(questions, lexicon) * scene.attended_features(attention)
    scores = exclude_padding(features @ lexicon.embeddings[:-1].T)  # of the known words
    return Examples(features, answers == scores.shape[1], scores.logsumexp(dim=1), scores.amax(dim=1))


def fit_embedding(batches: Sequence[Examples], names: Tensor, start: Tensor) -> Tensor:
    """(1024,) The embedding with the least loss, and no farther from the mean of known names, (names, 1024), than they.

    The problem is convex: any start gives the same result.
    """
    examples = Examples(*(torch.cat(tensors) for tensors in zip(*batches, strict=True)))
    mean = names.mean(dim=0)
    distance = (names - mean).norm(dim=1).median()
    embedding = start.clone().requires_grad_()
    optimizer = torch.optim.LBFGS([embedding], max_iter=100, history_size=20, line_search_fn="strong_wolfe")

    def closure() -> Tensor:
        optimizer.zero_grad()
        excess = (embedding - mean).norm() / distance - 1
        loss = examples.loss(embedding) + _PRIOR_WEIGHT * functional.relu(excess).square()
        loss.backward()  # type: ignore[no-untyped-call]
        return loss

    with torch.enable_grad():
        optimizer.step(closure)  # type: ignore[no-untyped-call]
    return embedding.detach()

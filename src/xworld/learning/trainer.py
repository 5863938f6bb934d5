"""Training, from top to bottom: walk, learn from it, report, and again."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from xworld.agent.agent import Agent
from xworld.learning.losses import clipped_policy_loss, recognition_loss
from xworld.learning.presets import Recipe
from xworld.learning.rollout import Rollout, Walk, walk
from xworld.teacher.holdout import Holdout
from xworld.teacher.school import School
from xworld.world.catalogue import Catalogue

LOWEST_RATE = 0.02
"""The learning rate never falls below this share of where it began."""


@dataclass(frozen=True)
class Progress:
    """One round of training, for logs and dashboards."""

    iteration: int
    frames: int
    walk: Walk
    policy_loss: float
    value_loss: float
    entropy: float
    recognition_loss: float
    recognition_accuracy: float
    gradient_norm: float
    walking_seconds: float
    learning_seconds: float


_FIGURES = (
    "policy_loss",
    "value_loss",
    "entropy",
    "recognition_loss",
    "recognition_accuracy",
    "gradient_norm",
)


class Trainer:
    """An agent, the worlds it lives in, and the optimiser that changes it."""

    def __init__(self, recipe: Recipe, condition: str, seed: int, device: torch.device) -> None:
        torch.manual_seed(seed)
        self.recipe, self.device = recipe, device
        catalogue = Catalogue.load()
        self.holdout = Holdout.draw(condition, catalogue, seed=seed)
        self.school = School(recipe.worlds, catalogue, self.holdout)
        self.agent = make_agent(catalogue, self.school, recipe).to(device)
        self.optimiser = torch.optim.AdamW(
            self.agent.parameters(), lr=recipe.learning_rate, weight_decay=recipe.weight_decay, eps=1e-5
        )
        self.generator = torch.Generator(device).manual_seed(seed)
        self.iteration = 0
        self._set_progress()
        self.school.begin(np.random.default_rng(seed).integers(2**63, size=recipe.worlds))

    @property
    def frames(self) -> int:
        """Steps of the agent so far, over all worlds."""
        return self.iteration * self.recipe.worlds * self.recipe.steps

    def run(self, after_each: Callable[[Progress], None]) -> None:
        """Train to the end."""
        while self.iteration < self.recipe.iterations:
            after_each(self.train_once())

    def train_once(self) -> Progress:
        """Walk, and learn from it."""
        recipe = self.recipe
        self._set_progress()
        begun = time.perf_counter()
        rollout, how_it_went = walk(
            self.agent, self.school, recipe.steps, recipe.discount, recipe.trace, self.generator
        )
        walked = time.perf_counter()
        figures = torch.stack([self._learn(part) for part in self._minibatches(rollout)]).mean(dim=0).tolist()
        self.iteration += 1
        return Progress(
            iteration=self.iteration,
            frames=self.frames,
            walk=how_it_went,
            **dict(zip(_FIGURES, figures, strict=True)),
            walking_seconds=walked - begun,
            learning_seconds=time.perf_counter() - walked,
        )

    def _minibatches(self, rollout: Rollout) -> Iterator[Rollout]:
        """All samples once, in random order."""
        samples = rollout.flat()
        order = torch.randperm(len(samples.actions), generator=self.generator, device=self.device)
        for part in order.chunk(self.recipe.minibatches):
            yield samples.pick(part)

    def _learn(self, batch: Rollout) -> Tensor:
        """One step of the optimiser; returns the figures that `_FIGURES` names."""
        recipe = self.recipe
        logits, values, scores = self.agent.act_and_answer(batch.tiles, batch.commands, batch.questions)
        policy = clipped_policy_loss(
            logits, values, batch.actions, batch.log_policy, batch.advantages, batch.returns, recipe.clip
        )
        recognition = recognition_loss(scores, batch.answers)
        loss = policy.surrogate + policy.value - recipe.entropy * policy.entropy + recognition
        self.optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        norm = torch.nn.utils.clip_grad_norm_(self.agent.parameters(), recipe.gradient_norm)
        self.optimiser.step()
        asked = batch.answers > 0
        right = (scores.argmax(dim=1) == batch.answers)[asked].float().mean()
        figures = (policy.surrogate, policy.value, policy.entropy, recognition, right, norm)
        return torch.stack([figure.detach() for figure in figures])

    def _set_progress(self) -> None:
        """Set the learning rate and the curriculum to where training stands."""
        done = self.iteration / self.recipe.iterations
        for group in self.optimiser.param_groups:
            group["lr"] = self.recipe.learning_rate * max(1 - done, LOWEST_RATE)
        self.school.set_progress(min(1.0, done / self.recipe.curriculum) if self.recipe.curriculum > 0 else 1.0)


def make_agent(catalogue: Catalogue, school: School, recipe: Recipe) -> Agent:
    """A new agent that knows no word."""
    agent = Agent(
        words=len(school.grammar.vocabulary) + 1,
        atlas=torch.from_numpy(catalogue.atlas()),
        temperature=recipe.temperature,
    )
    agent.perception.start_with(recipe.spatial_deviation, recipe.visual_gain)
    return agent

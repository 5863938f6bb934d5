"""Learning on policy: the agent walks, and learns from what it has just seen, heard and earned."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from xworld.agent.model import Model
from xworld.learning.capture import Captured
from xworld.learning.diary import Diary
from xworld.learning.hindsight import find_goals
from xworld.learning.losses import (
    advantages_and_returns,
    clipped_policy_loss,
    count_answers,
    gate_loss,
    hindsight_loss,
    recognition_loss,
)
from xworld.learning.presets import OnPolicyRecipe
from xworld.learning.team import Team
from xworld.learning.tensors import as_tensors
from xworld.learning.walker import Walker
from xworld.teacher.school import School
from xworld.teacher.settings import SettingsError

_LOSSES = "policy", "value", "entropy", "recognition", "hindsight", "gates", "gradient_norm"
_STABILISER = 1e-5
"""Epsilon of Adam: keeps its steps small where gradients are."""
_TAKEN_IN = 1024
"""What a layer may take in and be learned at the full rate."""


@dataclass(frozen=True)
class Samples:
    """What learning needs, each a tensor of (samples, ...)."""

    tiles: Tensor
    commands: Tensor
    questions: Tensor
    answers: Tensor
    actions: Tensor
    log_policy: Tensor
    goals: Tensor
    advantages: Tensor
    returns: Tensor


class OnPolicyLearner:
    """Proximal policy optimisation for the commands, cross entropy for the questions, in one step of the optimiser."""

    def __init__(self, recipe: OnPolicyRecipe, agent: Model, school: School, team: Team) -> None:
        self.recipe, self.agent, self.school, self.team = recipe, agent, school, team
        if len(school) * recipe.steps % recipe.minibatches:
            raise SettingsError(
                f"{len(school)} worlds of each process x {recipe.steps} steps cannot be split into "
                f"{recipe.minibatches} equal minibatches"
            )
        self.device = agent.atlas.device
        self.walker = Walker(school, recipe.discount)
        self.optimiser = _make_optimiser(recipe, agent)
        self._hindsight = torch.zeros((), device=self.device)
        self._act = Captured(self._choose, self.device)
        self._improve = Captured(self._learn, self.device, enabled=team.size == 1)

    def set_progress(self, done: float) -> None:
        """Set the learning rate, the weight of hindsight and the curriculum to where training stands, from 0 to 1."""
        recipe = self.recipe
        self._hindsight.fill_(recipe.hindsight * (1 - _part(done, recipe.hindsight_until)))
        rate = recipe.learning_rate * max(1 - done, recipe.lowest_rate)
        for group in self.optimiser.param_groups:
            if isinstance(group["lr"], Tensor):
                group["lr"].fill_(rate * group["pace"])
            else:
                group["lr"] = rate * group["pace"]
        self.school.set_progress(_part(done, recipe.curriculum))

    def play_round(self, diary: Diary, generator: torch.Generator) -> None:
        """Walk, and learn from it."""
        with diary.timing("walking"):
            samples = self._walk(diary, generator)
        with diary.timing("learning"):
            for part in self._minibatches(samples, generator):
                losses, answers = self._improve(self._blur(generator), self._hindsight, *part)
                diary.learned(dict(zip(_LOSSES, losses, strict=True)), answers)
            self._finish_work()

    def modules(self) -> dict[str, nn.Module]:
        """There is no network besides the agent."""
        return {}

    def arrays(self) -> dict[str, np.ndarray]:
        """The sessions' accounts."""
        return self.walker.arrays()

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Go on from such arrays."""
        self.walker.restore(arrays)

    def _walk(self, diary: Diary, generator: torch.Generator) -> Samples:
        """Act in every world for some steps; sessions that end are followed by the next."""
        seen: list[tuple[Tensor, ...]] = []
        trail: list[tuple[NDArray[Any], ...]] = []
        for _ in range(self.recipe.steps):
            school = self.school
            shown = as_tensors(
                self.device, school.tiles, school.commands, school.questions, school.lessons["answer"].copy()
            )
            chances, values = self._act(*shown[:2])
            actions = torch.multinomial(chances.exp(), 1, generator=generator)
            moves = actions.squeeze(1).cpu().numpy()
            places = np.stack([school.worlds["agent_row"], school.worlds["agent_column"]], axis=1)
            rewards, over, reached = self.walker.step(moves, diary)
            trail.append((places, moves, reached, over))
            gains = as_tensors(self.device, rewards, over.astype(np.float32))
            seen.append((*shown, actions.squeeze(1), chances.gather(1, actions).squeeze(1), values, *gains))
        *experience, values, earned, over_ = (torch.stack(parts) for parts in zip(*seen, strict=True))
        goals = find_goals(*(np.stack(parts) for parts in zip(*trail, strict=True)))
        _, last = self._act(*as_tensors(self.device, self.school.tiles, self.school.commands))
        estimates = advantages_and_returns(earned, values, over_, last, self.recipe.discount, self.recipe.trace)
        tensors = *experience, *as_tensors(self.device, goals), *estimates
        return Samples(*(tensor.flatten(0, 1) for tensor in tensors))

    @torch.no_grad()
    def _choose(self, tiles: Tensor, commands: Tensor) -> tuple[Tensor, Tensor]:
        """The logarithm of the policy, and values."""
        logits, values = self.agent.act(tiles, commands)
        return logits.log_softmax(dim=1), values

    def _minibatches(self, samples: Samples, generator: torch.Generator) -> Iterator[tuple[Tensor, ...]]:
        """All samples once, in random order."""
        tensors = [getattr(samples, name) for name in samples.__dataclass_fields__]
        order = torch.randperm(len(samples.actions), generator=generator, device=self.device)
        for part in order.chunk(self.recipe.minibatches):
            yield tuple(tensor[part] for tensor in tensors)

    def _blur(self, generator: torch.Generator) -> Tensor:
        """Noise for the words. Drawn out here, because a captured graph would repeat its own."""
        return torch.randn(self.agent.blur_shape, generator=generator, device=self.device) * self.recipe.blur

    def _learn(self, blur: Tensor, hindsight_weight: Tensor, *tensors: Tensor) -> tuple[Tensor, Tensor]:
        """One step of the optimiser; returns the figures that `_LOSSES` names, and right answers of how many."""
        batch, recipe = Samples(*tensors), self.recipe
        logits, values, scores, attention, gate_logits = self.agent.respond(
            batch.tiles, batch.commands, batch.questions, blur=blur
        )
        policy = clipped_policy_loss(
            logits, values, batch.actions, batch.log_policy, batch.advantages, batch.returns, recipe.clip
        )
        recognition = recognition_loss(scores, batch.answers)
        nothing = values.new_zeros(())
        hindsight = nothing if attention is None else hindsight_loss(attention, batch.goals)
        gates = nothing if gate_logits is None else gate_loss(gate_logits)
        loss = policy.surrogate + policy.value - recipe.entropy * policy.entropy
        loss = loss + recognition + hindsight_weight * hindsight + recipe.gate_decay * gates
        self.optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        self.team.average_gradients(self.agent.parameters())
        norm = torch.nn.utils.clip_grad_norm_(self.agent.parameters(), recipe.gradient_norm)
        self.optimiser.step()
        figures = policy.surrogate, policy.value, policy.entropy, recognition, hindsight, gates, norm
        return torch.stack([figure.detach() for figure in figures]), count_answers(scores, batch.answers)

    def _finish_work(self) -> None:
        """Wait for the GPU, so that its time is counted where it was spent."""
        if self.device.type == "cuda":
            torch.cuda.synchronize(self.device)


def _make_optimiser(recipe: OnPolicyRecipe, agent: Model) -> torch.optim.Optimizer:
    device, on_gpu = agent.atlas.device, agent.atlas.is_cuda
    paces = defaultdict[float, list[nn.Parameter]](list)
    for weight in agent.parameters():
        paces[pace_of(weight)].append(weight)
    groups: list[dict[str, Any]] = []
    for pace, weights in sorted(paces.items(), reverse=True):  # the full rate first: it is the one that is reported
        rate = recipe.learning_rate * pace
        groups.append({"params": weights, "pace": pace, "lr": torch.tensor(rate, device=device) if on_gpu else rate})
    return torch.optim.AdamW(groups, weight_decay=recipe.weight_decay, eps=_STABILISER, capturable=on_gpu, fused=True)


def _part(done: float, whole: float) -> float:
    """How much of that part of training is behind, from 0 to 1."""
    return min(1.0, done / whole) if whole else 1.0


def pace_of(weight: Tensor) -> float:
    """The part of the learning rate with which a weight is learned.

    A step of Adam is as long for every weight, so what a layer gives changes in proportion to how much it takes in. All
    layers of the framework take in 1024 or less; some of the baselines 32 times as much, and are as much slower.

    >>> pace_of(torch.zeros(512, 1024)), pace_of(torch.zeros(1024, 512, 3, 3)), pace_of(torch.zeros(512))
    (1.0, 0.2222222222222222, 1.0)
    """
    taken_in = weight[0].numel() if weight.dim() > 1 else 1
    return min(1.0, _TAKEN_IN / taken_in)

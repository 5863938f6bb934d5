"""Learning on policy: the agent walks, and learns from what it has just seen, heard and earned."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from xworld.agent.agent import Agent
from xworld.learning.capture import Captured
from xworld.learning.diary import Diary
from xworld.learning.losses import advantages_and_returns, clipped_policy_loss, count_answers, recognition_loss
from xworld.learning.presets import OnPolicyRecipe
from xworld.learning.team import Team
from xworld.learning.tensors import as_tensors
from xworld.learning.walker import Walker
from xworld.teacher.school import School
from xworld.teacher.settings import SettingsError

_LOSSES = "policy", "value", "entropy", "recognition", "gradient_norm"
_STABILISER = 1e-5
"""Epsilon of Adam: keeps its steps small where gradients are."""


@dataclass(frozen=True)
class Samples:
    """What learning needs, each a tensor of (samples, ...)."""

    tiles: Tensor
    commands: Tensor
    questions: Tensor
    answers: Tensor
    actions: Tensor
    log_policy: Tensor
    advantages: Tensor
    returns: Tensor


class OnPolicyLearner:
    """Proximal policy optimisation for the commands, cross entropy for the questions, in one step of the optimiser."""

    def __init__(self, recipe: OnPolicyRecipe, agent: Agent, school: School, team: Team) -> None:
        self.recipe, self.agent, self.school, self.team = recipe, agent, school, team
        if len(school) * recipe.steps % recipe.minibatches:
            raise SettingsError(
                f"{len(school)} worlds of each process x {recipe.steps} steps cannot be split into "
                f"{recipe.minibatches} equal minibatches"
            )
        self.device = agent.atlas.device
        self.walker = Walker(school, recipe.discount)
        self.optimiser = _make_optimiser(recipe, agent)
        self._act = Captured(self._choose, self.device)
        self._improve = Captured(self._learn, self.device, enabled=team.size == 1)

    def set_progress(self, done: float) -> None:
        """Set the learning rate and the curriculum to where training stands, from 0 to 1."""
        recipe = self.recipe
        rate = recipe.learning_rate * max(1 - done, recipe.lowest_rate)
        for group in self.optimiser.param_groups:
            if isinstance(group["lr"], Tensor):
                group["lr"].fill_(rate)
            else:
                group["lr"] = rate
        self.school.set_progress(min(1.0, done / recipe.curriculum) if recipe.curriculum else 1.0)

    def play_round(self, diary: Diary, generator: torch.Generator) -> None:
        """Walk, and learn from it."""
        with diary.timing("walking"):
            samples = self._walk(diary, generator)
        with diary.timing("learning"):
            for part in self._minibatches(samples, generator):
                losses, answers = self._improve(*part)
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
        for _ in range(self.recipe.steps):
            school = self.school
            shown = as_tensors(
                self.device, school.tiles, school.commands, school.questions, school.lessons["answer"].copy()
            )
            chances, values = self._act(*shown[:2])
            actions = torch.multinomial(chances.exp(), 1, generator=generator)
            rewards, over = self.walker.step(actions.squeeze(1).cpu().numpy(), diary)
            gains = as_tensors(self.device, rewards, over.astype(np.float32))
            seen.append((*shown, actions.squeeze(1), chances.gather(1, actions).squeeze(1), values, *gains))
        *experience, values, earned, over_ = (torch.stack(parts) for parts in zip(*seen, strict=True))
        _, last = self._act(*as_tensors(self.device, self.school.tiles, self.school.commands))
        estimates = advantages_and_returns(earned, values, over_, last, self.recipe.discount, self.recipe.trace)
        return Samples(*(tensor.flatten(0, 1) for tensor in (*experience, *estimates)))

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

    def _learn(self, *tensors: Tensor) -> tuple[Tensor, Tensor]:
        """One step of the optimiser; returns the figures that `_LOSSES` names, and right answers of how many."""
        batch, recipe = Samples(*tensors), self.recipe
        logits, values, scores = self.agent.act_and_answer(batch.tiles, batch.commands, batch.questions)
        policy = clipped_policy_loss(
            logits, values, batch.actions, batch.log_policy, batch.advantages, batch.returns, recipe.clip
        )
        recognition = recognition_loss(scores, batch.answers)
        loss = policy.surrogate + policy.value - recipe.entropy * policy.entropy + recognition
        self.optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        self.team.average_gradients(self.agent.parameters())
        norm = torch.nn.utils.clip_grad_norm_(self.agent.parameters(), recipe.gradient_norm)
        self.optimiser.step()
        figures = policy.surrogate, policy.value, policy.entropy, recognition, norm
        return torch.stack([figure.detach() for figure in figures]), count_answers(scores, batch.answers)

    def _finish_work(self) -> None:
        """Wait for the GPU, so that its time is counted where it was spent."""
        if self.device.type == "cuda":
            torch.cuda.synchronize(self.device)


def _make_optimiser(recipe: OnPolicyRecipe, agent: Agent) -> torch.optim.Optimizer:
    on_gpu = agent.atlas.is_cuda
    rate = torch.tensor(recipe.learning_rate, device=agent.atlas.device) if on_gpu else recipe.learning_rate
    return torch.optim.AdamW(
        agent.parameters(), lr=rate, weight_decay=recipe.weight_decay, eps=_STABILISER, capturable=on_gpu, fused=True
    )

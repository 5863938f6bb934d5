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
from xworld.teacher.settings import SettingsError
from xworld.teacher.simulator import Simulator
from xworld.training.configs import PPOConfig
from xworld.training.cuda_graph import CudaGraphed
from xworld.training.diary import Diary
from xworld.training.distributed import Distributed
from xworld.training.hindsight import find_goals
from xworld.training.losses import (
    advantages_and_returns,
    clipped_policy_loss,
    count_answers,
    gate_loss,
    hindsight_loss,
    recognition_loss,
)
from xworld.training.tensors import as_tensors
from xworld.training.walker import Walker

_LOSSES = "policy", "value", "entropy", "recognition", "hindsight", "gates", "gradient_norm"
_STABILIZER = 1e-5
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


class PPOLearner:
    """Proximal policy optimization for the commands, cross entropy for the questions, in one step of the optimizer."""

    def __init__(self, config: PPOConfig, agent: Model, simulator: Simulator, distributed: Distributed) -> None:
        self.config, self.agent, self.simulator, self.distributed = config, agent, simulator, distributed
        if len(simulator) * config.num_steps % config.num_minibatches:
            raise SettingsError(
                f"{len(simulator)} worlds of each process x {config.num_steps} steps cannot be split into "
                f"{config.num_minibatches} equal minibatches"
            )
        self.device = agent.atlas.device
        self.walker = Walker(simulator, config.gamma)
        self.optimizer = _make_optimizer(config, agent)
        self._hindsight = torch.zeros((), device=self.device)
        self._act = CudaGraphed(self._choose, self.device)
        self._improve = CudaGraphed(self._learn, self.device, enabled=distributed.size == 1)

    def set_progress(self, done: float) -> None:
        """Set the learning rate, the weight of hindsight and the curriculum to where training stands, from 0 to 1."""
        config = self.config
        self._hindsight.fill_(config.hindsight_coef * (1 - _part(done, config.hindsight_fraction)))
        rate = config.learning_rate * max(1 - done, config.final_lr_fraction)
        for group in self.optimizer.param_groups:
            if isinstance(group["lr"], Tensor):
                group["lr"].fill_(rate * group["lr_scale"])
            else:
                group["lr"] = rate * group["lr_scale"]
        self.simulator.set_progress(_part(done, config.curriculum_fraction))

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
        for _ in range(self.config.num_steps):
            simulator = self.simulator
            shown = as_tensors(
                self.device,
                simulator.tiles,
                simulator.commands,
                simulator.questions,
                simulator.sessions["answer"].copy(),
            )
            chances, values = self._act(*shown[:2])
            actions = torch.multinomial(chances.exp(), 1, generator=generator)
            moves = actions.squeeze(1).cpu().numpy()
            places = np.stack([simulator.worlds["agent_row"], simulator.worlds["agent_column"]], axis=1)
            rewards, over, reached = self.walker.step(moves, diary)
            trail.append((places, moves, reached, over))
            gains = as_tensors(self.device, rewards, over.astype(np.float32))
            seen.append((*shown, actions.squeeze(1), chances.gather(1, actions).squeeze(1), values, *gains))
        *experience, values, earned, over_ = (torch.stack(parts) for parts in zip(*seen, strict=True))
        goals = find_goals(*(np.stack(parts) for parts in zip(*trail, strict=True)))
        _, last = self._act(*as_tensors(self.device, self.simulator.tiles, self.simulator.commands))
        estimates = advantages_and_returns(earned, values, over_, last, self.config.gamma, self.config.gae_lambda)
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
        for part in order.chunk(self.config.num_minibatches):
            yield tuple(tensor[part] for tensor in tensors)

    def _blur(self, generator: torch.Generator) -> Tensor:
        """Noise for the words. Drawn out here, because a captured graph would repeat its own."""
        return (
            torch.randn(self.agent.noise_shape, generator=generator, device=self.device) * self.config.embedding_noise
        )

    def _learn(self, embedding_noise: Tensor, hindsight_weight: Tensor, *tensors: Tensor) -> tuple[Tensor, Tensor]:
        """One step of the optimizer; returns the figures that `_LOSSES` names, and right answers of how many."""
        batch, config = Samples(*tensors), self.config
        logits, values, scores, attention, gate_logits = self.agent.respond(
            batch.tiles, batch.commands, batch.questions, embedding_noise=embedding_noise
        )
        policy = clipped_policy_loss(
            logits, values, batch.actions, batch.log_policy, batch.advantages, batch.returns, config.clip_range
        )
        recognition = recognition_loss(scores, batch.answers)
        nothing = values.new_zeros(())
        hindsight = nothing if attention is None else hindsight_loss(attention, batch.goals)
        gates = nothing if gate_logits is None else gate_loss(gate_logits)
        loss = policy.surrogate + policy.value - config.entropy_coef * policy.entropy
        loss = loss + recognition + hindsight_weight * hindsight + config.gate_decay * gates
        self.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        self.distributed.average_gradients(self.agent.parameters())
        norm = torch.nn.utils.clip_grad_norm_(self.agent.parameters(), config.max_grad_norm)
        self.optimizer.step()
        figures = policy.surrogate, policy.value, policy.entropy, recognition, hindsight, gates, norm
        return torch.stack([figure.detach() for figure in figures]), count_answers(scores, batch.answers)

    def _finish_work(self) -> None:
        """Wait for the GPU, so that its time is counted where it was spent."""
        if self.device.type == "cuda":
            torch.cuda.synchronize(self.device)


def _make_optimizer(config: PPOConfig, agent: Model) -> torch.optim.Optimizer:
    device, on_gpu = agent.atlas.device, agent.atlas.is_cuda
    scales = defaultdict[float, list[nn.Parameter]](list)
    for weight in agent.parameters():
        scales[lr_scale_of(weight)].append(weight)
    groups: list[dict[str, Any]] = []
    for lr_scale, weights in sorted(
        scales.items(), reverse=True
    ):  # the full rate first: it is the one that is reported
        rate = config.learning_rate * lr_scale
        groups.append(
            {"params": weights, "lr_scale": lr_scale, "lr": torch.tensor(rate, device=device) if on_gpu else rate}
        )
    return torch.optim.AdamW(groups, weight_decay=config.weight_decay, eps=_STABILIZER, capturable=on_gpu, fused=True)


def _part(done: float, whole: float) -> float:
    """How much of that part of training is behind, from 0 to 1."""
    return min(1.0, done / whole) if whole else 1.0


def lr_scale_of(weight: Tensor) -> float:
    """The part of the learning rate with which a weight is learned.

    A step of Adam is as long for every weight, so what a layer gives changes in proportion to how much it takes in. All
    layers of the framework take in 1024 or less; some of the baselines 32 times as much, and are as much slower.

    >>> lr_scale_of(torch.zeros(512, 1024)), lr_scale_of(torch.zeros(1024, 512, 3, 3)), lr_scale_of(torch.zeros(512))
    (1.0, 0.2222222222222222, 1.0)
    """
    taken_in = weight[0].numel() if weight.dim() > 1 else 1
    return min(1.0, _TAKEN_IN / taken_in)

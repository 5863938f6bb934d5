"""Proximal policy optimization: roll out the policy in many environments, then train on that rollout once."""

from collections import defaultdict
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from xworld.agent.model import Model
from xworld.teacher.simulator import Simulator
from xworld.training.configs import PPOConfig
from xworld.training.cuda_graph import CudaGraphed
from xworld.training.distributed import Distributed
from xworld.training.learner import Learner
from xworld.training.losses import (
    clipped_policy_loss,
    count_answers,
    gate_loss,
    hindsight_loss,
    recognition_loss,
)
from xworld.training.metrics import MetricsCollector
from xworld.training.rollout import Rollout, estimate_advantages, find_goals
from xworld.world.checks import SettingsError

_LOSSES = "policy", "value", "entropy", "recognition", "hindsight", "gates", "gradient_norm"
_ADAM_EPSILON = 1e-5
"""Keeps Adam's steps small where gradients are small."""
_FULL_RATE_INPUTS = 1024
"""A layer with at most this many inputs is trained at the full learning rate."""


class PPOLearner(Learner):
    """PPO for the commands and cross entropy for the questions, in the same optimizer step."""

    def __init__(self, config: PPOConfig, agent: Model, simulator: Simulator, distributed: Distributed) -> None:
        super().__init__(agent, simulator, distributed, config.gamma)
        self.config = config
        if len(simulator) * config.num_steps % config.num_minibatches:
            raise SettingsError(
                f"{len(simulator)} environments per process x {config.num_steps} steps cannot be split into "
                f"{config.num_minibatches} equal minibatches"
            )
        self.optimizer = _make_optimizer(config, agent)
        self._hindsight_coef = torch.zeros((), device=self.device)
        self._policy = CudaGraphed(self._evaluate_policy, self.device)
        self._update = CudaGraphed(self._update_network, self.device, enabled=distributed.size == 1)

    def set_progress(self, done: float) -> None:
        """Set the learning rate, the weight of hindsight and the curriculum; `done` goes from 0 to 1 in training."""
        config = self.config
        self._hindsight_coef.fill_(config.hindsight_coef * (1 - _fraction(done, config.hindsight_fraction)))
        learning_rate = config.learning_rate * max(1 - done, config.final_lr_fraction)
        for group in self.optimizer.param_groups:
            if isinstance(group["lr"], Tensor):
                group["lr"].fill_(learning_rate * group["lr_scale"])
            else:
                group["lr"] = learning_rate * group["lr_scale"]
        self.simulator.set_progress(_fraction(done, config.curriculum_fraction))

    def train_iteration(self, metrics: MetricsCollector, generator: torch.Generator) -> None:
        """Collect a rollout and train on it."""
        with metrics.timing("rollout"):
            rollout = self.collect_rollout(metrics, generator)
        with metrics.timing("update"):
            for minibatch in rollout.minibatches(self.config.num_minibatches, generator):
                # Drawn outside of the update, because a CUDA graph would replay its own noise.
                noise = torch.randn(self.agent.noise_shape, generator=generator, device=self.device)
                noise *= self.config.embedding_noise
                losses, answers = self._update(noise, self._hindsight_coef, *minibatch)
                metrics.add_update(dict(zip(_LOSSES, losses, strict=True)), answers)
            if self.device.type == "cuda":  # so that the GPU's time counts towards this phase
                torch.cuda.synchronize(self.device)

    def collect_rollout(self, metrics: MetricsCollector, generator: torch.Generator) -> Rollout:
        """Act in every environment for `num_steps` steps; a session that ends is followed by the next."""
        simulator, config = self.simulator, self.config
        rollout = Rollout.empty(config.num_steps, len(simulator), self.device)
        where = np.empty((config.num_steps, len(simulator), 2), np.int64)
        reached = np.empty((config.num_steps, len(simulator)), np.bool_)
        for step in range(config.num_steps):
            for name in ("tiles", "commands", "questions"):
                getattr(rollout, name)[step] = torch.from_numpy(getattr(simulator, name))
            rollout.answers[step] = torch.from_numpy(simulator.sessions["answer"].copy())
            log_probs, rollout.values[step] = self._policy(rollout.tiles[step], rollout.commands[step])
            actions = torch.multinomial(log_probs.exp(), 1, generator=generator)
            rollout.actions[step] = actions.squeeze(1)
            rollout.log_probs[step] = log_probs.gather(1, actions).squeeze(1)
            where[step] = np.stack([simulator.worlds["agent_row"], simulator.worlds["agent_column"]], axis=1)
            rewards, reached[step], dones = self.step(actions.squeeze(1).cpu().numpy(), metrics)
            rollout.rewards[step], rollout.dones[step] = torch.from_numpy(rewards), torch.from_numpy(dones)
        dones = rollout.dones.bool().cpu().numpy()
        rollout.goals[:] = torch.from_numpy(find_goals(where, rollout.actions.cpu().numpy(), reached, dones))
        return self._with_advantages(rollout)

    def _with_advantages(self, rollout: Rollout) -> Rollout:
        """Bootstrap from the value of what the simulator shows after the last step."""
        shown = self.simulator.tiles, self.simulator.commands
        _, last_values = self._policy(*(torch.from_numpy(array).to(self.device) for array in shown))
        advantages, returns = estimate_advantages(
            rollout.rewards, rollout.values, rollout.dones, last_values, self.config.gamma, self.config.gae_lambda
        )
        return rollout._replace(advantages=advantages, returns=returns)

    @torch.no_grad()
    def _evaluate_policy(self, tiles: Tensor, commands: Tensor) -> tuple[Tensor, Tensor]:
        """The log probabilities of all actions, and the values."""
        logits, values = self.agent.act(tiles, commands)
        return logits.log_softmax(dim=1), values

    def _update_network(
        self, embedding_noise: Tensor, hindsight_coef: Tensor, *minibatch: Tensor
    ) -> tuple[Tensor, Tensor]:
        """One optimizer step; returns the numbers that `_LOSSES` names, and the counts of `count_answers`."""
        batch, config = Rollout(*minibatch), self.config
        logits, values, scores, attention, gate_logits = self.agent.respond(
            batch.tiles, batch.commands, batch.questions, embedding_noise=embedding_noise
        )
        policy = clipped_policy_loss(
            logits, values, batch.actions, batch.log_probs, batch.advantages, batch.returns, config.clip_range
        )
        recognition = recognition_loss(scores, batch.answers)
        zero = values.new_zeros(())
        hindsight = zero if attention is None else hindsight_loss(attention, batch.goals)
        gates = zero if gate_logits is None else gate_loss(gate_logits)
        loss = policy.surrogate + policy.value - config.entropy_coef * policy.entropy
        loss = loss + recognition + hindsight_coef * hindsight + config.gate_decay * gates
        self.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        self.distributed.average_gradients(self.agent.parameters())
        norm = torch.nn.utils.clip_grad_norm_(self.agent.parameters(), config.max_grad_norm)
        self.optimizer.step()
        losses = policy.surrogate, policy.value, policy.entropy, recognition, hindsight, gates, norm
        return torch.stack([value.detach() for value in losses]), count_answers(scores, batch.answers)


def _make_optimizer(config: PPOConfig, agent: Model) -> torch.optim.Optimizer:
    device, on_gpu = agent.atlas.device, agent.atlas.is_cuda
    scales = defaultdict[float, list[nn.Parameter]](list)
    for weight in agent.parameters():
        scales[lr_scale_of(weight)].append(weight)
    groups: list[dict[str, Any]] = []
    for lr_scale in sorted(scales, reverse=True):  # the full rate first: it is the one that is logged
        rate = config.learning_rate * lr_scale
        lr = torch.tensor(rate, device=device) if on_gpu else rate
        groups.append({"params": scales[lr_scale], "lr_scale": lr_scale, "lr": lr})
    return torch.optim.AdamW(groups, weight_decay=config.weight_decay, eps=_ADAM_EPSILON, capturable=on_gpu, fused=True)


def _fraction(done: float, whole: float) -> float:
    """How much of a part of training is over, from 0 to 1; the part is the first `whole` of it."""
    return min(1.0, done / whole) if whole else 1.0


def lr_scale_of(weight: Tensor) -> float:
    """The fraction of the learning rate at which a weight is trained.

    Adam moves every weight equally far, so the output of a layer changes in proportion to its number of inputs. All
    layers of the framework have 1024 or less; some of the baselines have 32 times as many and learn that much slower.

    >>> lr_scale_of(torch.zeros(512, 1024)), lr_scale_of(torch.zeros(1024, 512, 3, 3)), lr_scale_of(torch.zeros(512))
    (1.0, 0.2222222222222222, 1.0)
    """
    inputs = weight[0].numel() if weight.dim() > 1 else 1
    return min(1.0, _FULL_RATE_INPUTS / inputs)

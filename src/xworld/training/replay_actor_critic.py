"""Actor-critic with experience replay, as the paper has it: prioritized replay, target parameters, printed gradient."""

import copy
from collections.abc import Mapping

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from xworld.agent.model import Model
from xworld.teacher.simulator import Simulator
from xworld.training.checkpoint import strip_prefix
from xworld.training.configs import ReplayActorCriticConfig
from xworld.training.cuda_graph import CudaGraphed
from xworld.training.distributed import Distributed
from xworld.training.learner import Learner
from xworld.training.losses import actor_critic_loss, count_answers, recognition_loss
from xworld.training.metrics import MetricsCollector
from xworld.training.replay_buffer import Experiences, ReplayBuffer
from xworld.world.cells import ACTIONS

_LOSSES = "policy", "value", "recognition"
_FIRST_STEPS = 8
"""Time steps before the first update, so that there is something to sample. Unstated in the paper."""


class ReplayActorCriticLearner(Learner):
    """After every time step of the environments, one optimizer step on a sample of recent steps."""

    def __init__(
        self, config: ReplayActorCriticConfig, agent: Model, simulator: Simulator, distributed: Distributed
    ) -> None:
        super().__init__(agent, simulator, distributed, config.gamma)
        self.config = config
        buffer_size = distributed.share(config.buffer_size, "steps of the replay buffer")
        self.replay = ReplayBuffer(buffer_size, len(simulator), config.priority_exponent)
        self.batch_size = distributed.share(config.batch_size, "samples of a batch")
        self.target = copy.deepcopy(agent).requires_grad_(False)
        self.optimizer = torch.optim.Adagrad(
            agent.parameters(),
            lr=config.learning_rate,
            weight_decay=config.weight_decay * config.batch_size,
            fused=self.device.type == "cpu",
            foreach=self.device.type == "cuda",
        )
        self.steps, self.batches, self.sessions = 0, 0, 0
        self._policy = CudaGraphed(self._evaluate_policy, self.device)
        self._update = CudaGraphed(self._update_network, self.device, enabled=distributed.size == 1)

    @property
    def exploration(self) -> float:
        """The share of actions that are random."""
        return max(0.0, 1 - self.steps / self.config.exploration_steps)

    def set_progress(self, done: float) -> None:
        """Set the curriculum, which follows the number of sessions; nothing depends on `done`."""
        self.simulator.set_progress(min(1.0, self.sessions / self.config.curriculum_sessions))

    def train_iteration(self, metrics: MetricsCollector, generator: torch.Generator) -> None:
        """Alternate between a time step and an optimizer step."""
        rng = np.random.default_rng(generator.initial_seed())
        with metrics.timing("rollout"):
            while self.steps < _FIRST_STEPS * self.config.num_envs or not self.replay.has_questions:
                self._step(metrics, rng)
        for _ in range(self.config.batches_per_iteration):
            with metrics.timing("rollout"):
                self._step(metrics, rng)
            with metrics.timing("update"):
                self._train_batch(metrics, rng)

    def modules(self) -> dict[str, nn.Module]:
        """The network with the target parameters."""
        return {"target": self.target}

    def arrays(self) -> dict[str, np.ndarray]:
        """Also the replay buffer, and the counts of steps, batches and sessions."""
        replay = {f"replay/{name}": array for name, array in self.replay.arrays().items()}
        counts = np.array([self.steps, self.batches, self.sessions])
        return {**super().arrays(), **replay, "counts": counts}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Continue from such arrays."""
        super().restore(arrays)
        self.replay.restore(strip_prefix(arrays, "replay/"))
        self.steps, self.batches, self.sessions = arrays["counts"].tolist()

    def _step(self, metrics: MetricsCollector, rng: np.random.Generator) -> None:
        """One time step of every environment, kept in the replay buffer."""
        simulator, ended = self.simulator, metrics.sessions
        shown = simulator.tiles, simulator.commands, simulator.questions, simulator.sessions["answer"].copy()
        (policy,) = self._policy(*self.to_device(simulator.tiles, simulator.commands))
        probabilities = self.exploration / len(ACTIONS) + (1 - self.exploration) * policy.cpu().numpy()
        actions = draw_actions(probabilities, rng)
        rewards, _, dones = self.step(actions, metrics)
        self.replay.add(Experiences(*shown, actions, rewards.astype(np.float32), dones))
        self.steps += len(simulator) * self.distributed.size
        self.sessions += (metrics.sessions - ended) * self.distributed.size
        self.set_progress(0.0)

    def _train_batch(self, metrics: MetricsCollector, rng: np.random.Generator) -> None:
        """One optimizer step, on one minibatch of transitions and another one of questions."""
        if self.batches % self.config.target_update_interval == 0:
            self.target.load_state_dict(self.agent.state_dict())
        transitions = self.replay.sample_transitions(self.batch_size, rng)
        asked = self.replay.sample_questions(self.batch_size, rng)
        now = transitions.now
        td_error, losses, answers = self._update(
            *self.to_device(now.tiles, now.commands, now.actions, now.rewards, now.dones.astype(np.float32)),
            *self.to_device(transitions.next_tiles, transitions.next_commands),
            *self.to_device(asked.tiles, asked.questions, asked.answers),
        )
        self.replay.set_priorities(transitions.numbers, td_error.cpu().numpy())
        metrics.add_update(dict(zip(_LOSSES, losses, strict=True)), answers)
        self.batches += 1

    @torch.no_grad()
    def _evaluate_policy(self, tiles: Tensor, commands: Tensor) -> tuple[Tensor]:
        return (self.agent.act(tiles, commands)[0].softmax(dim=1),)

    def _update_network(self, *batch: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The TD error of each transition, the losses that `_LOSSES` names, and the counts of `count_answers`."""
        tiles, commands, actions, rewards, dones, next_tiles, next_commands, asked_about, questions, answers = batch
        with torch.no_grad():
            _, next_values = self.target.act(next_tiles, next_commands)
        logits, values, scores, *_ = self.agent.respond(tiles, commands, questions, asked_about)
        td_error = (rewards + self.config.gamma * (1 - dones) * next_values - values).detach()
        policy = actor_critic_loss(logits, values, actions, td_error)
        recognition = len(answers) * recognition_loss(scores, answers)  # a sum over samples, like the policy loss
        self.optimizer.zero_grad()
        loss = self.distributed.size * (policy + recognition)  # gradients are averaged, and a sum is wanted
        loss.backward()  # type: ignore[no-untyped-call]
        self.distributed.average_gradients(self.agent.parameters())
        self.optimizer.step()
        losses = policy.detach(), td_error.square().mean(), recognition.detach() / len(answers)
        return td_error, torch.stack(losses), count_answers(scores, answers)


def draw_actions(probabilities: np.ndarray, rng: np.random.Generator) -> NDArray[np.int64]:
    """One action for each row of (environments, 4) probabilities."""
    thresholds = probabilities.cumsum(axis=1)
    draws = rng.random(len(probabilities))[:, None] * thresholds[:, -1:]
    actions: NDArray[np.int64] = np.sum(draws >= thresholds[:, :-1], axis=1, dtype=np.int64)
    return actions

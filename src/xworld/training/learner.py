"""The learner: actor-critic with experience replay for commands, and cross entropy for questions."""

import copy
from collections.abc import Mapping

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from xworld.agent.model import Model
from xworld.agent.sizes import CELLS
from xworld.teacher.simulator import Simulator
from xworld.training.checkpoint import strip_prefix
from xworld.training.configs import TrainingConfig
from xworld.training.cuda_graph import CudaGraphed
from xworld.training.distributed import Distributed
from xworld.training.losses import actor_critic_loss, count_answers, recognition_loss
from xworld.training.metrics import MetricsCollector
from xworld.training.replay_buffer import ReplayBuffer
from xworld.world.cells import ACTIONS

_LOSSES = "policy", "value", "entropy", "recognition", "sharpness"
_FIRST_STEPS = 8
"""Time steps before the first update, so that there is something to sample. Unstated in the paper."""
_ADAM_EPSILON = 1e-5
"""Keeps Adam's steps small where gradients are small."""


class Learner:
    """After every time step of the environments, one optimizer step on as many samples of recent steps.

    Before that comes a warm-up, in which every step shows new maps, and only questions about them are learned.
    """

    def __init__(self, config: TrainingConfig, agent: Model, simulator: Simulator, distributed: Distributed) -> None:
        self.config, self.agent, self.simulator, self.distributed = config, agent, simulator, distributed
        self.device = agent.atlas.device
        buffer_size = distributed.share(config.buffer_size, "steps of the replay buffer")
        self.replay = ReplayBuffer(buffer_size, len(simulator), self.device, config.priority_exponent)
        # Target parameters that are updated before every batch are those of the agent itself.
        renewed_always = config.target_update_interval == 1
        self.target = agent if renewed_always else copy.deepcopy(agent).requires_grad_(False)
        self.optimizer = _make_optimizer(config, agent)
        self.steps, self.batches, self.sessions = 0, 0, 0
        self._returns = np.zeros(len(simulator))  # discounted, of the sessions so far
        self._discounts = np.ones(len(simulator))  # of a reward now, seen from the start of the session
        self._exploration, self._entropy_coef = torch.zeros((2,), device=self.device)
        self._look = CudaGraphed(self._act_and_look_back, self.device)
        self._obey = CudaGraphed(self._learn_to_obey, self.device, enabled=distributed.size == 1)
        self._answer = CudaGraphed(self._learn_to_answer, self.device, enabled=distributed.size == 1)

    @property
    def warming_up(self) -> bool:
        """Whether the agent still learns from questions alone."""
        return self.steps < self.config.warmup_steps

    def set_progress(self, done: float) -> None:
        """Set everything that follows a schedule; `done` goes from 0 to 1 in the course of training."""
        config = self.config
        left = 1 - done if config.optimizer == "adam" else 1.0  # Adagrad reduces its steps by itself
        for group in self.optimizer.param_groups:
            _set_rate(group, config.learning_rate * left)
        self._entropy_coef.fill_(config.entropy_coef * left)
        self._exploration.fill_(1 - _fraction(self.steps, config.exploration_steps))
        self.simulator.set_progress(_fraction(self.sessions, config.curriculum_sessions))

    def train_iteration(self, metrics: MetricsCollector, done: float, generator: torch.Generator) -> None:
        """A number of batches; each is a step of every environment, and one of the optimizer."""
        for _ in range(self.config.batches_per_iteration):
            self.set_progress(done)
            if self.warming_up:
                self._train_on_new_maps(metrics, generator)
            else:
                while self.replay.steps < _FIRST_STEPS:
                    self._take_step(metrics, generator)
                self._train_on_replay(metrics, generator)
        if self.device.type == "cuda":  # so that the GPU's time counts towards this phase
            with metrics.timing("update"):
                torch.cuda.synchronize(self.device)

    def modules(self) -> dict[str, nn.Module]:
        """The network with the target parameters, if it is another one."""
        return {} if self.target is self.agent else {"target": self.target}

    def arrays(self) -> dict[str, np.ndarray]:
        """The rest of the state of this process."""
        return {
            **{f"replay/{name}": array for name, array in self.replay.arrays().items()},
            "session_returns": self._returns,
            "session_discounts": self._discounts,
            "counts": np.array([self.steps, self.batches, self.sessions]),
        }

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Continue from such arrays."""
        self.replay.restore(strip_prefix(arrays, "replay/"))
        self._returns[:], self._discounts[:] = arrays["session_returns"], arrays["session_discounts"]
        self.steps, self.batches, self.sessions = arrays["counts"].tolist()

    def _train_on_new_maps(self, metrics: MetricsCollector, generator: torch.Generator) -> None:
        """Show a new map in every environment, and learn from the teacher's questions there."""
        with metrics.timing("rollout"):
            self.simulator.reset()
            arrays = self.simulator.tiles, self.simulator.questions, self.simulator.sessions["answer"].copy()
            shown = [torch.from_numpy(array).to(self.device) for array in arrays]
        with metrics.timing("update"):
            hidden = torch.rand((len(self.simulator), CELLS), generator=generator, device=self.device)
            losses, answers = self._answer(*shown, self._draw_noise(generator), hidden < self.config.cell_dropout)
        metrics.add_update(dict(zip(_LOSSES, losses, strict=True)), answers)
        self.steps += len(self.simulator) * self.distributed.size

    def _train_on_replay(self, metrics: MetricsCollector, generator: torch.Generator) -> None:
        """A step of every environment, and an optimizer step on recent ones; on a GPU, both at the same time."""
        # Drawn outside of what CUDA graphs record: they would replay their own draws.
        chances, transitions, questions = torch.rand((3, len(self.simulator)), generator=generator, device=self.device)
        with metrics.timing("rollout"):
            self._observe()
            self._renew_target()
            actions, behavior, places, next_values = self._look(*self._shown(), chances, self._exploration, transitions)
            moves = actions.cpu().numpy()
        with metrics.timing("update"):
            losses, answers = self._obey(places, next_values, questions, self._draw_noise(generator))
        metrics.add_update(dict(zip(_LOSSES, losses, strict=True)), answers)
        self.batches += 1
        with metrics.timing("rollout"):
            self._end_step(actions, behavior, moves, metrics)

    def _take_step(self, metrics: MetricsCollector, generator: torch.Generator) -> None:
        """A step of every environment, and nothing learned from it yet."""
        chances = torch.rand(len(self.simulator), generator=generator, device=self.device)
        with metrics.timing("rollout"):
            self._observe()
            actions, behavior = choose_actions(self._policy(*self._shown()), chances, self._exploration)
            self._end_step(actions, behavior, actions.cpu().numpy(), metrics)

    def _observe(self) -> None:
        simulator = self.simulator
        answers = simulator.sessions["answer"].copy()
        self.replay.observe(simulator.tiles, simulator.commands, simulator.questions, answers)

    def _shown(self) -> tuple[Tensor, Tensor]:
        """The tiles and commands that all environments show."""
        return self.replay.tiles[self.replay.newest], self.replay.commands[self.replay.newest]

    def _renew_target(self) -> None:
        if self.target is not self.agent and self.batches % self.config.target_update_interval == 0:
            self.target.load_state_dict(self.agent.state_dict())

    def _end_step(self, actions: Tensor, behavior: Tensor, moves: NDArray[np.int64], metrics: MetricsCollector) -> None:
        """Take the chosen actions, and keep what comes of them."""
        rewards, terminated, truncated = self.simulator.step(moves)
        self._returns += self._discounts * rewards
        self._discounts *= self.config.gamma
        dones = terminated | truncated
        command_types = self.simulator.final_sessions["command_type"][dones]
        metrics.add_sessions(command_types, terminated[dones], self._returns[dones])
        self._returns[dones], self._discounts[dones] = 0.0, 1.0
        self.replay.record(actions, behavior, rewards, dones)
        self.steps += len(dones) * self.distributed.size
        self.sessions += int(dones.sum()) * self.distributed.size

    def _draw_noise(self, generator: torch.Generator) -> Tensor:
        noise = torch.randn(self.agent.noise_shape, generator=generator, device=self.device)
        return self.config.embedding_noise * noise

    @torch.no_grad()
    def _policy(self, tiles: Tensor, commands: Tensor) -> Tensor:
        return self.agent.act(tiles, commands)[0]

    @torch.no_grad()
    def _act_and_look_back(
        self, tiles: Tensor, commands: Tensor, chances: Tensor, exploration: Tensor, draws: Tensor
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Choose actions, each with its probability; sample transitions, and value what came after each of them."""
        places = self.replay.sample_transitions(draws)
        next_tiles, next_commands = self.replay.successors(places)
        if self.target is self.agent:  # both in one pass
            both = torch.cat([tiles, next_tiles]), torch.cat([commands, next_commands])
            logits, values = self.agent.act(*both)
            logits, next_values = logits[: len(tiles)], values[len(tiles) :]
        else:
            logits, _ = self.agent.act(tiles, commands)
            _, next_values = self.target.act(next_tiles, next_commands)
        return *choose_actions(logits, chances, exploration), places, next_values

    def _learn_to_answer(
        self, tiles: Tensor, questions: Tensor, answers: Tensor, embedding_noise: Tensor, hidden: Tensor
    ) -> tuple[Tensor, Tensor]:
        """An optimizer step on questions alone, with cells hidden from attention, and a penalty where it is sharp."""
        scores, sharpness = self.agent.study(tiles, questions, embedding_noise, hidden)
        loss = recognition_loss(scores, answers)
        self._step(loss + self.config.sharpness_coef * sharpness)
        zero = torch.zeros_like(loss)
        return _detach(zero, zero, zero, loss, sharpness), count_answers(scores, answers)

    def _learn_to_obey(
        self, places: Tensor, next_values: Tensor, draws: Tensor, embedding_noise: Tensor
    ) -> tuple[Tensor, Tensor]:
        """An optimizer step on commands and questions; returns what `_LOSSES` names, and `count_answers`."""
        config = self.config
        batch, asked = self.replay.transitions(places), self.replay.sample_questions(draws)
        logits, values, scores = self.agent.respond(
            batch.tiles, batch.commands, asked.questions, asked.tiles, embedding_noise
        )
        # Unstated in the paper: running out of time is part of the task (the agent has to arrive in time), so
        # truncation ends a session just like reaching the target, and nothing is bootstrapped from beyond it.
        td_errors = (batch.rewards + config.gamma * (1 - batch.dones) * next_values - values).detach()
        behavior = batch.behavior if config.importance_ratio else None
        commands = actor_critic_loss(logits, values, batch.actions, td_errors, behavior)
        questions = recognition_loss(scores, asked.answers)
        self._step(commands.policy + commands.value - self._entropy_coef * commands.entropy + questions)
        if config.priority_exponent:
            self.replay.set_priorities(places, td_errors)
        losses = _detach(
            commands.policy, td_errors.square().mean(), commands.entropy, questions, torch.zeros_like(questions)
        )
        return losses, count_answers(scores, asked.answers)

    def _step(self, loss: Tensor) -> None:
        self.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        self.distributed.average_gradients(self.agent.parameters())
        self.optimizer.step()


def choose_actions(logits: Tensor, chances: Tensor, exploration: Tensor) -> tuple[Tensor, Tensor]:
    """Actions by uniform draws, a share of them any action, and the probability with which each was chosen."""
    policy = logits.softmax(dim=1)
    policy = torch.lerp(policy, torch.full_like(policy, 1 / len(ACTIONS)), exploration)
    thresholds = policy.cumsum(dim=1)
    actions = (chances[:, None] * thresholds[:, -1:] >= thresholds[:, :-1]).sum(dim=1)
    return actions, policy.gather(1, actions[:, None]).squeeze(1)


def _detach(*losses: Tensor) -> Tensor:
    return torch.stack([loss.detach() for loss in losses])


def _make_optimizer(config: TrainingConfig, agent: Model) -> torch.optim.Optimizer:
    on_gpu, decay = agent.atlas.is_cuda, config.weight_decay
    if config.optimizer == "adagrad":
        # Unstated in the paper: weight decay in the gradient, as with plain gradient descent. It prints 1e-4 times the
        # batch size for a sum over the batch: the same as 1e-4 for a mean.
        return torch.optim.Adagrad(
            agent.parameters(), config.learning_rate, weight_decay=decay, fused=not on_gpu, foreach=on_gpu
        )
    rate = torch.tensor(config.learning_rate, device=agent.atlas.device) if on_gpu else config.learning_rate
    return torch.optim.AdamW(
        agent.parameters(), rate, weight_decay=decay, eps=_ADAM_EPSILON, capturable=on_gpu, fused=True
    )


def _set_rate(group: dict[str, object], rate: float) -> None:
    if isinstance(group["lr"], Tensor):  # a CUDA graph reads it from here
        group["lr"].fill_(rate)
    else:
        group["lr"] = rate


def _fraction(done: int, whole: int) -> float:
    """How much of something is over, from 0 to 1; all of it if it takes no time."""
    return min(1.0, done / whole) if whole else 1.0

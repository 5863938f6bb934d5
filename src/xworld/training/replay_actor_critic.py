"""Learning from memories, as the paper has it: experience replay, target parameters, actor and critic as printed."""

import copy
from collections.abc import Mapping

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from xworld.agent.model import Model
from xworld.teacher.simulator import Simulator
from xworld.training.configs import ReplayActorCriticConfig
from xworld.training.cuda_graph import CudaGraphed
from xworld.training.diary import Diary
from xworld.training.distributed import Distributed
from xworld.training.losses import actor_critic_loss, count_answers, recognition_loss
from xworld.training.replay_buffer import ReplayBuffer
from xworld.training.tensors import as_tensors
from xworld.training.walker import Walker
from xworld.world.cells import ACTIONS

_LOSSES = "policy", "value", "recognition"
_FIRST_STEPS = 8
"""Time steps before learning begins, so that there is something to recall. Unstated in the paper."""


class ReplayActorCriticLearner:
    """After every time step of the worlds, one step of the optimizer."""

    def __init__(
        self, config: ReplayActorCriticConfig, agent: Model, simulator: Simulator, distributed: Distributed
    ) -> None:
        self.config, self.agent, self.simulator, self.distributed = config, agent, simulator, distributed
        self.device = agent.atlas.device
        self.walker = Walker(simulator, config.gamma)
        self.replay = ReplayBuffer(
            distributed.share(config.buffer_size, "remembered steps"), len(simulator), config.priority_exponent
        )
        self.batch = distributed.share(config.batch_size, "samples in a batch")
        self.target = copy.deepcopy(agent).requires_grad_(False)
        self.optimizer: torch.optim.Optimizer = torch.optim.Adagrad(
            agent.parameters(),
            lr=config.learning_rate,
            weight_decay=config.weight_decay * config.batch_size,
            fused=self.device.type == "cpu",
            foreach=self.device.type == "cuda",
        )
        self.steps, self.batches, self.sessions = 0, 0, 0
        self._act = CudaGraphed(self._choose, self.device)
        self._improve = CudaGraphed(self._descend, self.device, enabled=distributed.size == 1)

    @property
    def exploration(self) -> float:
        """The share of actions that are random."""
        return max(0.0, 1 - self.steps / self.config.exploration_steps)

    def set_progress(self, done: float) -> None:
        """Nothing here goes by the part of training that is done; the curriculum goes by sessions."""
        self._follow_curriculum()

    def _follow_curriculum(self) -> None:
        self.simulator.set_progress(min(1.0, self.sessions / self.config.curriculum_sessions))

    def play_round(self, diary: Diary, generator: torch.Generator) -> None:
        """Alternate between a time step and a step of the optimizer."""
        rng = np.random.default_rng(generator.initial_seed())
        with diary.timing("walking"):
            while self.steps < _FIRST_STEPS * self.config.num_envs or not self.replay.has_questions:
                self._walk(diary, rng)
        for _ in range(self.config.batches_per_iteration):
            with diary.timing("walking"):
                self._walk(diary, rng)
            with diary.timing("learning"):
                self._learn(diary, rng)

    def modules(self) -> dict[str, nn.Module]:
        """The network with the target parameters."""
        return {"target": self.target}

    def arrays(self) -> dict[str, np.ndarray]:
        """The memory, the sessions' accounts, and what exploration, target parameters and curriculum go by."""
        remembered = {f"replay/{name}": array for name, array in self.replay.arrays().items()}
        return {**self.walker.arrays(), **remembered, "counts": np.array([self.steps, self.batches, self.sessions])}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Go on from such arrays."""
        self.walker.restore(arrays)
        remembered = {name: array for name, array in arrays.items() if name.startswith("replay/")}
        self.replay.restore({name.removeprefix("replay/"): array for name, array in remembered.items()})
        self.steps, self.batches, self.sessions = arrays["counts"].tolist()

    def _walk(self, diary: Diary, rng: np.random.Generator) -> None:
        """One time step of every world, remembered."""
        simulator, ended = self.simulator, diary.sessions
        shown = simulator.tiles, simulator.commands, simulator.questions, simulator.sessions["answer"].copy()
        (policy,) = self._act(*as_tensors(self.device, *shown[:2]))
        chances = self.exploration / len(ACTIONS) + (1 - self.exploration) * policy.cpu().numpy()
        actions = draw_actions(chances, rng)
        rewards, over, _ = self.walker.step(actions, diary)
        self.replay.add(*shown, actions, rewards, over)
        self.steps += len(simulator) * self.distributed.size
        self.sessions += (diary.sessions - ended) * self.distributed.size
        self._follow_curriculum()

    def _learn(self, diary: Diary, rng: np.random.Generator) -> None:
        """One step of the optimizer, from a minibatch of transitions and another one of questions."""
        if self.batches % self.config.target_update_interval == 0:
            self.target.load_state_dict(self.agent.state_dict())
        walked = self.replay.sample_transitions(self.batch, rng)
        asked = self.replay.sample_questions(self.batch, rng)
        now, ends = walked.now, walked.now.ends.astype(np.float32)
        td_error, losses, answers = self._improve(
            *as_tensors(self.device, now.tiles, now.commands, now.actions, now.rewards, ends),
            *as_tensors(self.device, walked.next_tiles, walked.next_commands),
            *as_tensors(self.device, asked.tiles, asked.questions, asked.answers),
        )
        self.replay.set_priorities(walked.numbers, td_error.cpu().numpy())
        diary.learned(dict(zip(_LOSSES, losses, strict=True)), answers)
        self.batches += 1

    @torch.no_grad()
    def _choose(self, tiles: Tensor, commands: Tensor) -> tuple[Tensor]:
        return (self.agent.act(tiles, commands)[0].softmax(dim=1),)

    def _descend(
        self,
        tiles: Tensor,
        commands: Tensor,
        actions: Tensor,
        rewards: Tensor,
        ends: Tensor,
        next_tiles: Tensor,
        next_commands: Tensor,
        asked_about: Tensor,
        questions: Tensor,
        answers: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """The td_error at each transition, the figures that `_LOSSES` names, and right answers of how many."""
        with torch.no_grad():
            _, following = self.target.act(next_tiles, next_commands)
        logits, values, scores, *_ = self.agent.respond(tiles, commands, questions, asked_about)
        td_error = (rewards + self.config.gamma * (1 - ends) * following - values).detach()
        walking = actor_critic_loss(logits, values, actions, td_error)
        answering = len(answers) * recognition_loss(scores, answers)  # a sum over samples, as in walking
        self.optimizer.zero_grad()
        loss = self.distributed.size * (walking + answering)  # which the distributed averages, and a sum is wanted
        loss.backward()  # type: ignore[no-untyped-call]
        self.distributed.average_gradients(self.agent.parameters())
        self.optimizer.step()
        figures = walking.detach(), td_error.square().mean(), answering.detach() / len(answers)
        return td_error, torch.stack(figures), count_answers(scores, answers)


def draw_actions(chances: np.ndarray, rng: np.random.Generator) -> NDArray[np.int64]:
    """One action for each row of (worlds, 4) chances."""
    thresholds = chances.cumsum(axis=1)
    lots = rng.random(len(chances))[:, None] * thresholds[:, -1:]
    actions: NDArray[np.int64] = np.sum(lots >= thresholds[:, :-1], axis=1, dtype=np.int64)
    return actions

"""Training: an agent, the worlds it lives in, the learner that changes it, and all of that as a checkpoint."""

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor, nn

from xworld.agent.agent import Agent, AttentionModel
from xworld.agent.init import init_as_printed, init_balanced
from xworld.agent.model import Model
from xworld.baselines.registry import make_model
from xworld.teacher.holdout import PAPER_SHARE, Holdout
from xworld.teacher.simulator import Simulator
from xworld.training.checked_file import CheckpointError
from xworld.training.checkpoint import check_shapes
from xworld.training.configs import PPOConfig, ReplayActorCriticConfig, TrainingConfig
from xworld.training.diary import Diary
from xworld.training.distributed import Distributed
from xworld.training.ppo import PPOLearner
from xworld.training.progress import Progress
from xworld.training.replay_actor_critic import ReplayActorCriticLearner
from xworld.world.catalogue import Catalogue

State = tuple[dict[str, Tensor], dict[str, np.ndarray], dict[str, Any]]
"""Tensors, arrays and a record: what `save_state` writes and `load_state` gives back."""


class Learner(Protocol):
    """A way of learning: how a round goes, and what it keeps from one round to the next."""

    optimizer: torch.optim.Optimizer

    def set_progress(self, done: float) -> None:
        """Set everything that changes in the course of training; `done` goes from 0 to 1."""

    def play_round(self, diary: Diary, generator: torch.Generator) -> None:
        """Walk and learn, and write it in the diary."""

    def modules(self) -> dict[str, nn.Module]:
        """Networks besides the agent."""

    def arrays(self) -> dict[str, np.ndarray]:
        """Everything else that a process has of its own."""

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Go on from such arrays."""


class Trainer:
    """Trains one agent, round after round; alone, or as one process of a team.

    The agent is a model by its name, the paper's framework or one of its baselines; `share` is how much the condition
    holds out.

    All chance comes from the seed and the number of the round, so that a run which was broken off goes on as if nothing
    had happened.

    >>> from dataclasses import replace
    >>> from xworld.training.configs import TINY
    >>> trainer = Trainer(replace(TINY, num_envs=8, num_steps=2, total_steps=32), seed=1)
    >>> while not trainer.finished:
    ...     progress = trainer.train_once()
    >>> progress.iteration, progress.global_step
    (2, 32)
    """

    def __init__(
        self,
        config: TrainingConfig,
        condition: str = "Standard",
        seed: int = 0,
        device: torch.device | str = "cpu",
        distributed: Distributed | None = None,
        model: str = "framework",
        share: float = PAPER_SHARE,
    ) -> None:
        self.config, self.condition, self.seed, self.model = config, condition, seed, model
        self.device, self.distributed = torch.device(device), distributed or Distributed()
        self.catalogue = Catalogue.load()
        self.holdout = Holdout.draw(condition, self.catalogue, seed, share)
        self.simulator = Simulator(
            self.distributed.share(config.num_envs, "worlds"), self.catalogue, self.holdout, config.teacher
        )
        self.words = self.simulator.grammar.vocabulary.words
        self.agent, self.learner = self._make()
        self.iteration = 0
        self._generator = torch.Generator(self.device)
        self.learner.set_progress(0.0)
        seeds = np.random.default_rng(seed).integers(2**63, size=config.num_envs)
        self.simulator.reset(seeds[self.distributed.part(config.num_envs)])

    @property
    def global_step(self) -> int:
        """Steps of the agent so far, over all worlds."""
        return self.iteration * self.config.steps_per_iteration

    @property
    def finished(self) -> bool:
        """Whether the config's last round is over."""
        return self.iteration >= self.config.iterations

    def train_once(self) -> Progress:
        """One round of walking and learning."""
        self.learner.set_progress(self.iteration / self.config.iterations)
        self._generator.manual_seed(self._round_seed())
        diary = Diary(self.config.teacher.commands, self.device)
        self.learner.play_round(diary, self._generator)
        self.iteration += 1
        return Progress(
            iteration=self.iteration,
            iterations=self.config.iterations,
            global_step=self.global_step,
            learning_rate=float(self.learner.optimizer.param_groups[0]["lr"]),
            difficulty=self.simulator.progress,
            **diary.sum_up(self.distributed),  # type: ignore[arg-type]
        )

    def state(self) -> State:
        """Everything that the rest of training depends on; with a distributed, every process has to call this."""
        tensors = {f"agent/{name}": tensor for name, tensor in self.agent.state_dict().items()}
        for module_name, module in self.learner.modules().items():
            tensors |= {f"{module_name}/{name}": tensor for name, tensor in module.state_dict().items()}
        for number, entries in self.learner.optimizer.state_dict()["state"].items():
            tensors |= {f"optimizer/{number}/{name}": torch.as_tensor(entry) for name, entry in entries.items()}
        record = {
            "iteration": self.iteration,
            "processes": self.distributed.size,
            "words": list(self.words),
            "model": self.model,
        }
        return tensors, {name: self._collect(array) for name, array in self._own_arrays().items()}, record

    def restore(self, state: State) -> None:
        """Go on from a state of the same config, condition, seed and model, before any training of one's own."""
        tensors, arrays, record = state
        if self.iteration:
            raise CheckpointError("a trainer that has trained cannot go on from elsewhere; make a new one")
        if (model := record.get("model", "framework")) != self.model:  # the first states did not say
            raise CheckpointError(f"the run trains the model {model!r}, and this is {self.model!r}")
        if record["words"] != list(self.words):
            raise CheckpointError("the run was trained with other words: go on with the xworld that began it")
        if record["processes"] != self.distributed.size:
            raise CheckpointError(
                f"the run was trained by {record['processes']} process(es) and these are {self.distributed.size}: "
                f"resume it with as many"
            )
        own = {name: array[self.distributed.rank] for name, array in arrays.items()}
        self.simulator.set_state(own.pop("worlds"), own.pop("sessions"))
        self.learner.restore(own)
        for name, module in {"agent": self.agent, **self.learner.modules()}.items():
            saved = _under(tensors, name)
            check_shapes(saved, {key: tensor.shape for key, tensor in module.state_dict().items()}, "the run's state")
            module.load_state_dict(saved)
        self._restore_optimizer(_under(tensors, "optimizer"))
        self.iteration = int(record["iteration"])

    def _make(self) -> tuple[Model, Learner]:
        """A new agent that knows no word, and what teaches it; the same in every process of a team."""
        devices = [self.device] if self.device.type == "cuda" else []
        with torch.random.fork_rng(devices):
            torch.manual_seed(self.seed)
            atlas = torch.from_numpy(self.catalogue.atlas())
            agent = make_model(self.model, len(self.words), atlas, self.config.temperature)
            if isinstance(agent, Agent):
                agent.programmer.log_temperature.requires_grad_(self.config.learn_temperature)
            return agent, self._make_learner(agent)

    def _make_learner(self, agent: Model) -> Learner:
        config, simulator, distributed = self.config, self.simulator, self.distributed
        if isinstance(config, PPOConfig):
            if isinstance(agent, AttentionModel):  # the others have neither a map of places nor an action module
                init_balanced(agent, config.spatial_std, config.visual_gain)
            return PPOLearner(config, agent.to(self.device), simulator, distributed)
        if isinstance(config, ReplayActorCriticConfig):
            init_as_printed(agent)
            return ReplayActorCriticLearner(config, agent.to(self.device), simulator, distributed)
        raise TypeError(f"no learner for a config of type {type(config).__name__}")

    def _round_seed(self) -> int:
        """A seed for this round and process, unrelated to any other."""
        return int(
            np.random.SeedSequence([self.seed, self.iteration, self.distributed.rank]).generate_state(1, np.uint64)[0]
            >> 1
        )

    def _own_arrays(self) -> dict[str, np.ndarray]:
        return {"worlds": self.simulator.worlds, "sessions": self.simulator.sessions, **self.learner.arrays()}

    def _collect(self, array: np.ndarray) -> np.ndarray:
        """(processes, ...) Everybody's array."""
        return self.distributed.collect(array[None], self.device)

    def _restore_optimizer(self, tensors: Mapping[str, Tensor]) -> None:
        state: dict[int, dict[str, Tensor]] = {}
        for name, tensor in tensors.items():
            number, entry = name.split("/")
            state.setdefault(int(number), {})[entry] = tensor
        optimizer = self.learner.optimizer
        optimizer.load_state_dict({"state": state, "param_groups": optimizer.state_dict()["param_groups"]})


def _under(tensors: Mapping[str, Tensor], name: str) -> dict[str, Tensor]:
    """The tensors whose names begin with this one."""
    return {key.removeprefix(f"{name}/"): tensor for key, tensor in tensors.items() if key.startswith(f"{name}/")}

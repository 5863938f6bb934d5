"""The trainer: an agent, its environments, a learner that updates it, and the state of all of them."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from xworld.agent.agent import AttentionModel
from xworld.agent.init import init_as_printed, init_balanced
from xworld.agent.model import Model
from xworld.baselines.registry import make_model
from xworld.evaluation.splits import TRAINING
from xworld.teacher.holdout import PAPER_SHARE, Holdout
from xworld.teacher.simulator import Simulator
from xworld.training.checked_file import CheckpointError
from xworld.training.checkpoint import (
    check_arrays,
    check_record,
    check_shapes,
    save_weights,
    split_records,
    strip_prefix,
)
from xworld.training.configs import LENGTHS, TrainingConfig, as_json
from xworld.training.distributed import Distributed
from xworld.training.learner import Learner
from xworld.training.metrics import Metrics, MetricsCollector
from xworld.world.catalogue import Catalogue

State = tuple[dict[str, Tensor], dict[str, np.ndarray], dict[str, Any]]
"""Tensors, arrays and a JSON record: what `save_state` writes and `load_state` reads."""


class Trainer:
    """Trains one agent, iteration by iteration, in one process or as one of several.

    `model` names the framework, with a planner or as in the paper, or one of the baselines; `share` is the share of
    words or combinations that the condition holds out; `pack` is the folder of an icon pack.

    All randomness comes from the seed and the number of the iteration, so that an interrupted run continues as if it
    had not been interrupted.

    >>> from dataclasses import replace
    >>> from xworld.training.configs import TINY
    >>> config = replace(TINY, num_envs=8, buffer_size=64, batches_per_iteration=2, total_steps=32)
    >>> trainer = Trainer(config, seed=1)
    >>> while not trainer.finished:
    ...     metrics = trainer.train_iteration()
    >>> metrics.iteration, metrics.global_step
    (2, 32)
    """

    def __init__(
        self,
        config: TrainingConfig,
        condition: str = "Standard",
        seed: int = 0,
        device: torch.device | str = "cpu",
        distributed: Distributed | None = None,
        model: str = "planner",
        share: float = PAPER_SHARE,
        pack: str | Path | None = None,
    ) -> None:
        self.config, self.condition, self.seed, self.model = config, condition, seed, model
        self.device, self.distributed = torch.device(device), distributed or Distributed()
        self.catalogue = Catalogue.load(pack)
        self.holdout = Holdout.draw(condition, self.catalogue, seed, share)
        num_envs = self.distributed.share(config.num_envs, "environments")
        self.simulator = Simulator(num_envs, self.catalogue, self.holdout, config.teacher)
        self.words = self.simulator.grammar.vocabulary.words
        self.agent, self.learner = self._make()
        self.iteration = 0
        self._generator = torch.Generator(self.device)
        self.learner.set_progress(0.0)
        seeds = np.random.default_rng(seed).integers(TRAINING.start, TRAINING.stop, size=config.num_envs)
        self.simulator.reset(seeds[self.distributed.part(config.num_envs)])

    @property
    def global_step(self) -> int:
        """Steps of the agent so far, over all environments."""
        return self.iteration * self.config.steps_per_iteration

    @property
    def finished(self) -> bool:
        """Whether the last iteration is over."""
        return self.iteration >= self.config.iterations

    def train_iteration(self) -> Metrics:
        """One iteration of collecting experience and training on it."""
        seeds = np.random.SeedSequence([self.seed, self.iteration, self.distributed.rank])
        self._generator.manual_seed(int(seeds.generate_state(1, np.uint64)[0] >> 1))
        collector = MetricsCollector(self.config.teacher.commands, self.device)
        self.learner.train_iteration(collector, self.iteration / self.config.iterations, self._generator)
        self.iteration += 1
        return Metrics(
            iteration=self.iteration,
            iterations=self.config.iterations,
            global_step=self.global_step,
            learning_rate=float(self.learner.optimizer.param_groups[0]["lr"]),
            difficulty=self.simulator.progress,
            **collector.summarize(self.distributed),
        )

    def save_weights(self, path: Path, provenance: Mapping[str, object]) -> None:
        """Write the agent's weights with the words and the fingerprint of its catalogue."""
        catalogue = self.catalogue
        save_weights(path, self.agent, provenance, catalogue.classes, self.words, fingerprint=catalogue.fingerprint)

    def state(self) -> State:
        """Everything that the rest of training depends on; all processes have to call this."""
        tensors = {f"agent/{name}": tensor for name, tensor in self.agent.state_dict().items()}
        for module_name, module in self.learner.modules().items():
            tensors |= {f"{module_name}/{name}": tensor for name, tensor in module.state_dict().items()}
        for number, entries in self.learner.optimizer.state_dict()["state"].items():
            tensors |= {f"optimizer/{number}/{name}": torch.as_tensor(entry) for name, entry in entries.items()}
        own = {"worlds": self.simulator.worlds, "sessions": self.simulator.sessions, **self.learner.arrays()}
        arrays = {name: self.distributed.gather(array) for name, array in split_records(own).items()}
        return tensors, arrays, self._record()

    def _record(self) -> dict[str, Any]:
        """What identifies the run, and how far it is."""
        return {
            "iteration": self.iteration,
            "model": self.model,
            "seed": self.seed,
            "config": as_json(self.config),
            "words": list(self.words),
            "fingerprint": self.catalogue.fingerprint,
            "holdout": asdict(self.holdout),
            "processes": self.distributed.size,
        }

    def restore(self, state: State) -> None:
        """Continue from a state of the same config, condition, seed and model, in a trainer that has not trained."""
        tensors, arrays, record = state
        if self.iteration:
            raise CheckpointError("a trainer that has trained cannot restore a state; make a new one")
        self._refuse_other_run(record)
        own = {name: array[self.distributed.rank] for name, array in arrays.items()}
        worlds, sessions = np.zeros_like(self.simulator.worlds), np.zeros_like(self.simulator.sessions)
        records = split_records({"worlds": worlds, "sessions": sessions})
        check_arrays(own, {**records, **self.learner.arrays()})
        for name, field in records.items():
            field[...] = own[name]
        self.simulator.set_state(worlds, sessions)
        self.learner.restore(own)
        for name, module in {"agent": self.agent, **self.learner.modules()}.items():
            saved = strip_prefix(tensors, f"{name}/")
            check_shapes(saved, module.state_dict(), "the run's state")
            module.load_state_dict(saved)
        self._restore_optimizer(strip_prefix(tensors, "optimizer/"))
        self.iteration = int(record["iteration"])

    def _refuse_other_run(self, record: Mapping[str, Any]) -> None:
        """An error where a state is not one of this run. A run may be made longer or shorter."""
        check_record(record, self._record())
        for name, own in (("model", self.model), ("seed", self.seed)):
            if record[name] != own:
                raise CheckpointError(f"the state belongs to another run: its {name} is {record[name]!r}, not {own!r}")
        theirs, ours = record["config"], as_json(self.config)
        other = [name for name in {**theirs, **ours} if name not in LENGTHS and theirs.get(name) != ours.get(name)]
        if other:
            raise CheckpointError(f"the state belongs to another run: it was trained with another {', '.join(other)}")
        if record["words"] != list(self.words) or Holdout.from_json(record["holdout"]) != self.holdout:
            raise CheckpointError(
                "the run was trained with other words, or holds out other commands: "
                "resume it with the version of xworld that started it"
            )
        if record["fingerprint"] != self.catalogue.fingerprint:
            raise CheckpointError(
                f"the run was trained with other pictures: their fingerprint is {record['fingerprint']}, and that of "
                f"these is {self.catalogue.fingerprint}; resume it with its own icon pack"
            )
        if record["processes"] != self.distributed.size:
            raise CheckpointError(
                f"the run was trained by {record['processes']} process(es), not {self.distributed.size}: "
                f"resume it with the same number"
            )

    def _make(self) -> tuple[Model, Learner]:
        """A new agent and its learner; the same in every process."""
        devices = [self.device] if self.device.type == "cuda" else []
        with torch.random.fork_rng(devices):
            torch.manual_seed(self.seed)
            atlas = torch.from_numpy(self.catalogue.atlas())
            agent = make_model(self.model, len(self.words), atlas, self.config.temperature)
            if self.config.init == "printed":
                init_as_printed(agent)
            elif isinstance(agent, AttentionModel):  # the others have neither a spatial map nor an action module
                init_balanced(agent)
        return agent, Learner(self.config, agent.to(self.device), self.simulator, self.distributed)

    def _restore_optimizer(self, tensors: Mapping[str, Tensor]) -> None:
        state: dict[int, dict[str, Tensor]] = {}
        for name, tensor in tensors.items():
            number, entry = name.split("/")
            state.setdefault(int(number), {})[entry] = tensor
        optimizer = self.learner.optimizer
        optimizer.load_state_dict({"state": state, "param_groups": optimizer.state_dict()["param_groups"]})

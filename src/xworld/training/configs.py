"""How an agent is trained: a frozen record of settings for each of two methods, and the presets that fill them."""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from xworld.teacher.settings import SettingsError, TeacherSettings
from xworld.world.movement import Rewards


@dataclass(frozen=True, kw_only=True)
class TrainingConfig(ABC):
    """What both methods settle."""

    name: str
    """What the config is called; runs are named after it."""
    num_envs: int
    """Worlds side by side."""
    learning_rate: float
    """How far a step of the optimizer goes."""
    weight_decay: float
    """How strongly weights are drawn to zero."""
    gamma: float = 0.99
    """What a reward is worth one step later."""
    temperature: float
    """The sharpness of word attention, or where it starts if it is learned."""
    learn_temperature: bool
    """Whether the sharpness of word attention is learned."""
    teacher: TeacherSettings = TeacherSettings()
    """What the worlds hold and what is said in them, in training and in tests during training."""

    def __post_init__(self) -> None:
        self._check("num_envs", "steps_per_iteration", "iterations", least=1)
        self._check("learning_rate", "temperature", least=1e-12)
        self._check("weight_decay", least=0)
        self._check("gamma", least=0, most=1)

    def _check(self, *names: str, least: float, most: float = math.inf) -> None:
        for name in names:
            value = getattr(self, name)
            if not (isinstance(value, int | float) and least <= value <= most and value < math.inf):
                wanted = f"{least:g} or more" if most == math.inf else f"a number from {least:g} to {most:g}"
                raise SettingsError(f"{name}={value!r}: expected {wanted}")

    @property
    @abstractmethod
    def steps_per_iteration(self) -> int:
        """Steps of the agent in one round, over all worlds."""

    @property
    @abstractmethod
    def iterations(self) -> int:
        """Rounds of walking and learning."""


@dataclass(frozen=True, kw_only=True)
class PPOConfig(TrainingConfig):
    """The agent walks in many worlds at once, then learns from what it has just seen."""

    total_steps: int = 3_000_000
    """Steps of the agent, over all worlds, until training ends; rounded up to whole rounds."""
    num_steps: int = 16
    """Steps in every world between two rounds of learning."""
    num_minibatches: int = 16
    """Parts into which what was seen is split; each gives one step of the optimizer."""
    gae_lambda: float = 0.95
    """Lambda of the generalized advantage estimate."""
    clip_range: float = 0.2
    """How far the policy may move away from the one that walked."""
    entropy_coef: float = 0.01
    """Weight of the policy's entropy in the loss."""
    hindsight_coef: float = 1.0
    """Weight, at first, of learning from having arrived where the command had led."""
    hindsight_fraction: float = 0.3
    """The part of training in which that weight falls to nothing. It brings words and places together early; kept up,
    it makes words that were heard in commands outshout those that never were."""
    gate_decay: float = 0.01
    """Weight of keeping what gates are made of small, so that none shuts for good."""
    max_grad_norm: float = 1.0
    """Gradients are scaled down to this norm."""
    final_lr_fraction: float = 0.02
    """The learning rate falls linearly to this share of where it began."""
    curriculum_fraction: float = 0.125
    """The part of training after which worlds are at full difficulty."""
    embedding_noise: float = 1.0
    """Standard deviation of the noise on words where their roles are read from them."""
    spatial_std: float = 0.1
    """Standard deviation with which the map of places starts."""
    visual_gain: float = 0.4
    """Size of the visual features at the start. Sight and place must begin with a say of like size: where one drowns
    the other out, the words of the other are never learned."""

    def __post_init__(self) -> None:
        self._check("total_steps", "num_steps", "num_minibatches", least=1)
        super().__post_init__()
        self._check("clip_range", "max_grad_norm", least=1e-12)
        self._check(
            "entropy_coef", "hindsight_coef", "gate_decay", "embedding_noise", "spatial_std", "visual_gain", least=0
        )
        self._check("gae_lambda", "final_lr_fraction", "curriculum_fraction", "hindsight_fraction", least=0, most=1)
        if self.num_envs * self.num_steps % self.num_minibatches:
            raise SettingsError(
                f"{self.num_envs} worlds x {self.num_steps} steps cannot be split into "
                f"{self.num_minibatches} equal minibatches"
            )

    @property
    def steps_per_iteration(self) -> int:
        """Steps of the agent in one round, over all worlds."""
        return self.num_envs * self.num_steps

    @property
    def iterations(self) -> int:
        """Rounds of walking and learning."""
        return -(-self.total_steps // self.steps_per_iteration)


@dataclass(frozen=True, kw_only=True)
class ReplayActorCriticConfig(TrainingConfig):
    """The agent learns from random memories of its most recent steps, as the paper has it."""

    total_batches: int = 200_000
    """Pairs of minibatches, one for walking and one for answering, until training ends; rounded up to whole rounds."""
    batch_size: int = 16
    """Size of a minibatch."""
    batches_per_iteration: int = 500
    """How often progress is reported; 500 batches are the 8k examples over which the paper averages its curves."""
    buffer_size: int = 10_000
    """The most recent steps that are remembered, over all worlds."""
    priority_exponent: float = 0.7
    """A transition of rank r is recalled in proportion to r to the power of minus this."""
    target_update_interval: int = 2_000
    """Batches after which the parameters that judge the next state are renewed."""
    exploration_steps: int = 500_000
    """Steps over which the rate of random exploration falls from 1 to 0."""
    curriculum_sessions: int = 10_000
    """Sessions, over all worlds, after which worlds are at full difficulty."""

    def __post_init__(self) -> None:
        names = (
            "total_batches",
            "batch_size",
            "batches_per_iteration",
            "buffer_size",
            "target_update_interval",
            "exploration_steps",
        )
        self._check(*names, "curriculum_sessions", least=1)
        super().__post_init__()
        self._check("priority_exponent", least=0)
        if not (self.teacher.question_rate and self.teacher.questions):
            raise SettingsError(
                "a config with replay learns from questions too: allow some, and a question_rate above 0"
            )
        if self.buffer_size % self.num_envs or self.buffer_size < 2 * self.num_envs:
            raise SettingsError(f"buffer={self.buffer_size}: expected at least twice as many as worlds, and a multiple")

    @property
    def steps_per_iteration(self) -> int:
        """Steps of the agent in one round, over all worlds."""
        # Unstated in the paper: how many steps are taken for each batch. One in every world, so that with as many
        # worlds as there are samples in a batch a step is recalled about once.
        return self.batches_per_iteration * self.num_envs

    @property
    def iterations(self) -> int:
        """Rounds of walking and learning."""
        return -(-self.total_batches // self.batches_per_iteration)


FAST = PPOConfig(
    name="fast", num_envs=512, learning_rate=1e-3, weight_decay=0.5, temperature=5.0, learn_temperature=True
)
TINY = replace(
    FAST,
    name="tiny",
    num_envs=128,
    total_steps=40_000,
    num_steps=8,
    curriculum_fraction=0.5,
    teacher=TeacherSettings(
        map_size=(3, 5),
        objects=(1, 2),
        walls=(0, 3),
        classes=(4, 6),
        commands=("nav_obj",),
        questions=("rec_loc2obj", "rec_obj2loc"),
    ),
)
PAPER = ReplayActorCriticConfig(
    name="paper2017", num_envs=16, learning_rate=1e-5, weight_decay=1e-4, temperature=1.0, learn_temperature=False
)
PRESETS: Mapping[str, TrainingConfig] = {config.name: config for config in (FAST, TINY, PAPER)}
"""`fast` is the best we know, `tiny` can be watched learning on a laptop, `paper2017` is the paper to the letter."""


def as_json(config: TrainingConfig) -> dict[str, Any]:
    """A config in words and numbers."""
    return {"method": type(config).__name__, **asdict(config)}


def from_json(values: Mapping[str, Any]) -> TrainingConfig:
    """The config that `as_json` described.

    >>> from_json(as_json(TINY)) == TINY
    True
    """
    settings = dict(values)
    kinds = {kind.__name__: kind for kind in (PPOConfig, ReplayActorCriticConfig)}
    kind = kinds.get(settings.pop("method", ""))
    known = {field.name for field in fields(kind)} if kind else set()
    if kind is None or set(settings) != known:
        odd = ", ".join(sorted(known ^ set(settings))) or "its method"
        raise SettingsError(f"the config was written by another version of xworld: see {odd}")
    teacher: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in settings["teacher"].items()
    }
    settings["teacher"] = TeacherSettings(**teacher | {"rewards": Rewards(*teacher["rewards"])})
    return kind(**settings)

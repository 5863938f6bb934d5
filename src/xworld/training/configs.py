"""Training configs: the settings of the two algorithms, and the presets."""

import json
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from xworld.teacher.commands import COMMANDS
from xworld.teacher.questions import QUESTIONS
from xworld.teacher.settings import TeacherSettings
from xworld.world.checks import MAX_INT, SettingsError, check_choice, check_flag, check_kind, check_number, check_whole
from xworld.world.movement import Rewards

LENGTHS = {"total_steps", "total_batches"}
"""The settings that say how long a run is."""
_STORED = {"num_envs", "num_steps", "batch_size", "buffer_size"}
_MAX_STORED = 2**26
"""Steps that are kept in memory at a time; so many take some 25 GB."""
_POSITIVE = {"learning_rate", "temperature", "clip_range", "max_grad_norm"}
_FRACTIONS = {"gamma", "gae_lambda", "final_lr_fraction", "curriculum_fraction", "hindsight_fraction"}


@dataclass(frozen=True, kw_only=True)
class TrainingConfig(ABC):
    """The settings that both algorithms have."""

    name: str
    """Name of the config; runs are named after it."""
    num_envs: int
    """Number of parallel environments."""
    learning_rate: float
    """Learning rate of the optimizer, at the start."""
    weight_decay: float
    """Weight decay of the optimizer."""
    gamma: float = 0.99
    """Discount factor of rewards."""
    temperature: float
    """Temperature of word attention, or its initial value if it is learned."""
    learn_temperature: bool
    """Whether the temperature of word attention is learned."""
    teacher: TeacherSettings = TeacherSettings()
    """Maps, objects and sentences, in training and in its evaluations."""

    def __post_init__(self) -> None:
        """Check every setting: counts are at least 1, other numbers at least 0, or as the tables above say."""
        for field in fields(self):
            object.__setattr__(self, field.name, _check(field.name, field.type, getattr(self, field.name)))

    @property
    @abstractmethod
    def steps_per_iteration(self) -> int:
        """Steps of the agent in one iteration, over all environments."""

    @property
    @abstractmethod
    def iterations(self) -> int:
        """Number of iterations."""


@dataclass(frozen=True, kw_only=True)
class PPOConfig(TrainingConfig):
    """Proximal policy optimization: train once on each rollout of many parallel environments."""

    total_steps: int = 3_000_000
    """Steps of the whole training, over all environments; rounded up to whole iterations."""
    num_steps: int = 16
    """Steps of every environment in one rollout."""
    num_minibatches: int = 16
    """Minibatches of a rollout; each makes one optimizer step."""
    gae_lambda: float = 0.95
    """Lambda of generalized advantage estimation."""
    clip_range: float = 0.2
    """Clipping range of the policy ratio."""
    entropy_coef: float = 0.01
    """Coefficient of the entropy bonus."""
    hindsight_coef: float = 1.0
    """Initial coefficient of the hindsight loss, which draws attention to where the target turned out to be."""
    hindsight_fraction: float = 0.3
    """Fraction of training over which that coefficient falls to 0. Hindsight grounds words early; kept for longer, it
    biases attention towards words heard in commands."""
    gate_decay: float = 0.01
    """Coefficient of the L2 penalty on the gate logits, so that no gate saturates."""
    max_grad_norm: float = 1.0
    """Gradients are clipped to this norm."""
    final_lr_fraction: float = 0.02
    """The learning rate falls linearly to this fraction of its initial value."""
    curriculum_fraction: float = 0.125
    """Fraction of training after which the curriculum is at full difficulty."""
    embedding_noise: float = 1.0
    """Standard deviation of the noise on word embeddings where the programmer reads their syntax."""
    spatial_std: float = 0.1
    """Initial standard deviation of the spatial map."""
    visual_gain: float = 0.4
    """Initial gain of the visual features. Visual and spatial scores must start at a similar magnitude: if one drowns
    the other out, its words are never learned."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_whole("num_envs x num_steps", self.num_envs * self.num_steps, 1, _MAX_STORED)
        if self.num_envs * self.num_steps % self.num_minibatches:
            raise SettingsError(
                f"{self.num_envs} environments x {self.num_steps} steps cannot be split into "
                f"{self.num_minibatches} equal minibatches"
            )

    @property
    def steps_per_iteration(self) -> int:
        """Steps of the agent in one iteration, over all environments."""
        return self.num_envs * self.num_steps

    @property
    def iterations(self) -> int:
        """Number of iterations."""
        return -(-self.total_steps // self.steps_per_iteration)


@dataclass(frozen=True, kw_only=True)
class ReplayActorCriticConfig(TrainingConfig):
    """Actor-critic with experience replay, as in the paper."""

    total_batches: int = 200_000
    """Optimizer steps of the whole training, each on two minibatches, of commands and of questions; rounded up."""
    batch_size: int = 16
    """Size of a minibatch."""
    batches_per_iteration: int = 500
    """Optimizer steps per iteration; 500 are the 8k examples over which the paper averages its curves."""
    buffer_size: int = 10_000
    """Capacity of the replay buffer, in steps over all environments."""
    priority_exponent: float = 0.7
    """A transition of rank r is sampled in proportion to r to the power of minus this."""
    target_update_interval: int = 2_000
    """Optimizer steps between two updates of the target parameters."""
    exploration_steps: int = 500_000
    """Steps over which the share of random actions falls from 1 to 0."""
    curriculum_sessions: int = 10_000
    """Sessions, over all environments, after which the curriculum is at full difficulty."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (self.teacher.question_rate and self.teacher.questions):
            raise SettingsError("this algorithm needs questions: allow some, with a question_rate above 0")
        if self.buffer_size % self.num_envs or self.buffer_size < 2 * self.num_envs:
            raise SettingsError(
                f"buffer_size={self.buffer_size}: expected a multiple of num_envs, at least twice as much"
            )

    @property
    def steps_per_iteration(self) -> int:
        """Steps of the agent in one iteration, over all environments."""
        # Unstated in the paper: the number of steps per batch. One in every environment: with as many environments as
        # samples in a batch, each step is sampled about once.
        return self.batches_per_iteration * self.num_envs

    @property
    def iterations(self) -> int:
        """Number of iterations."""
        return -(-self.total_batches // self.batches_per_iteration)


def _check(name: str, kind: Any, value: Any) -> Any:
    if kind is int:
        return check_whole(name, value, 1, _MAX_STORED if name in _STORED else MAX_INT)
    if kind is float:
        return check_number(name, value, 1e-12 if name in _POSITIVE else 0, 1 if name in _FRACTIONS else math.inf)
    return check_flag(name, value) if kind is bool else check_kind(name, value, kind)


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
        commands=("nav_obj", *COMMANDS.added),
        questions=("rec_loc2obj", "rec_obj2loc", *QUESTIONS.added),
    ),
)
PAPER = ReplayActorCriticConfig(
    name="paper2017", num_envs=16, learning_rate=1e-5, weight_decay=1e-4, temperature=1.0, learn_temperature=False
)
PRESETS: Mapping[str, TrainingConfig] = {config.name: config for config in (FAST, TINY, PAPER)}
"""`fast` is the best we know, `tiny` learns a small task on a laptop, `paper2017` follows the paper to the letter."""


def find_preset(name: str) -> TrainingConfig:
    """A preset by its name, with the types of sentence that were added after the presets were made."""
    config = PRESETS[check_choice("config", name, tuple(PRESETS))]
    commands = dict.fromkeys((*config.teacher.commands, *COMMANDS.added))
    questions = dict.fromkeys((*config.teacher.questions, *QUESTIONS.added))
    return replace(config, teacher=replace(config.teacher, commands=tuple(commands), questions=tuple(questions)))


def as_json(config: TrainingConfig) -> dict[str, Any]:
    """A config as JSON."""
    plain: dict[str, Any] = json.loads(json.dumps({"method": type(config).__name__, **asdict(config)}))
    return plain


def from_json(values: Mapping[str, Any]) -> TrainingConfig:
    """The config of such JSON.

    >>> from_json(as_json(TINY)) == TINY
    True
    """
    settings = dict(values) if isinstance(values, Mapping) else {}
    kinds, method = {kind.__name__: kind for kind in (PPOConfig, ReplayActorCriticConfig)}, settings.pop("method", "")
    kind = kinds.get(method) if isinstance(method, str) else None
    known = {field.name for field in fields(kind)} if kind else set()
    if kind is None or set(settings) != known:
        odd = ", ".join(sorted(known ^ set(settings))[:3]) or "its method"
        raise SettingsError(f"the config was written by another version of xworld: see {odd}")
    return kind(**settings | {"teacher": _teacher_from_json(settings["teacher"])})


def _teacher_from_json(values: Any) -> TeacherSettings:
    try:
        teacher: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in values.items()
        }
        return TeacherSettings(**teacher | {"rewards": Rewards(*teacher["rewards"])})
    except (TypeError, KeyError, AttributeError) as error:
        raise SettingsError(f"the config was written by another version of xworld: see teacher, {error}") from error

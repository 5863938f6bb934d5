"""Training configs: the settings of the learner, and the presets."""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal, get_args, get_origin

from xworld.teacher.commands import COMMANDS
from xworld.teacher.questions import QUESTIONS
from xworld.teacher.settings import TeacherSettings
from xworld.world.checks import MAX_INT, SettingsError, check_choice, check_flag, check_kind, check_number, check_whole
from xworld.world.movement import Rewards

LENGTHS = {"total_steps"}
"""The settings that say how long a run is."""
_STORED = {"num_envs", "buffer_size"}
_MAX_STORED = 2**26
"""Steps that are kept in memory at a time; so many take some 25 GB."""
_COUNTS = {"num_envs", "total_steps", "batches_per_iteration", "buffer_size", "target_update_interval"}
_POSITIVE = {"learning_rate", "temperature"}
_SCALE = {"name", "num_envs", "total_steps", "batches_per_iteration", "teacher"}
"""Settings that say how much is trained on what, and not how."""
_FRACTIONS = {"gamma", "cell_dropout"}


@dataclass(frozen=True, kw_only=True)
class TrainingConfig:
    """Actor-critic with experience replay, and a question with every command.

    Every environment takes a step; then the optimizer takes one, on as many replayed steps and as many questions as
    there are environments.
    """

    name: str
    """Name of the config; runs are named after it."""
    num_envs: int = 512
    """Number of parallel environments, and size of a minibatch."""
    total_steps: int = 6_000_000
    """Steps of the whole training, over all environments; rounded up to whole iterations."""
    batches_per_iteration: int = 16
    """Optimizer steps per iteration, after which metrics are logged."""
    optimizer: Literal["adam", "adagrad"] = "adam"
    """Adam with decoupled weight decay, whose rate falls linearly to 0, and with it the entropy bonus; or Adagrad."""
    learning_rate: float = 1e-3
    """Learning rate of the optimizer, at the start."""
    weight_decay: float = 0.0
    """Weight decay of the optimizer."""
    gamma: float = 0.99
    """Discount factor of rewards."""
    entropy_coef: float = 0.02
    """Coefficient of the entropy bonus, at the start."""
    importance_ratio: bool = True
    """Whether replayed actions count by how likely they still are, min(1, policy / behavior), as the policy learns."""
    buffer_size: int = 51_200
    """Capacity of the replay buffer, in steps over all environments."""
    priority_exponent: float = 0.0
    """A transition of rank r is sampled in proportion to r to the power of minus this; at 0, all alike."""
    target_update_interval: int = 1
    """Optimizer steps between two updates of the target parameters; at 1, there are none."""
    exploration_steps: int = 0
    """Steps over which the share of random actions falls from 1 to 0."""
    curriculum_sessions: int = 0
    """Sessions, over all environments, after which the curriculum is at full difficulty; at 0, it always is."""
    warmup_steps: int = 800_000
    """Steps in which the agent learns from questions alone, each about a new map; then from commands too."""
    sharpness_coef: float = 0.01
    """Coefficient of the L2 penalty on the logits of attention in these steps: what is sharp too early stays wrong."""
    cell_dropout: float = 0.2
    """Share of cells that attention passes over in these steps, drawn for each question: what a word points to must not
    hang on one cell."""
    embedding_noise: float = 2.0
    """Standard deviation of the noise on word embeddings where the programmer reads their syntax."""
    temperature: float = 5.0
    """Temperature of word attention."""
    init: Literal["balanced", "printed"] = "balanced"
    """Initial weights: balanced ones, or as the paper prints."""
    teacher: TeacherSettings = TeacherSettings()
    """Maps, objects and sentences, in training and in its evaluations."""

    def __post_init__(self) -> None:
        """Check every setting: counts are at least 1, other numbers at least 0, or as the tables above say."""
        for field in fields(self):
            object.__setattr__(self, field.name, _check(field.name, field.type, getattr(self, field.name)))
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
        return -(-self.total_steps // self.steps_per_iteration)


def _check(name: str, kind: Any, value: Any) -> Any:
    if get_origin(kind) is Literal:
        return check_choice(name, value, get_args(kind))
    if kind is int:
        return check_whole(name, value, int(name in _COUNTS), _MAX_STORED if name in _STORED else MAX_INT)
    if kind is float:
        return check_number(name, value, 1e-12 if name in _POSITIVE else 0, 1 if name in _FRACTIONS else math.inf)
    return check_flag(name, value) if kind is bool else check_kind(name, value, kind)


DEFAULT = TrainingConfig(name="default")
TINY = replace(
    DEFAULT,
    name="tiny",
    num_envs=32,
    total_steps=50_000,
    buffer_size=6_400,
    warmup_steps=12_800,
    teacher=TeacherSettings(
        map_size=(3, 5),
        objects=(1, 2),
        walls=(0, 3),
        classes=(4, 6),
        commands=("nav_obj", *COMMANDS.added),
        questions=("rec_loc2obj", "rec_obj2loc", *QUESTIONS.added),
    ),
)
PRINTED = TrainingConfig(
    name="paper2017-printed",
    num_envs=16,
    total_steps=3_200_000,  # 200k batches
    batches_per_iteration=500,  # the 8k examples over which the paper averages its curves
    optimizer="adagrad",
    learning_rate=1e-5,
    weight_decay=1e-4,
    entropy_coef=0.0,
    importance_ratio=False,
    buffer_size=10_000,
    priority_exponent=0.7,  # Unstated in the paper: what Schaul et al. (2015) found best for ranks.
    target_update_interval=2_000,
    exploration_steps=500_000,
    curriculum_sessions=10_000,
    warmup_steps=0,
    sharpness_coef=0.0,
    cell_dropout=0.0,
    embedding_noise=0.0,
    temperature=1.0,
    init="printed",
)
PAPER = replace(
    PRINTED,
    name="paper2017",
    learning_rate=1e-2,
    weight_decay=0.0,
    importance_ratio=True,
    entropy_coef=0.05,
    temperature=5.0,
    init="balanced",
)
PRESETS: Mapping[str, TrainingConfig] = {config.name: config for config in (DEFAULT, TINY, PAPER, PRINTED)}
"""`default` is the best we know, `tiny` learns a small task on a laptop, `paper2017` is the paper's method with the
changes without which it does not learn, and `paper2017-printed` follows the paper to the letter."""


def find_preset(name: str) -> TrainingConfig:
    """A preset by its name, with the types of sentence that were added after the presets were made."""
    config = PRESETS[check_choice("config", name, tuple(PRESETS))]
    commands = dict.fromkeys((*config.teacher.commands, *COMMANDS.added))
    questions = dict.fromkeys((*config.teacher.questions, *QUESTIONS.added))
    return replace(config, teacher=replace(config.teacher, commands=tuple(commands), questions=tuple(questions)))


def as_printed(config: TrainingConfig, setting: str) -> TrainingConfig:
    """A config with one setting as the paper prints it.

    >>> as_printed(DEFAULT, "temperature").temperature
    1.0
    """
    check_choice("printed", setting, not_as_printed(config))
    if setting == "optimizer":  # with a rate that suits it: the printed one is a change of its own
        return replace(config, optimizer="adagrad", learning_rate=PAPER.learning_rate, weight_decay=PAPER.weight_decay)
    if setting == "buffer_size":
        return replace(config, buffer_size=-(-PRINTED.buffer_size // config.num_envs) * config.num_envs)
    return replace(config, **{setting: getattr(PRINTED, setting)})


def not_as_printed(config: TrainingConfig) -> tuple[str, ...]:
    """The settings of the method, apart from its scale, in which a config differs from the paper.

    >>> not_as_printed(PAPER)
    ('learning_rate', 'weight_decay', 'entropy_coef', 'importance_ratio', 'temperature', 'init')
    """
    names = [field.name for field in fields(config) if field.name not in _SCALE]
    if config.optimizer != PRINTED.optimizer:  # which brings its rate and its weight decay
        names = [name for name in names if name not in ("learning_rate", "weight_decay")]
    return tuple(name for name in names if getattr(config, name) != getattr(PRINTED, name))


def as_json(config: TrainingConfig) -> dict[str, Any]:
    """A config as JSON."""
    plain: dict[str, Any] = json.loads(json.dumps(asdict(config)))
    return plain


def from_json(values: Mapping[str, Any]) -> TrainingConfig:
    """The config of such JSON.

    >>> from_json(as_json(TINY)) == TINY
    True
    """
    settings = dict(values) if isinstance(values, Mapping) else {}
    known = {field.name for field in fields(TrainingConfig)}
    if set(settings) != known:
        odd = ", ".join(sorted(known ^ set(settings))[:3])
        raise SettingsError(f"the config was written by another version of xworld: see {odd}")
    return TrainingConfig(**settings | {"teacher": _teacher_from_json(settings["teacher"])})


def _teacher_from_json(values: Any) -> TeacherSettings:
    try:
        teacher: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in values.items()
        }
        return TeacherSettings(**teacher | {"rewards": Rewards(*teacher["rewards"])})
    except (TypeError, KeyError, AttributeError) as error:
        raise SettingsError(f"the config was written by another version of xworld: see teacher, {error}") from error

"""How an agent is trained: a frozen record of settings for each of two methods, and the presets that fill them."""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from xworld.teacher.settings import SettingsError, TeacherSettings
from xworld.world.movement import Rewards


@dataclass(frozen=True, kw_only=True)
class Recipe(ABC):
    """What both methods settle."""

    name: str
    """What the recipe is called; runs are named after it."""
    worlds: int
    """Worlds side by side."""
    learning_rate: float
    """How far a step of the optimiser goes."""
    weight_decay: float
    """How strongly weights are drawn to zero."""
    discount: float = 0.99
    """What a reward is worth one step later."""
    temperature: float
    """The sharpness of word attention, or where it starts if it is learned."""
    temperature_learned: bool
    """Whether the sharpness of word attention is learned."""
    teacher: TeacherSettings = TeacherSettings()
    """What the worlds hold and what is said in them, in training and in tests during training."""

    def __post_init__(self) -> None:
        self._check("worlds", "frames_a_round", "iterations", least=1)
        self._check("learning_rate", "temperature", least=1e-12)
        self._check("weight_decay", least=0)
        self._check("discount", least=0, most=1)

    def _check(self, *names: str, least: float, most: float = math.inf) -> None:
        for name in names:
            value = getattr(self, name)
            if not (isinstance(value, int | float) and least <= value <= most and value < math.inf):
                wanted = f"{least:g} or more" if most == math.inf else f"a number from {least:g} to {most:g}"
                raise SettingsError(f"{name}={value!r}: expected {wanted}")

    @property
    @abstractmethod
    def frames_a_round(self) -> int:
        """Steps of the agent in one round, over all worlds."""

    @property
    @abstractmethod
    def iterations(self) -> int:
        """Rounds of walking and learning."""


@dataclass(frozen=True, kw_only=True)
class OnPolicyRecipe(Recipe):
    """The agent walks in many worlds at once, then learns from what it has just seen."""

    frames: int = 3_000_000
    """Steps of the agent, over all worlds, until training ends; rounded up to whole rounds."""
    steps: int = 16
    """Steps in every world between two rounds of learning."""
    minibatches: int = 16
    """Parts into which what was seen is split; each gives one step of the optimiser."""
    trace: float = 0.95
    """Lambda of the generalised advantage estimate."""
    clip: float = 0.2
    """How far the policy may move away from the one that walked."""
    entropy: float = 0.01
    """Weight of the policy's entropy in the loss."""
    hindsight: float = 1.0
    """Weight, at first, of learning from having arrived where the command had led."""
    hindsight_until: float = 0.3
    """The part of training in which that weight falls to nothing. It brings words and places together early; kept up,
    it makes words that were heard in commands outshout those that never were."""
    gate_decay: float = 0.01
    """Weight of keeping what gates are made of small, so that none shuts for good."""
    gradient_norm: float = 1.0
    """Gradients are scaled down to this norm."""
    lowest_rate: float = 0.02
    """The learning rate falls linearly to this share of where it began."""
    curriculum: float = 0.125
    """The part of training after which worlds are at full difficulty."""
    blur: float = 1.0
    """Standard deviation of the noise on words where their roles are read from them."""
    spatial_deviation: float = 0.1
    """Standard deviation with which the map of places starts."""
    visual_gain: float = 0.4
    """Size of the visual features at the start. Sight and place must begin with a say of like size: where one drowns
    the other out, the words of the other are never learned."""

    def __post_init__(self) -> None:
        self._check("frames", "steps", "minibatches", least=1)
        super().__post_init__()
        self._check("clip", "gradient_norm", least=1e-12)
        self._check("entropy", "hindsight", "gate_decay", "blur", "spatial_deviation", "visual_gain", least=0)
        self._check("trace", "lowest_rate", "curriculum", "hindsight_until", least=0, most=1)
        if self.worlds * self.steps % self.minibatches:
            raise SettingsError(
                f"{self.worlds} worlds x {self.steps} steps cannot be split into {self.minibatches} equal minibatches"
            )

    @property
    def frames_a_round(self) -> int:
        """Steps of the agent in one round, over all worlds."""
        return self.worlds * self.steps

    @property
    def iterations(self) -> int:
        """Rounds of walking and learning."""
        return -(-self.frames // self.frames_a_round)


@dataclass(frozen=True, kw_only=True)
class ReplayRecipe(Recipe):
    """The agent learns from random memories of its most recent steps, as the paper has it."""

    batches: int = 200_000
    """Pairs of minibatches, one for walking and one for answering, until training ends; rounded up to whole rounds."""
    batch: int = 16
    """Size of a minibatch."""
    batches_a_round: int = 500
    """How often progress is reported; 500 batches are the 8k examples over which the paper averages its curves."""
    buffer: int = 10_000
    """The most recent steps that are remembered, over all worlds."""
    priority: float = 0.7
    """A transition of rank r is recalled in proportion to r to the power of minus this."""
    target_every: int = 2_000
    """Batches after which the parameters that judge the next state are renewed."""
    exploration_steps: int = 500_000
    """Steps over which the rate of random exploration falls from 1 to 0."""
    curriculum_sessions: int = 10_000
    """Sessions, over all worlds, after which worlds are at full difficulty."""

    def __post_init__(self) -> None:
        names = ("batches", "batch", "batches_a_round", "buffer", "target_every", "exploration_steps")
        self._check(*names, "curriculum_sessions", least=1)
        super().__post_init__()
        self._check("priority", least=0)
        if not (self.teacher.question_rate and self.teacher.questions):
            raise SettingsError(
                "a recipe with replay learns from questions too: allow some, and a question_rate above 0"
            )
        if self.buffer % self.worlds or self.buffer < 2 * self.worlds:
            raise SettingsError(f"buffer={self.buffer}: expected at least twice as many as worlds, and a multiple")

    @property
    def frames_a_round(self) -> int:
        """Steps of the agent in one round, over all worlds."""
        # Unstated in the paper: how many steps are taken for each batch. One in every world, so that with as many
        # worlds as there are samples in a batch a step is recalled about once.
        return self.batches_a_round * self.worlds

    @property
    def iterations(self) -> int:
        """Rounds of walking and learning."""
        return -(-self.batches // self.batches_a_round)


FAST = OnPolicyRecipe(
    name="fast", worlds=512, learning_rate=1e-3, weight_decay=0.5, temperature=5.0, temperature_learned=True
)
TINY = replace(
    FAST,
    name="tiny",
    worlds=128,
    frames=40_000,
    steps=8,
    curriculum=0.5,
    teacher=TeacherSettings(
        map_size=(3, 5),
        objects=(1, 2),
        walls=(0, 3),
        classes=(4, 6),
        commands=("nav_obj",),
        questions=("rec_loc2obj", "rec_obj2loc"),
    ),
)
PAPER = ReplayRecipe(
    name="paper2017", worlds=16, learning_rate=1e-5, weight_decay=1e-4, temperature=1.0, temperature_learned=False
)
PRESETS: Mapping[str, Recipe] = {recipe.name: recipe for recipe in (FAST, TINY, PAPER)}
"""`fast` is the best we know, `tiny` can be watched learning on a laptop, `paper2017` is the paper to the letter."""


def as_json(recipe: Recipe) -> dict[str, Any]:
    """A recipe in words and numbers."""
    return {"method": type(recipe).__name__, **asdict(recipe)}


def from_json(values: Mapping[str, Any]) -> Recipe:
    """The recipe that `as_json` described.

    >>> from_json(as_json(TINY)) == TINY
    True
    """
    settings = dict(values)
    kinds = {kind.__name__: kind for kind in (OnPolicyRecipe, ReplayRecipe)}
    kind = kinds.get(settings.pop("method", ""))
    known = {field.name for field in fields(kind)} if kind else set()
    if kind is None or set(settings) != known:
        odd = ", ".join(sorted(known ^ set(settings))) or "its method"
        raise SettingsError(f"the recipe was written by another version of xworld: see {odd}")
    teacher: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in settings["teacher"].items()
    }
    settings["teacher"] = TeacherSettings(**teacher | {"rewards": Rewards(*teacher["rewards"])})
    return kind(**settings)

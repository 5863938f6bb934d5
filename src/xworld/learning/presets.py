"""How an agent is trained: one frozen record of settings, and the presets that fill it."""

from dataclasses import dataclass, replace

from xworld.teacher.settings import SettingsError


@dataclass(frozen=True)
class Recipe:
    """On-policy training: the agent walks in many worlds at once, then learns from what it has just seen."""

    frames: int = 8_000_000
    """Steps of the agent, over all worlds, until training ends."""
    worlds: int = 2048
    """Worlds side by side."""
    steps: int = 16
    """Steps in every world between two rounds of learning."""
    minibatches: int = 16
    """Parts into which what was seen is split; each gives one step of the optimiser."""
    learning_rate: float = 1e-3
    """Falls linearly to a fiftieth."""
    discount: float = 0.99
    """What a reward is worth one step later."""
    trace: float = 0.95
    """Lambda of the generalised advantage estimate."""
    clip: float = 0.2
    """How far the policy may move away from the one that walked."""
    entropy: float = 0.01
    """Weight of the policy's entropy in the loss."""
    gradient_norm: float = 1.0
    """Gradients are scaled down to this norm."""
    weight_decay: float = 0.0
    """Decoupled weight decay."""
    curriculum: float = 0.2
    """The part of training after which worlds are at full difficulty."""
    temperature: float = 5.0
    """Where the sharpness of word attention starts; it is learned from there."""
    spatial_deviation: float = 0.1
    """Standard deviation with which the map of places starts."""
    visual_gain: float = 0.4
    """Size of the visual features at the start. Sight and place must begin with a say of like size: where one drowns
    the other out, the words of the other are never learned."""

    def __post_init__(self) -> None:
        if self.worlds % self.minibatches:
            raise SettingsError(f"{self.worlds} worlds cannot be split into {self.minibatches} equal minibatches")
        for name in ("frames", "worlds", "steps", "minibatches"):
            if getattr(self, name) < 1:
                raise SettingsError(f"{name}={getattr(self, name)}: expected 1 or more")

    @property
    def iterations(self) -> int:
        """Rounds of walking and learning."""
        return -(-self.frames // (self.worlds * self.steps))


FAST = Recipe()
PRESETS = {"fast": FAST, "tiny": replace(FAST, frames=400_000, worlds=256, minibatches=8)}
"""`fast` is the best we know; `tiny` can be watched learning on a laptop."""


def find_preset(name: str) -> Recipe:
    """The preset with this name.

    >>> find_preset("fast").worlds
    2048
    """
    if name not in PRESETS:
        raise SettingsError(f"no preset {name!r}; there are {', '.join(PRESETS)}")
    return PRESETS[name]

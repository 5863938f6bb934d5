"""XWORLD: an agent learns language by seeing, being told and being asked.

    import gymnasium, xworld
    env = gymnasium.make("XWorld-v0")

Importing the package registers the environments. The names below are loaded when they are first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from xworld.envs.registration import register_environments

if TYPE_CHECKING:
    from xworld.baselines.registry import register_model
    from xworld.envs.single import XWorldEnv
    from xworld.envs.vector import XWorldVectorEnv
    from xworld.evaluation.success import evaluate
    from xworld.teacher.extension import register_command, register_question
    from xworld.teacher.grammar import Grammar
    from xworld.teacher.holdout import Holdout
    from xworld.teacher.settings import TeacherSettings
    from xworld.trained_agent import TrainedAgent, load_agent, teach, train
    from xworld.world.catalogue import Catalogue
    from xworld.world.movement import Rewards
    from xworld.world.scene import Scene

__version__ = "0.2.0"

_HOMES = {
    "Catalogue": "xworld.world.catalogue",
    "Grammar": "xworld.teacher.grammar",
    "Holdout": "xworld.teacher.holdout",
    "Rewards": "xworld.world.movement",
    "Scene": "xworld.world.scene",
    "TeacherSettings": "xworld.teacher.settings",
    "TrainedAgent": "xworld.trained_agent",
    "XWorldEnv": "xworld.envs.single",
    "XWorldVectorEnv": "xworld.envs.vector",
    "evaluate": "xworld.evaluation.success",
    "load_agent": "xworld.trained_agent",
    "register_command": "xworld.teacher.extension",
    "register_model": "xworld.baselines.registry",
    "register_question": "xworld.teacher.extension",
    "teach": "xworld.trained_agent",
    "train": "xworld.trained_agent",
}
__all__ = [
    "Catalogue",
    "Grammar",
    "Holdout",
    "Rewards",
    "Scene",
    "TeacherSettings",
    "TrainedAgent",
    "XWorldEnv",
    "XWorldVectorEnv",
    "evaluate",
    "load_agent",
    "register_command",
    "register_model",
    "register_question",
    "teach",
    "train",
]


def __getattr__(name: str) -> Any:
    """Load a name of the front door. PyTorch is loaded with the agents, and not before."""
    if name not in _HOMES:
        raise AttributeError(f"module 'xworld' has no attribute {name!r}; it offers {', '.join(__all__)}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]


register_environments()

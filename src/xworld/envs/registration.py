"""The names under which `gymnasium.make` finds the environments."""

from typing import Any

import gymnasium as gym

CURRICULUM_SESSIONS = 10_000
"""The paper's curriculum, in the training environments: so many sessions until full difficulty."""

ENVIRONMENTS: dict[str, dict[str, Any]] = {
    "XWorld-v0": {"condition": "Standard"},
    "XWorld-Standard-v0": {"condition": "Standard", "curriculum_sessions": CURRICULUM_SESSIONS},
    "XWorld-NC-v0": {"condition": "NC", "curriculum_sessions": CURRICULUM_SESSIONS},
    "XWorld-NWNav-v0": {"condition": "NWNav", "curriculum_sessions": CURRICULUM_SESSIONS},
    "XWorld-NWNavRec-v0": {"condition": "NWNavRec", "curriculum_sessions": CURRICULUM_SESSIONS},
}
"""The test world, which is always at full difficulty and holds nothing out, and a training world for each condition."""


def register_environments() -> None:
    """Tell Gymnasium of all of them; doing it again changes nothing."""
    for name, arguments in ENVIRONMENTS.items():
        if name not in gym.registry:
            gym.register(
                id=name,
                entry_point="xworld.envs.single:XWorldEnv",
                vector_entry_point="xworld.envs.vector:XWorldVectorEnv",
                kwargs=arguments,
            )

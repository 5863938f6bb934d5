"""The environments that `gymnasium.make` knows by name."""

from typing import Any

import gymnasium as gym

CURRICULUM_SESSIONS = 10_000
"""Sessions until full difficulty in the training environments, as in the paper."""

ENVIRONMENTS: dict[str, dict[str, Any]] = {
    "XWorld-v0": {"condition": "Standard"},
    "XWorld-Standard-v0": {"condition": "Standard", "curriculum_sessions": CURRICULUM_SESSIONS},
    "XWorld-NC-v0": {"condition": "NC", "curriculum_sessions": CURRICULUM_SESSIONS},
    "XWorld-NWNav-v0": {"condition": "NWNav", "curriculum_sessions": CURRICULUM_SESSIONS},
    "XWorld-NWNavRec-v0": {"condition": "NWNavRec", "curriculum_sessions": CURRICULUM_SESSIONS},
}
"""The test environment, always at full difficulty and without hold-out, and a training environment per condition."""


def register_environments() -> None:
    """Register all environments with Gymnasium; a second call changes nothing."""
    for name, arguments in ENVIRONMENTS.items():
        if name not in gym.registry:
            gym.register(
                id=name,
                entry_point="xworld.envs.single:XWorldEnv",
                vector_entry_point="xworld.envs.vector:XWorldVectorEnv",
                kwargs=arguments,
            )

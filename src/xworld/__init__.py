"""XWORLD: an agent learns language by seeing, being told and being asked.

    import gymnasium, xworld
    env = gymnasium.make("XWorld-v0")

Importing the package registers the environments; the fast code is loaded when the first one is made.
"""

from xworld.envs.registration import register_environments

__version__ = "0.2.0"

register_environments()

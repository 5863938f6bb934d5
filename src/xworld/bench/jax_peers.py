"""The speed of grid worlds in JAX, as their users run them: whole stretches of steps as one compiled program.

Each is measured in a process of its own, which imports this file, so it loads nothing of ours that would slow it down.
"""

import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Literal, NamedTuple

from xworld.bench.timing import calls_per_second

JaxPeer = Literal["navix", "xland"]

ENVIRONMENTS = {"navix": "Navix-GoToDoor-8x8-v0", "xland": "XLand-MiniGrid-R1-9x9"}
"""Of each, a task to go to one of several things, on a map of about our size."""
_STRETCH = 32
"""Steps in one compiled program."""


class _World(NamedTuple):
    """The functions of a peer, of single worlds. A new session begins by itself."""

    reset: Callable[[Any], Any]
    """A world from a random key."""
    step: Callable[[Any, Any], Any]
    """A world after an action."""
    actions: int


def jax_speed(peer: JaxPeer, view: int, num_envs: int, seconds: float) -> float:
    """Steps per second of worlds that step together, with random actions; compiling them does not count.

    `view` is the side of what the agent sees; only XLand-MiniGrid lets one choose.
    """
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        try:
            return pool.submit(_measure, peer, view, num_envs, seconds).result()
        except BrokenProcessPool as error:
            raise ValueError(f"the process of {peer} died before it was measured; is there enough memory?") from error


def _measure(peer: JaxPeer, view: int, num_envs: int, seconds: float) -> float:
    import jax

    world = _make_navix() if peer == "navix" else _make_xland(view)

    def begin(key: Any) -> Any:
        return jax.vmap(world.reset)(jax.random.split(key, num_envs))

    def play(worlds: Any, key: Any) -> Any:
        def step_all(worlds: Any, key: Any) -> tuple[Any, None]:
            return jax.vmap(world.step)(worlds, jax.random.randint(key, (num_envs,), 0, world.actions)), None

        return jax.lax.scan(step_all, worlds, jax.random.split(key, _STRETCH))[0]

    worlds, compiled_play = jax.jit(begin)(jax.random.PRNGKey(0)), jax.jit(play)

    def play_on(turn: int) -> None:
        nonlocal worlds
        worlds = jax.block_until_ready(compiled_play(worlds, jax.random.PRNGKey(turn)))

    play_on(0)
    return num_envs * _STRETCH * calls_per_second(play_on, seconds)


def _make_navix() -> _World:
    import navix

    env = navix.make(ENVIRONMENTS["navix"])
    return _World(env.reset, env.step, int(env.action_space.n))


def _make_xland(view: int) -> _World:
    """Three objects, and the task to go next to one of them; by itself, XLand-MiniGrid has no rules and no objects."""
    import jax.numpy as jnp
    import xminigrid
    from xminigrid.core.constants import TILES_REGISTRY, Colors, Tiles
    from xminigrid.core.goals import AgentNearGoal
    from xminigrid.core.rules import EmptyRule
    from xminigrid.types import RuleSet
    from xminigrid.wrappers import GymAutoResetWrapper

    plain, params = xminigrid.make(ENVIRONMENTS["xland"], view_size=view)
    kinds = (Tiles.BALL, Colors.RED), (Tiles.SQUARE, Colors.BLUE), (Tiles.PYRAMID, Colors.GREEN)
    things = [TILES_REGISTRY[kind] for kind in kinds]
    task = RuleSet(
        goal=AgentNearGoal(tile=things[0]).encode(),
        rules=EmptyRule().encode()[None],
        init_tiles=jnp.array(things, dtype=jnp.uint8),
    )
    params, env = params.replace(ruleset=task), GymAutoResetWrapper(plain)
    return _World(
        reset=lambda key: env.reset(params, key),
        step=lambda world, action: env.step(params, world, action),
        actions=plain.num_actions(params),
    )

"""The arguments that both environments take, checked in one place and refused in the same words."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gymnasium.vector import AutoresetMode

from xworld.teacher.holdout import Holdout
from xworld.teacher.reset_options import ResetOptions
from xworld.world.catalogue import Catalogue
from xworld.world.checks import SettingsError, check_choice, check_seed, is_list, refusal, show


def load_world(condition: str | Holdout, holdout_seed: int, pack: str | Path | None) -> tuple[Catalogue, Holdout]:
    """The objects of an environment, and what is held out."""
    seed = check_seed("holdout_seed", holdout_seed)
    catalogue = Catalogue.load(pack)
    return catalogue, condition if isinstance(condition, Holdout) else Holdout.draw(condition, catalogue, seed)


def check_render_mode(render_mode: str | None, metadata: Mapping[str, Any]) -> str | None:
    """A render mode of an environment, or none."""
    return None if render_mode is None else check_choice("render_mode", render_mode, metadata["render_modes"])


def check_autoreset_mode(mode: AutoresetMode | str) -> AutoresetMode:
    """One of Gymnasium's modes, or its value.

    >>> check_autoreset_mode("NextStep").name
    'NEXT_STEP'
    """
    known = [known.value for known in AutoresetMode]
    return mode if isinstance(mode, AutoresetMode) else AutoresetMode(check_choice("autoreset_mode", mode, known))


def check_options(options: Any, known: tuple[str, ...] = ()) -> Mapping[str, Any]:
    """The options of `reset`, all of which the environment must know."""
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise refusal("options", options, "a dictionary, or None")
    for name in options:
        if name not in known:
            raise SettingsError(f"options: no option {show(name)}; expected {' or '.join(map(repr, known)) or 'none'}")
    return options


SESSION_OPTIONS = ("scene", "command", "command_type")
"""The options of `reset` that say what a session should be like."""


def read_session_options(options: Mapping[str, Any], worlds: int | None = None) -> dict[int, ResetOptions]:
    """What the options of `reset` say of sessions, by world. A vector takes lists, with None where nothing is said."""
    given = {name: options[name] for name in SESSION_OPTIONS if options.get(name) is not None}
    if worlds is None:
        return {0: ResetOptions(**given)} if given else {}
    for name, values in given.items():
        if not is_list(values) or len(values) != worlds:
            raise refusal(
                name, values, f"a list with one for each of the {worlds} worlds, None where it does not matter"
            )
    by_world = {
        world: ResetOptions(**{name: values[world] for name, values in given.items()}) for world in range(worlds)
    }
    return {world: wanted for world, wanted in by_world.items() if wanted != ResetOptions()}

"""The arguments that both environments take, checked in one place and refused in the same words."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from xworld.teacher.holdout import Holdout
from xworld.world.catalogue import Catalogue
from xworld.world.checks import SettingsError, check_choice, check_seed, refusal, show


def load_world(condition: str | Holdout, holdout_seed: int, pack: str | Path | None) -> tuple[Catalogue, Holdout]:
    """The objects of an environment, and what is held out."""
    seed = check_seed("holdout_seed", holdout_seed)
    catalogue = Catalogue.load(pack)
    return catalogue, condition if isinstance(condition, Holdout) else Holdout.draw(condition, catalogue, seed)


def check_render_mode(render_mode: str | None, metadata: Mapping[str, Any]) -> str | None:
    """A render mode of an environment, or none."""
    return None if render_mode is None else check_choice("render_mode", render_mode, metadata["render_modes"])


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

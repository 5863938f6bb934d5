"""Load trained agents: those of the package, and your own."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, overload

import torch

from xworld.agent.agent import Agent
from xworld.agent.model import Model
from xworld.baselines.registry import ModelError, make_model
from xworld.teacher.grammar import Grammar
from xworld.training.checked_file import CheckpointError
from xworld.training.checkpoint import check_shapes, extend_options, load_weights
from xworld.world.catalogue import Catalogue

_WEIGHTS = Path(__file__).parents[1] / "weights"
PRETRAINED: Mapping[str, Path] = {
    "Standard": _WEIGHTS / "standard.safetensors",
    "NWNavRec": _WEIGHTS / "nwnavrec.safetensors",
}
"""The trained agents of the package, by the condition they were trained under."""


def find_weights(agent: str | Path) -> Path:
    """The file of an agent of the package, named by its condition in any case, or of your own.

    >>> find_weights("nwnavrec").name
    'nwnavrec.safetensors'
    """
    bundled = {condition.lower(): file for condition, file in PRETRAINED.items()}
    file = bundled.get(str(agent).lower(), Path(agent))
    if not file.exists():
        raise CheckpointError(f"no agent {str(agent)!r}: bundled are {', '.join(PRETRAINED)}; or give a file")
    return file


@overload
def load_model(path: None = None, catalogue: Catalogue | None = None) -> tuple[Agent, dict[str, Any]]: ...


@overload
def load_model(
    path: str | Path | None, catalogue: Catalogue | None = None, models: Sequence[str] = ()
) -> tuple[Model, dict[str, Any]]: ...


def load_model(
    path: str | Path | None = None, catalogue: Catalogue | None = None, models: Sequence[str] = ()
) -> tuple[Model, dict[str, Any]]:
    """A trained agent and its provenance; without a path, the agent of the package.

    The file names its model. Give `models` to refuse files of any others.

    >>> agent, provenance = load_model()
    >>> provenance["condition"]
    'Standard'
    """
    catalogue = catalogue or Catalogue.load()
    words = Grammar(catalogue).vocabulary.words
    file = find_weights("Standard" if path is None else path)
    tensors, provenance = load_weights(file, catalogue.classes, words, catalogue.fingerprint)
    name = str(provenance.get("model", "planner"))
    if models and name not in models:
        raise CheckpointError(f"{file} holds the model {name!r}; needed is {' or '.join(models)}")
    try:
        agent = make_model(name, len(words), torch.from_numpy(catalogue.atlas()))
    except ModelError as error:
        origin = extend_options(provenance) or "another version of xworld"
        raise CheckpointError(f"{file} holds a model that comes with {origin}: {error}") from error
    check_shapes(tensors, agent.state_dict(), file)
    agent.load_state_dict(tensors)
    return agent.eval(), provenance

"""Models are found by name, and loaded when they are made."""

import subprocess
import sys
from pkgutil import resolve_name

import pytest
import torch

from xworld.baselines.registry import _CLASSES, MODEL_NAMES, ModelError, make_model

LOAD = """
import sys
import xworld.baselines.registry
assert "torch" not in sys.modules
from xworld.training.pretrained import load_model
load_model()
loaded = {name for name in sys.modules if name.startswith("xworld.baselines.")}
assert loaded == {"xworld.baselines.registry"}, loaded
"""


def test_every_name_has_a_model_of_its_own() -> None:
    assert len({resolve_name(path) for path in _CLASSES.values()}) == len(MODEL_NAMES) == 7


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(ModelError, match="no model 'SAN'; there are planner, framework, simple_attention, no_trans"):
        make_model("SAN", 105, torch.zeros(3, 12, 12, 3))


def test_loading_the_framework_loads_no_baseline() -> None:
    subprocess.run([sys.executable, "-c", LOAD], check=True)

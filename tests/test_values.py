"""What many share cannot be changed: the dataclasses of the core are frozen."""

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from dataclasses import is_dataclass
from types import ModuleType

import xworld.agent
import xworld.envs
import xworld.evaluation
import xworld.experiments.report
import xworld.teacher
import xworld.training
import xworld.world
from xworld.training.run import TrainingRun

CORE = (
    xworld.world,
    xworld.teacher,
    xworld.envs,
    xworld.agent,
    xworld.training,
    xworld.evaluation,
    xworld.experiments.report,
)
KEEP_COUNT = {TrainingRun}


def dataclasses(package: ModuleType) -> Iterator[type]:
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        for _, kind in inspect.getmembers(importlib.import_module(module.name), inspect.isclass):
            if kind.__module__ == module.name and is_dataclass(kind):
                yield kind


def test_dataclasses_are_frozen() -> None:
    changeable = {kind for package in CORE for kind in dataclasses(package) if not kind.__dataclass_params__.frozen}  # type: ignore[attr-defined]
    assert changeable == KEEP_COUNT

"""What many tests need: the catalogue and the grammar of the built-in pack, read once; how tests share a machine."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# Set before anything imports PyTorch or Numba, which read these once; what a test starts inherits them.
os.environ.setdefault("OMP_NUM_THREADS", "1")  # threads of processes side by side would wait for each other
if not Path("/dev/nvidia0").exists():  # then a CPU runs the kernels of a GPU, one operation at a time
    os.environ["TRITON_INTERPRET"] = "1"
if worker := os.environ.get("PYTEST_XDIST_WORKER"):  # two that write to one cache may mix Numba's kernels up
    os.environ["NUMBA_CACHE_DIR"] = str(Path(__file__).parents[1] / ".pytest_cache" / "kernels" / worker)

from xworld.teacher.grammar import Grammar
from xworld.world.catalogue import Catalogue

# What a shell runs in the background ignores ctrl-C, and every process that tests start would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("xworld", deadline=None)  # the first example of a test may have to compile something
settings.load_profile("xworld")

KERNELS = Path(__file__).parents[1] / ".pytest_cache" / "kernels"
COMPILER = pytest.StashKey["subprocess.Popen[bytes]"]()

SLOW = ("training/test_run.py", "experiments/test_local_launcher.py")
"""Files that start many processes. They come first, so that no worker is left alone with them in the end."""


ALONE = ("register_command", "register_question")
"""Examples that add to the language for good: `test_front_door.py` runs each in a process of its own."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items[:] = [item for item in items if not item.name.startswith("xworld.") or not item.name.endswith(ALONE)]
    items.sort(key=lambda item: not item.path.as_posix().endswith(SLOW))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config) -> None:
    """Compile the kernels once, while the workers collect the tests."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(KERNELS / "compiled")}
    command = [sys.executable, str(Path(__file__).with_name("compile_kernels.py"))]
    config.stash[COMPILER] = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(node: Any) -> None:
    """Give a worker its copy of the kernels before it gets its first test."""
    if node.config.stash[COMPILER].wait() == 0:
        shutil.copytree(KERNELS / "compiled", KERNELS / node.gateway.id, dirs_exist_ok=True)


@pytest.fixture
def narrow_image_models(monkeypatch: pytest.MonkeyPatch) -> None:
    """VIS-LSTM and Multimodal with layers of 64 and 32 units instead of 1024 and 512: a twentieth of the weights."""
    for module in ("image_model", "multimodal"):
        monkeypatch.setattr(f"xworld.baselines.{module}.SIZE", 64)
    monkeypatch.setattr("xworld.baselines.image_model.HEAD", 32)


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    return Catalogue.load()


@pytest.fixture(scope="session")
def grammar(catalogue: Catalogue) -> Grammar:
    return Grammar(catalogue)

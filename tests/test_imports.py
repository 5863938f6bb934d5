"""Imports go one way, and the linters that hold them to it would notice every kind of violation."""

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import xworld

PACKAGE = Path(xworld.__file__).parent
ROOT = Path(__file__).parents[1]
TOOLS = Path(sys.executable).parent

# (file, planted lines, the import that the linter must name)
VIOLATIONS = (
    ("world/cells.py", "import xworld.teacher.grammar", "xworld.world.cells -> xworld.teacher.grammar"),
    ("world/view.py", "from xworld import teacher", "xworld.world.view -> xworld.teacher"),
    ("world/pack.py", "from xworld.agent.sizes import VIEW", "xworld.world.pack -> xworld.agent.sizes"),
    (
        "teacher/grammar.py",
        "def late():\n    import xworld.envs.single",
        "xworld.teacher.grammar -> xworld.envs.single",
    ),
    ("teacher/holdout.py", "import gymnasium", "xworld.teacher.holdout -> gymnasium"),
    ("envs/vector.py", "import torch.nn", "xworld.envs.vector -> torch"),
    ("agent/action.py", "import xworld.world.cells as cells", "xworld.agent.action -> xworld.world.cells"),
    ("baselines/san.py", "from xworld.teacher import vocabulary", "xworld.baselines.san -> xworld.teacher.vocabulary"),
    ("evaluation/rate.py", "import xworld.training.losses", "xworld.evaluation.rate -> xworld.training.losses"),
    ("training/losses.py", "import xworld.figures.style", "xworld.training.losses -> xworld.figures.style"),
    ("figures/style.py", "import xworld.envs.single", "xworld.figures.style -> xworld.envs.single"),
    ("play/game.py", "import xworld.training.losses", "xworld.play.game -> xworld.training.losses"),
    ("word_learning/questions.py", "import xworld.demo.server", "xworld.word_learning.questions -> xworld.demo.server"),
    ("demo/server.py", "import xworld.bench.agent", "xworld.demo.server -> xworld.bench.agent"),
    ("experiments/grid.py", "import xworld.cli.main", "xworld.experiments.grid -> xworld.cli.main"),
    ("world/state.py", "import xworld", "xworld.world.state -> xworld"),
)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The package as it is, to plant violations in."""
    shutil.copytree(PACKAGE, tmp_path / "xworld", ignore=lambda folder, names: _not_code(Path(folder), names))
    return tmp_path


def _not_code(folder: Path, names: list[str]) -> list[str]:
    return [name for name in names if name == "__pycache__" or ((folder / name).is_file() and name[-3:] != ".py")]


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [str(TOOLS / "lint-imports"), "--config", str(ROOT / "pyproject.toml"), "--no-cache", "--no-logo"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def plant(package: Path, file: str, lines: str) -> None:
    path = package / "xworld" / file
    path.write_text(f"{path.read_text()}\n\n{lines}\n")


def test_imports_go_one_way(copy: Path) -> None:
    linted = lint_imports(copy)
    assert linted.returncode == 0, linted.stdout


def test_every_kind_of_violation_is_noticed(copy: Path) -> None:
    for file, lines, _ in VIOLATIONS:
        plant(copy, file, lines)
    linted = lint_imports(copy)
    assert linted.returncode == 1
    assert [named for *_, named in VIOLATIONS if f"{named} " not in linted.stdout] == []


def test_a_package_without_a_place_is_noticed(copy: Path) -> None:
    (copy / "xworld" / "utils").mkdir()
    (copy / "xworld" / "utils" / "__init__.py").touch()
    linted = lint_imports(copy)
    assert linted.returncode == 1
    assert "utils" in linted.stdout


@pytest.mark.parametrize("line", ["from .cells import SIDE", "from ..teacher import grammar", "from . import cells"])
def test_relative_imports_are_noticed(line: str) -> None:
    command = [str(TOOLS / "ruff"), "check", "--config", str(ROOT / "pyproject.toml"), "--stdin-filename"]
    linted = subprocess.run(
        [*command, str(PACKAGE / "world" / "view.py"), "-"],
        input=f"{line}\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert "TID252" in linted.stdout


def test_importing_the_package_loads_neither_the_compiler_nor_torch() -> None:
    code = "import sys, xworld; sys.exit(not {'numba', 'torch'}.isdisjoint(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("package", ["world", "teacher", "envs", "agent", "baselines", "evaluation", "training"])
def test_the_library_never_prints(package: str) -> None:
    for file in (PACKAGE / package).rglob("*.py"):
        calls = [node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Call)]
        assert not any(isinstance(call.func, ast.Name) and call.func.id == "print" for call in calls), file

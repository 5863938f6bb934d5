"""The arrows between the parts point one way: world, teacher, envs, and what people use."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import xworld

PACKAGE = Path(xworld.__file__).parent
MAY_IMPORT = {
    "world": set[str](),
    "teacher": {"world"},
    "envs": {"world", "teacher"},
    "bench": {"world", "teacher", "envs", "agent", "learning", "evaluation", "teaching"},
    "play": {"world", "teacher", "envs"},
    "agent": set[str](),
    "baselines": {"agent"},
    "learning": {"world", "teacher", "agent", "baselines", "evaluation"},
    "evaluation": {"world", "teacher", "agent"},
    "experiments": {"teacher", "baselines", "learning", "evaluation"},
    "teaching": {"world", "teacher", "agent", "learning", "evaluation"},
    "figures": {"world", "teacher", "agent", "evaluation"},
    "demo": {"world", "teacher", "agent", "learning", "evaluation", "figures", "teaching"},
    "cli": {
        "world",
        "teacher",
        "envs",
        "bench",
        "play",
        "agent",
        "baselines",
        "learning",
        "evaluation",
        "experiments",
        "figures",
        "demo",
        "teaching",
    },
}
FOREIGN = {"world": {"torch", "gymnasium"}, "teacher": {"torch", "gymnasium"}, "envs": {"torch"}}


def imports_of(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


@pytest.mark.parametrize("part", MAY_IMPORT)
def test_the_arrows(part: str) -> None:
    files = list((PACKAGE / part).rglob("*.py"))
    assert files
    for file in files:
        for name in imports_of(file):
            top, *rest = name.split(".")
            assert top not in FOREIGN.get(part, set()), f"{file} imports {name}"
            if top == "xworld" and rest:
                assert rest[0] in MAY_IMPORT[part] | {part}, f"{file} imports {name}"


def test_every_part_has_its_place() -> None:
    parts = {folder.name for folder in PACKAGE.iterdir() if folder.is_dir() and list(folder.glob("*.py"))}
    assert parts == set(MAY_IMPORT)


def test_importing_the_package_does_not_load_the_compiler() -> None:
    code = "import sys, xworld; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_library_never_prints() -> None:
    for part in ("world", "teacher", "envs"):
        for file in (PACKAGE / part).rglob("*.py"):
            calls = [node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Call)]
            assert not any(isinstance(call.func, ast.Name) and call.func.id == "print" for call in calls), file

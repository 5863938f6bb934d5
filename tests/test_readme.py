"""README and docs: their Python runs, their commands parse, and what they point to exists."""

import re
import shlex
from pathlib import Path

import pytest
import tyro

from xworld.cli.commands import Command

ROOT = Path(__file__).parents[1]
PAGES = (ROOT / "README.md", *sorted(ROOT.glob("docs/*.md")))
README = PAGES[0].read_text()


def commands(page: Path) -> list[str]:
    """The lines of a page's shell blocks that call xworld, without comments."""
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", page.read_text(), flags=re.DOTALL | re.MULTILINE)
    lines = [line.split(" #")[0].strip() for kind, block in blocks if kind != "python" for line in block.splitlines()]
    return [line for line in lines if line.startswith("xworld ")]


def run_python(page: Path) -> int:
    """Run the Python of a page in order; the number of blocks."""
    blocks, scope = re.findall(r"```python\n(.*?)```", page.read_text(), flags=re.DOTALL), dict[str, object]()
    for block in blocks:
        exec(block, scope)
    return len(blocks)


def test_the_python_in_the_readme_runs_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_python(ROOT / "README.md") >= 3
    assert "True" in capsys.readouterr().out


def test_the_python_of_the_front_door_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_python(ROOT / "docs" / "api.md") == 3
    assert "Rate(hits=" in capsys.readouterr().out


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_parse(page: Path) -> None:
    for command in commands(page):
        tyro.cli(Command, args=shlex.split(command)[1:])  # exits where it cannot parse  # type: ignore[call-overload]


def test_the_readme_shows_every_command() -> None:
    shown = {command.split()[1] for command in commands(ROOT / "README.md")}
    assert shown >= {"demo", "play", "sentences", "evaluate", "train", "teach", "figures", "bench", "reproduce"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pictures_and_pages_that_it_points_to_exist(page: Path) -> None:
    text = page.read_text()
    targets = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text) + re.findall(r'(?:src|srcset)="([^"]+)"', text)
    missing = [target for target in targets if not target.startswith("http") and not (page.parent / target).is_file()]
    assert not missing


def test_make_targets_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    assert set(re.findall(r"\bmake ([a-z]+)", README)) <= targets


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_modules_that_it_names_exist(page: Path) -> None:
    modules = {path.name for folder in ("src", "tests", "tools") for path in (ROOT / folder).rglob("*.py")}
    assert set(re.findall(r"\b[a-z_0-9]+\.py\b", page.read_text())) <= modules


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_placeholder_is_left(page: Path) -> None:
    assert not re.findall(r"^[A-Z_]+$", page.read_text(), flags=re.MULTILINE)

"""README and docs: their Python runs, their commands parse, and what they point to exists."""

import re
import shlex
from pathlib import Path

import pytest
import tyro

from xworld.cli.commands import Command
from xworld.cli.extend import split_arguments

ROOT = Path(__file__).parents[1]
PAGES = (ROOT / "README.md", *sorted(ROOT.glob("docs/*.md")))
PAGES_WITH_PYTHON = (ROOT / "README.md", ROOT / "docs/api.md", ROOT / "docs/environment.md")
README = PAGES[0].read_text()


def commands(page: Path) -> list[str]:
    """The lines of a page's shell blocks that call xworld, without comments."""
    text = page.read_text().replace("\\\n", " ")  # a line that goes on
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE)
    lines = [line.split(" #")[0].strip() for kind, block in blocks if kind != "python" for line in block.splitlines()]
    return [line for line in lines if line.startswith("xworld ")]


@pytest.mark.parametrize("page", PAGES_WITH_PYTHON, ids=lambda page: page.name)
def test_the_python_on_a_page_runs_in_order(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(), flags=re.DOTALL)
    assert len(blocks) >= 3
    scope: dict[str, object] = {}
    for block in blocks:
        exec(block, scope)
    assert capsys.readouterr().out


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_parse(page: Path) -> None:
    for command in commands(page):
        _, others = split_arguments(shlex.split(command.replace("nav_far_obj", ""))[1:])  # known with --extend only
        tyro.cli(Command, args=others)  # exits where it cannot parse  # type: ignore[call-overload]


def test_the_readme_shows_every_command() -> None:
    shown = {command.split()[1] for command in commands(ROOT / "README.md")}
    assert shown >= {
        "demo",
        "play",
        "sentences",
        "evaluate",
        "train",
        "teach",
        "figures",
        "bench",
        "reproduce",
        "demonstrate",
    }


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
    modules = {path.name for folder in ("src", "tests", "tools", "examples") for path in (ROOT / folder).rglob("*.py")}
    assert set(re.findall(r"\b[a-z_0-9]+\.py\b", page.read_text())) <= modules


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_placeholder_is_left(page: Path) -> None:
    assert not re.findall(r"^[A-Z_]+$", page.read_text(), flags=re.MULTILINE)

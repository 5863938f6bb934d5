"""What the README says runs."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()


def test_the_python_in_the_readme_runs_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    assert len(blocks) >= 3
    scope: dict[str, object] = {}
    for block in blocks:
        exec(block, scope)
    assert "True" in capsys.readouterr().out


def test_pictures_and_pages_that_it_points_to_are_there() -> None:
    for page in (ROOT / "README.md", *ROOT.glob("docs/*.md")):
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
            if not target.startswith("http"):
                assert (page.parent / target).is_file(), f"{page.name}: {target}"


def test_its_make_targets_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    assert set(re.findall(r"\bmake ([a-z]+)", README)) <= targets


def test_no_placeholder_is_left() -> None:
    for page in (ROOT / "README.md", *ROOT.glob("docs/*.md")):
        left = re.findall(r"^[A-Z_]+$", page.read_text(), flags=re.MULTILINE)
        assert not left, f"{page.name} still has {left[0]} where something was to be filled in"

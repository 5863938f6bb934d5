"""A server of the demo, a browser, and visitors. Without a browser on the machine, these tests are skipped."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from browser.visitor import Visitor

BROWSERS = "chromium", "chromium-browser", "google-chrome"
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
PATIENCE = 20_000
"""Milliseconds for anything to happen: machines that test are shared."""

Visit = Callable[..., Visitor]


@pytest.fixture(scope="session")
def browser_path() -> str:
    found = [path for name in BROWSERS if (path := shutil.which(name))]
    if not found:
        pytest.skip("no browser is installed; on Debian, `apt-get install chromium` gives one")
    return found[0]


@contextmanager
def running(*files: Path) -> Iterator[str]:
    """The address of a demo that runs, with agents of the package and of files."""
    command = [str(Path(sys.executable).parent / "xworld"), "demo", *map(str, files), "--port", "0", "--no-browser"]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment) as run:
        try:
            assert run.stdout
            said = ""
            for line in run.stdout:
                said += line
                if address := re.search(r"http://\S+", line):
                    yield address[0].rstrip("/") + "/"
                    break
            else:
                pytest.fail(f"the demo did not start:\n{said}")
        finally:
            run.terminate()


@pytest.fixture(scope="session")
def demo(browser_path: str) -> Iterator[str]:
    """The address of a running demo."""
    with running() as url:
        yield url


@pytest.fixture(scope="module")
def browser(browser_path: str) -> Iterator[Browser]:
    """A browser for the tests of a file: its event loop must not outlive them, other tests run loops of their own."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, headless=True, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def visit(browser: Browser, demo: str) -> Iterator[Visit]:
    """Visitors, each in a browser profile of their own; afterwards, nothing may have gone wrong on their pages."""
    visitors: list[Visitor] = []

    def come(url: str = demo, **options: Any) -> Visitor:
        options = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce", **options}
        context = browser.new_context(**options)
        context.set_default_timeout(PATIENCE)
        visitors.append(Visitor(context, url))
        return visitors[-1]

    yield come
    for visitor in visitors:
        visitor.page.context.close()
    assert [mishap for visitor in visitors for mishap in visitor.mishaps] == []

"""A server of the demo, browsers with a font of our choice, and visitors. Without a browser these tests are skipped."""

import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from browser.fonts import MEDIUM, font_environment
from browser.visitor import Visitor
from demo.conftest import bundled_agents, serving

BROWSERS = "chromium", "chromium-browser", "google-chrome"
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
TIMEOUT = 60_000
"""Milliseconds for anything to happen: test machines are shared."""

Launch = Callable[[str], Browser]
Visit = Callable[..., Visitor]


@pytest.fixture(scope="session")
def browser_path() -> str:
    found = [path for name in BROWSERS if (path := shutil.which(name))]
    if not found:
        pytest.skip("no browser is installed; on Debian, `apt-get install chromium` gives one")
    return found[0]


@pytest.fixture(scope="session")
def demo(browser_path: str) -> Iterator[str]:
    """The address of a demo with the bundled agents."""
    with serving(bundled_agents()) as url:
        yield url


@pytest.fixture(scope="module")
def launch(browser_path: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Launch]:
    """Browsers by font. Per module: other tests run event loops of their own, and Playwright's must be gone."""
    with sync_playwright() as playwright:
        browsers: dict[str, Browser] = {}

        def start(font: str) -> Browser:
            if font not in browsers:
                environment: dict[str, str | float | bool] = {
                    **os.environ,
                    **font_environment(font, tmp_path_factory.mktemp("fonts")),
                }
                browsers[font] = playwright.chromium.launch(
                    executable_path=browser_path, headless=True, args=FLAGS, env=environment
                )
            return browsers[font]

        yield start
        for browser in browsers.values():
            browser.close()


@pytest.fixture(scope="module")
def browser(launch: Launch) -> Browser:
    return launch(MEDIUM)


@pytest.fixture
def visit(request: pytest.FixtureRequest, demo: str) -> Iterator[Visit]:
    """Visitors, each with a browser profile of their own; afterwards, nothing may have gone wrong on their pages."""
    visitors: list[Visitor] = []

    def come(url: str = demo, browser: Browser | None = None, **options: Any) -> Visitor:
        options = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce", **options}
        context = (browser or request.getfixturevalue("browser")).new_context(**options)
        context.set_default_timeout(TIMEOUT)
        visitors.append(Visitor(context, url))
        return visitors[-1]

    yield come
    for visitor in visitors:
        visitor.page.context.close()
    assert [problem for visitor in visitors for problem in visitor.problems] == []

"""On a phone, in the dark, in any font, and by itself: what holds for the whole page."""

import re
from datetime import datetime, timedelta

import pytest
from playwright.sync_api import Page, Route

from browser.conftest import Launch, Visit
from browser.fonts import MEDIUM, NARROW, WIDE, WIDEST
from browser.visitor import RED_APPLE, link_to

APPLE = link_to({(0, 0): RED_APPLE}, at=(6, 6), say="Could you please go to the apple?")
PHONES = 320, 344, 360, 375, 390, 412, 430
"""Widths of phones, in pixels."""
TABS = "watch", "edit", "teach"

WIDTH = "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
OUTSIDE = """() => {
    const scrolls = (part) => part && (getComputedStyle(part).overflowX !== "visible" || scrolls(part.parentElement));
    return [...document.querySelectorAll("main *")]
        .filter((part) => part.getBoundingClientRect().right > innerWidth + 0.5 && !scrolls(part.parentElement))
        .map((part) => part.outerHTML.slice(0, 100));
}"""
"""What sticks out of the page at the right, unless it is in a part that scrolls by itself."""
CUT_OFF = """() => [...document.querySelectorAll("[role=tab], .player button, .settings button")]
    .filter((button) => button.scrollWidth > button.clientWidth + 1).map((button) => button.innerText)"""
"""Buttons whose text does not fit into them."""


@pytest.mark.parametrize("font", [NARROW, MEDIUM, WIDE, WIDEST])
def test_a_phone_never_scrolls_sideways(visit: Visit, launch: Launch, font: str) -> None:
    visitor = visit(browser=launch(font), viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    page = visitor.open(APPLE).page
    page.wait_for_selector(".readings")
    for width in PHONES:
        page.set_viewport_size({"width": width, "height": 844})
        for tab in TABS:
            page.click(f"#tab-{tab}")
            content, window = page.evaluate(WIDTH)
            assert content == window == width, (width, tab)
            assert page.evaluate(OUTSIDE) == [], (width, tab)
            assert page.evaluate(CUT_OFF) == [], (width, tab)


def test_the_fonts_of_these_tests_differ(visit: Visit, launch: Launch) -> None:
    """Else the test above would prove nothing; the difference is that of the fonts, as no other is there."""
    widths = [text_width(visit(browser=launch(font)).open().page) for font in (NARROW, MEDIUM, WIDEST)]
    assert widths == sorted(widths)
    assert widths[1] > 1.1 * widths[0]
    assert widths[2] > 1.05 * widths[1]


def text_width(page: Page) -> float:
    """Pixels of a text in the page's font."""
    width: float = page.evaluate(
        """() => {
            const context = document.createElement("canvas").getContext("2d");
            context.font = getComputedStyle(document.body).font;
            return context.measureText("Tell it where to go. Ask it what it sees.").width;
        }"""
    )
    return width


def test_light_and_dark(visit: Visit) -> None:
    background = "getComputedStyle(document.body).backgroundColor"
    light, dark = (visit(color_scheme=scheme).open(APPLE) for scheme in ("light", "dark"))
    bright, dim = (_brightness(visitor.page.evaluate(background)) for visitor in (light, dark))
    assert bright > 240
    assert dim < 40
    dark.page.click("#theme")
    assert _brightness(dark.page.evaluate(background)) > 240
    dark.page.reload()
    dark.page.wait_for_selector("#commands li")
    assert _brightness(dark.page.evaluate(background)) > 240  # the choice stays


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_stronger_its_color_the_more_a_word_counts(visit: Visit, scheme: str) -> None:
    page = visit(color_scheme=scheme).open(APPLE).page
    page.wait_for_selector(".readings")
    ground = _brightness(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    words = page.evaluate(
        """() => [...document.querySelectorAll('.readings .word')].map((word) =>
            [Number(word.querySelector('.share').innerText),
             getComputedStyle(word.querySelector('.letters')).backgroundColor])"""
    )
    faint, strong = min(words), max(words)
    assert strong[0] > faint[0]
    assert abs(_brightness(strong[1]) - ground) > abs(_brightness(faint[1]) - ground)


def _brightness(color: str) -> float:
    """From 0 to 255, of a color as a browser computes it: `rgb(0, 0, 0)`, or `color(srgb 0 0 0)` if it was mixed."""
    parts = [float(part) for part in re.findall(r"[\d.]+", color)[:3]]
    return sum(parts) / 3 * (255 if color.startswith("color") else 1)


def test_nothing_foreign_may_run(visit: Visit) -> None:
    visitor = visit()
    reply = visitor.page.goto(visitor.url)
    assert reply
    policy = reply.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    source = reply.text()
    assert not re.search(r"<script(?![^>]*src=)|<style|\sstyle=|\son\w+=", source)


def test_the_page_is_painted_before_the_server_has_told_it_anything(visit: Visit) -> None:
    visitor, held = visit(), list[Route]()
    page = visitor.page
    page.route("**/about", lambda route: held.append(route))
    page.goto(visitor.url, wait_until="commit")
    page.wait_for_function("() => performance.getEntriesByName('first-contentful-paint').length")
    assert page.is_visible("h1")
    assert page.locator("#commands li").count() == 0
    for route in held:
        route.continue_()
    page.wait_for_selector("#commands li")


def test_a_step_is_one_request(visit: Visit) -> None:
    visitor = visit().open(APPLE)
    visitor.page.wait_for_selector(".readings")
    visitor.page.click("#run")
    assert "It is there, in 12 steps" in visitor.verdict()
    requests = "performance.getEntriesByType('resource').filter((e) => e.name.endsWith('/understand')).length"
    assert visitor.page.evaluate(requests) == 12  # the last step needs none: it has arrived


def test_everything_has_a_name(visit: Visit) -> None:
    visitor = visit().open(APPLE)
    for tab in ("watch", "edit", "teach"):
        visitor.page.click(f"#tab-{tab}")
        nameless = visitor.page.evaluate(
            """() => [...document.querySelectorAll('button, input, select, canvas[tabindex]')]
                .filter((e) => e.offsetParent && !(e.ariaLabel || e.innerText || e.labels?.length || e.title))
                .map((e) => e.outerHTML)"""
        )
        assert nameless == []


def test_a_walk_glides(visit: Visit) -> None:
    """Between two cells the agent is drawn in between, unless the visitor asked for stillness."""
    visitor = visit(reduced_motion="no-preference")
    visitor.page.clock.install()
    visitor.open(APPLE).page.wait_for_selector(".readings")
    visitor.page.select_option("#speed", "0.5")
    visitor.page.clock.pause_at(datetime.now() + timedelta(minutes=10))
    picture = "document.querySelector('#map').toDataURL()"
    seen = {visitor.page.evaluate(picture)}
    visitor.page.click("#step")
    for _ in range(6):
        visitor.page.clock.run_for(60)
        seen.add(visitor.page.evaluate(picture))
    assert len(seen) > 3

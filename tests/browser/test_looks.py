"""On a phone, in the dark, quick, and by itself: what holds for the whole page."""

import re
from statistics import median

import pytest

from browser.conftest import Visit
from browser.visitor import RED_APPLE, link_to

FIRST_PAINT, STEP = 1000.0, 50.0
"""Milliseconds that a quiet machine takes at most for the first paint and for a step."""
CROWDED = 8.0
"""How many times slower a machine may be that is shared with others."""

APPLE = link_to({(0, 0): RED_APPLE}, at=(6, 6), say="Go to the apple.")
WIDTH = "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"


@pytest.mark.parametrize("tab", ["watch", "edit", "teach"])
def test_a_phone_never_scrolls_sideways(visit: Visit, tab: str) -> None:
    visitor = visit(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True).open(APPLE)
    visitor.page.wait_for_selector(".readings")
    visitor.page.click(f"#tab-{tab}")
    content, window = visitor.page.evaluate(WIDTH)
    assert content == window == 390
    sides = visitor.page.evaluate("Object.values(document.querySelector('#map').getBoundingClientRect().toJSON())")
    assert max(sides[2:4]) <= 390


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


def test_the_first_paint_is_quick(visit: Visit) -> None:
    visitor = visit().open(APPLE)
    painted = visitor.page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    print(f"first paint after {painted:.0f} ms")
    assert painted < CROWDED * FIRST_PAINT


def test_a_step_is_quick(visit: Visit) -> None:
    visitor = visit().open(APPLE)
    visitor.page.wait_for_selector(".readings")
    visitor.page.select_option("#speed", "5")
    visitor.page.click("#run")
    assert "It is there" in visitor.verdict()
    entries = "performance.getEntriesByType('resource').filter((e) => e.name.endsWith('/understand'))"
    waits = visitor.page.evaluate(f"{entries}.map((e) => e.duration)")
    print(f"{len(waits)} steps, median {median(waits):.0f} ms, longest {max(waits):.0f} ms")
    assert len(waits) >= 12
    assert median(waits) < CROWDED * STEP


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
    visitor = visit(reduced_motion="no-preference").open(APPLE)
    visitor.page.wait_for_selector(".readings")
    visitor.page.select_option("#speed", "0.5")
    picture = "document.querySelector('#map').toDataURL()"
    seen = {visitor.page.evaluate(picture)}
    visitor.page.click("#step")
    for _ in range(6):
        visitor.page.wait_for_timeout(60)
        seen.add(visitor.page.evaluate(picture))
    assert len(seen) > 3

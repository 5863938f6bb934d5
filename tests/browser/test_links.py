"""The address says what is on the page: a link shows the same to somebody else, and a reload loses nothing."""

import re

from browser.conftest import Visit
from browser.visitor import RED_APPLE, link_to


def test_a_link_shows_the_same_elsewhere(visit: Visit) -> None:
    first = visit(permissions=["clipboard-read", "clipboard-write"]).open()
    first.page.locator("#questions button").nth(1).click()
    first.page.wait_for_selector("#answer")
    first.page.click("#link")
    first.page.wait_for_selector("#link:text-is('Copied')")
    link = first.page.evaluate("navigator.clipboard.readText()")
    second = visit().open(link.removeprefix(first.url))
    second.page.wait_for_selector("#answer")
    assert second.page.input_value("#sentence") == first.page.input_value("#sentence")
    assert second.map_in_words() == first.map_in_words()
    assert second.answer() == first.answer()


def test_a_reload_loses_nothing(visit: Visit) -> None:
    visitor = visit().open(link_to({(1, 3): RED_APPLE}, at=(5, 3)))
    visitor.say("Go to the apple.")
    visitor.verdict()
    visitor.page.reload()
    visitor.page.wait_for_selector(".readings")
    assert visitor.page.input_value("#sentence") == "Go to the apple."
    assert re.search("red apple in row 2, column 4", visitor.map_in_words())
    assert visitor.agent_cell() == (5, 3)  # where it was told


def test_a_link_that_is_none_is_left_aside(visit: Visit) -> None:
    visitor = visit().open("#map=nonsense&at=9")
    assert visitor.map_in_words().startswith("A map of 7 by 7")

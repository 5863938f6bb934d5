"""The address says what is on the page: a link shows the same to somebody else, and a reload loses nothing."""

import re

from browser.conftest import Visit
from browser.test_teaching import LESSON
from browser.visitor import FIRST_TAUGHT, RED_APPLE, link_to


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


def test_a_link_of_an_agent_that_is_not_here_says_so(visit: Visit) -> None:
    visitor = visit().open(link_to({(1, 3): RED_APPLE}, at=(5, 3), say="Go to the apple.", agent="my-own"))
    visitor.page.wait_for_selector("#trouble p")
    assert visitor.texts("#trouble p") == ["This link was made with an agent that is not here; another one is shown."]
    assert "red apple in row 2, column 4" in visitor.map_in_words()
    visitor.page.click("#run")
    assert "It is there" in visitor.verdict()


def test_a_link_that_does_not_carry_its_word_says_what_is_missing(visit: Visit) -> None:
    things = {(1, 3): RED_APPLE, (2, 5): FIRST_TAUGHT}
    visitor = visit().open(link_to(things, at=(5, 3), say="Go to the yak.", agent="taught-elsewhere"))
    visitor.page.wait_for_selector("#trouble p")
    (told,) = visitor.texts("#trouble p")
    assert "an agent that is not here" in told
    assert "Some things on its map are not known here; they were left out." in told
    assert visitor.map_in_words().count(" in row ") == 2  # the agent and the apple


def test_a_link_with_a_word_that_was_not_taught_here_offers_to_teach_it(visit: Visit) -> None:
    lesson = {"word": "yak.", "picture": "ff00ff00ff00" * 72, "from": "my-own"}
    link = link_to({(2, 5): FIRST_TAUGHT}, (5, 3), "Go to the yak.", "taught-elsewhere", **lesson)
    visitor = visit().open(link)
    visitor.page.wait_for_selector("#trouble .chip")
    assert "This link comes from elsewhere" in visitor.texts("#trouble p")[0]
    assert "has to learn “yak” here first" in visitor.texts("#trouble p")[0]
    visitor.page.click("#trouble .chip:text-is('Teach “yak”')")
    visitor.page.wait_for_selector("#map[aria-label*='yak in row 3, column 6']", timeout=LESSON)
    assert visitor.page.input_value("#sentence") == "Go to the yak."
    visitor.page.click("#run")
    visitor.page.click("#tab-watch")
    assert "It is there" in visitor.verdict()


def test_a_link_whose_picture_is_damaged_is_refused_politely(visit: Visit) -> None:
    lesson = {"word": "yak.", "picture": "png.AAAA", "from": "standard"}
    visitor = visit().open(link_to({(2, 5): FIRST_TAUGHT}, (5, 3), "Go to the yak.", "taught-elsewhere", **lesson))
    visitor.page.click("#trouble .chip")
    visitor.page.wait_for_selector("#teach-trouble p:text('not an image')")

"""Maps that visitors change, and new ones."""

from browser.conftest import Visit
from browser.visitor import GREEN_APPLE, RED_APPLE, WALL, Visitor, link_to


def edit(visitor: Visitor, tool: str) -> None:
    visitor.page.click("#tab-edit")
    visitor.page.locator("#edit").get_by_role("button", name=tool).first.click()


def test_what_is_put_on_the_map_is_seen(visit: Visit) -> None:
    visitor = visit().open(link_to({(0, 0): GREEN_APPLE}, at=(3, 3)))
    visitor.page.click("#tab-edit")
    visitor.page.fill("#edit input[type=search]", "panda")
    visitor.page.locator("#edit .palette button").first.click()
    visitor.click_cell((2, 3))
    visitor.page.wait_for_selector("#map[aria-label*='panda in row 3, column 4']")
    visitor.page.wait_for_selector("#commands >> text=/panda/i")
    visitor.say("What is in the north?")
    visitor.page.click("#tab-watch")
    visitor.page.wait_for_selector("#answer")
    assert visitor.answer() == "panda"


def test_a_wall_is_walked_around(visit: Visit) -> None:
    visitor = visit().open(link_to({(3, 0): RED_APPLE}, at=(3, 2), say="Go to the apple."))
    edit(visitor, "Wall")
    visitor.click_cell((3, 1))
    visitor.page.click("#tab-watch")
    visitor.page.wait_for_selector("#map[aria-label*='1 wall.']")
    visitor.page.click("#run")
    assert "It is there, in 4 steps" in visitor.verdict()


def test_the_agent_is_moved(visit: Visit) -> None:
    visitor = visit().open(link_to({(3, 0): RED_APPLE}, at=(3, 2)))
    edit(visitor, "Agent")
    visitor.click_cell((6, 6))
    assert visitor.agent_cell() == (6, 6)


def test_what_cannot_be_put_is_refused(visit: Visit) -> None:
    visitor = visit().open(link_to({(0, column): RED_APPLE for column in range(7)} | {(1, 0): RED_APPLE}, at=(3, 3)))
    edit(visitor, "Wall")
    visitor.click_cell((3, 3))
    assert "The agent stands there" in visitor.texts("#trouble p")[0]
    edit(visitor, "green apple")
    visitor.click_cell((5, 5))
    assert "at most 8 objects" in visitor.texts("#trouble p")[0]
    assert "green apple" not in visitor.map_in_words()


def test_the_map_is_changed_from_the_keyboard(visit: Visit) -> None:
    visitor = visit().open(link_to({(3, 0): RED_APPLE, (2, 3): WALL}, at=(3, 3)))
    edit(visitor, "Wall")
    visitor.page.focus("#map")
    for key in ("ArrowUp", "ArrowUp", "Delete", "ArrowRight", "Enter"):  # the first one shows the cursor
        visitor.page.keyboard.press(key)
    assert "Row 3, column 5: wall" in visitor.texts("#cell")
    visitor.page.wait_for_selector("#map[aria-label*='1 wall.']")


def test_a_new_map_is_as_wished(visit: Visit) -> None:
    visitor = visit().open()
    visitor.page.click("#tab-edit")
    for name, value in {"size": "5", "objects": "4", "walls": "2", "command": "nav_bw_obj"}.items():
        visitor.page.select_option(f".new-map .{name} select", value)
    visitor.page.click("text=Make a new map")
    visitor.page.wait_for_selector("#map[aria-label^='A map of 5 by 5']")
    assert "2 walls" in visitor.map_in_words()
    assert visitor.map_in_words().count(" in row ") == 5  # four objects and the agent
    assert "between" in visitor.page.input_value("#sentence")

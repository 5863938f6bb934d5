"""A demo that was started with a file: an agent that was taught a word elsewhere is met on the page."""

from collections.abc import Iterator

import pytest

from browser.conftest import Visit
from browser.visitor import FIRST_TAUGHT, GREEN_APPLE, link_to
from demo.conftest import serving
from new_things import ROCKET
from xworld.demo.agents import load_agents
from xworld.training.pretrained import load_model
from xworld.word_learning import save_taught, teach
from xworld.world.catalogue import Catalogue


@pytest.fixture(scope="module")
def rockets(browser_path: str, tmp_path_factory: pytest.TempPathFactory, catalogue: Catalogue) -> Iterator[str]:
    """The address of a demo with an agent that was taught the rocket."""
    file, (agent, provenance) = tmp_path_factory.mktemp("agents") / "rocket.safetensors", load_model()
    save_taught(file, teach(agent, catalogue, "rocket", ROCKET), provenance)
    with serving(load_agents([file])) as url:
        yield url


def test_a_word_from_a_file_is_put_on_the_map_and_obeyed(visit: Visit, rockets: str) -> None:
    visitor = visit(rockets).open(link_to({(4, 5): GREEN_APPLE}, at=(5, 1)))
    visitor.page.select_option("#agent", "rocket")
    visitor.page.wait_for_selector("#agent-note:text('Then taught rocket, only as an answer.')")
    visitor.page.click("#tab-edit")
    visitor.page.fill("#edit input[type=search]", "rocket")
    visitor.page.locator("#edit .palette button").first.click()
    visitor.click_cell((2, 2))
    visitor.page.wait_for_selector("#map[aria-label*='rocket in row 3, column 3']")
    visitor.page.wait_for_selector("#commands .unheard:text-matches('rocket', 'i')")
    visitor.page.click("#tab-watch")
    visitor.say("Go to the rocket.")
    assert "It is there" in visitor.verdict()
    assert visitor.agent_cell() == (2, 2)
    assert "rocket: never heard in a command while this agent learned." in visitor.texts(".heldout")
    visitor.page.reload()
    visitor.page.wait_for_selector("#map[aria-label*='rocket in row 3, column 3']")
    assert visitor.page.input_value("#agent") == "rocket"
    assert visitor.texts("#agent option").count("rocket") == 1


def test_its_link_offers_the_word_to_another_demo(visit: Visit, rockets: str) -> None:
    first = visit(rockets).open(link_to({(2, 2): FIRST_TAUGHT}, (5, 1), "Go to the rocket.", "rocket"))
    assert "rocket in row 3, column 3" in first.map_in_words()
    link = first.page.url.removeprefix(first.url)
    elsewhere = visit().open(link)
    elsewhere.page.wait_for_selector("#trouble .chip:text-is('Teach “rocket”')")
    assert "rocket in row" not in elsewhere.map_in_words()


def test_another_agents_things_leave_the_map(visit: Visit, rockets: str) -> None:
    visitor = visit(rockets).open(link_to({(2, 2): FIRST_TAUGHT, (4, 5): GREEN_APPLE}, (5, 1), agent="rocket"))
    assert "rocket in row 3" in visitor.map_in_words()
    visitor.page.select_option("#agent", "standard")
    visitor.page.wait_for_selector("#map:not([aria-label*='rocket'])")
    assert "green apple in row 5" in visitor.map_in_words()

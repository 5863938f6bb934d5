"""Commands and questions, typed, picked or from the keyboard alone."""

from browser.conftest import Visit
from browser.visitor import GREEN_APPLE, RED_APPLE, WALL, link_to

# A red apple at the top, a green one at the left, the agent at the bottom behind a short wall.
APPLES = link_to({(1, 3): RED_APPLE, (4, 0): GREEN_APPLE, (4, 3): WALL}, at=(6, 3))


def test_a_command_is_obeyed(visit: Visit) -> None:
    visitor = visit().open(APPLES)
    visitor.say("Go to the green apple")
    assert "It is there" in visitor.verdict()
    assert visitor.agent_cell() == (4, 0)
    rewards = dict(zip(visitor.texts(".numbers dt"), visitor.texts(".numbers dd"), strict=True))
    steps = int(rewards["Steps"])
    assert steps >= 5
    assert float(rewards["Reward so far"].replace("\N{MINUS SIGN}", "-")) <= 1 - 0.1 * steps + 1e-9


def test_the_strips_show_the_sentence(visit: Visit) -> None:
    visitor = visit().open(APPLES)
    visitor.say("Move to the red apple.")
    visitor.page.wait_for_selector(".strip")
    words = visitor.texts(".reading:first-child .letters")
    assert words == ["move", "to", "the", "red", "apple", "."]
    shares = [int(share or 0) for share in visitor.texts(".reading:first-child .share")]
    assert 80 <= sum(shares) <= 105
    assert len(visitor.texts(".reading")) == 3


def test_a_question_is_answered(visit: Visit) -> None:
    visitor = visit().open(link_to({(1, 3): RED_APPLE}, at=(3, 3)))
    visitor.say("What color does the apple have?")
    visitor.page.wait_for_selector("#answer")
    assert visitor.answer() == "red"
    assert "The teacher agrees." in visitor.texts(".judged")
    assert len(visitor.texts(".answer .bars li")) == 5


def test_examples_are_true_here(visit: Visit) -> None:
    visitor = visit().open(APPLES)
    visitor.page.locator("#questions button").first.click()
    visitor.page.wait_for_selector(".judged")
    assert visitor.texts(".aside") == []


def test_steps_forth_and_back(visit: Visit) -> None:
    visitor = visit().open(APPLES + "&say=Go+to+the+red+apple.")
    visitor.page.click("#step")
    visitor.page.wait_for_selector("#back:not(:disabled)")
    assert visitor.agent_cell() != (6, 3)
    visitor.page.click("#back")
    assert visitor.agent_cell() == (6, 3)


def test_an_unknown_word_is_mended(visit: Visit) -> None:
    visitor = visit().open(APPLES)
    visitor.say("Go to the red aple.")
    visitor.page.wait_for_selector("#trouble .chip")
    assert "aple" in visitor.texts("#trouble p")[0]
    visitor.page.click("#trouble .chip:text-is('apple')")
    assert "It is there" in visitor.verdict()
    assert visitor.page.input_value("#sentence") == "Go to the red apple."
    assert visitor.texts("#trouble p") == []


def test_what_the_teacher_would_not_say(visit: Visit) -> None:
    visitor = visit().open(APPLES)
    visitor.say("Go to the panda.")
    visitor.page.wait_for_selector(".aside")
    assert "panda" in visitor.texts(".aside")[0]


def test_words_are_completed(visit: Visit) -> None:
    visitor = visit().open(APPLES)
    visitor.page.fill("#sentence", "")
    visitor.page.focus("#sentence")
    visitor.page.keyboard.type("Go to the ap")
    first = visitor.page.locator("#completions [role=option]").first
    assert "apple" in first.inner_text()
    assert "on this map" in first.inner_text()
    visitor.page.keyboard.press("ArrowDown")
    active = visitor.page.get_attribute("#sentence", "aria-activedescendant")
    assert active == first.get_attribute("id")
    visitor.page.keyboard.press("Enter")
    assert visitor.page.input_value("#sentence") == "Go to the apple "
    assert visitor.page.is_hidden("#completions")


def test_escape_closes_the_list(visit: Visit) -> None:
    visitor = visit().open(APPLES)
    visitor.page.fill("#sentence", "")
    visitor.page.focus("#sentence")
    visitor.page.keyboard.type("nor")
    assert visitor.page.is_visible("#completions")
    visitor.page.keyboard.press("Escape")
    assert visitor.page.is_hidden("#completions")
    assert visitor.page.input_value("#sentence") == "nor"


def test_with_the_keyboard_alone(visit: Visit) -> None:
    visitor = visit().open(APPLES)
    keys = visitor.page.keyboard
    keys.press("Tab")  # to the link that skips the header
    keys.press("Enter")
    assert visitor.page.evaluate("document.activeElement.id") == "sentence"
    keys.type("Move to the red appl")
    keys.press("Tab")
    keys.press("Enter")
    assert "It is there" in visitor.verdict()
    assert visitor.agent_cell() == (1, 3)

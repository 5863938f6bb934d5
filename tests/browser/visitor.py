"""A person in front of the page: what they do, what they read on it, and what must not happen to them."""

import re
from collections.abc import Sequence
from urllib.parse import parse_qs, urlencode, urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request

SIDE = 7
FLOOR, WALL, RED_APPLE, GREEN_APPLE = 1, 2, 4, 5
FIRST_TAUGHT = 118

Cell = tuple[int, int]


def link_to(things: dict[Cell, int], at: Cell, say: str = "", agent: str = "standard", **more: str) -> str:
    """The part after the # of a link to a map of floor with some things on it."""
    cells = [things.get((row, column), FLOOR) for row in range(SIDE) for column in range(SIDE)]
    fields = {"agent": agent, "size": SIDE, "at": f"{at[0]}.{at[1]}", "map": "".join(map(_two_letters, cells))}
    return "#" + urlencode(fields | ({"say": say} if say else {}) | more)


def _two_letters(tile: int) -> str:
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    return digits[tile // 36] + digits[tile % 36]


class Visitor:
    """A page with its visitor; problems on it are collected."""

    def __init__(self, context: BrowserContext, url: str) -> None:
        self.url = url
        self.problems: list[str] = []
        self.page: Page = context.new_page()
        self.page.on("console", self._listen)
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("request", self._watch)

    def open(self, fragment: str = "") -> "Visitor":
        """Open the page, wait until the map and its examples are there, and let the agent walk fast."""
        self.page.goto("about:blank")
        self.page.goto(self.url + fragment)
        self.page.wait_for_selector("#commands li")
        self.page.select_option("#speed", "5")
        return self

    def say(self, sentence: str) -> None:
        """Type a sentence and send it off."""
        self.page.fill("#sentence", sentence)
        self.page.press("#sentence", "Enter")

    def verdict(self) -> str:
        """How a walk ended, once it did."""
        self.page.wait_for_selector(".verdict .right, .verdict .wrong")
        return self.page.inner_text(".verdict")

    def answer(self) -> str:
        """The word that the agent said."""
        return self.page.locator("#answer").inner_text()

    def map_in_words(self) -> str:
        """The map as it is told to those who do not see it."""
        return self.page.locator("#map").get_attribute("aria-label") or ""

    def agent_cell(self) -> Cell:
        """Where the agent is, rows and columns from 0."""
        found = re.search(r"the agent in row (\d), column (\d)", self.map_in_words())
        assert found, self.map_in_words()
        return int(found[1]) - 1, int(found[2]) - 1

    def click_cell(self, cell: Cell) -> None:
        """Click into the middle of a cell of the map."""
        box = self.page.locator("#map").bounding_box()
        assert box
        margin, pitch = 0.36, box["width"] / (SIDE + 0.72)
        row, column = cell
        self.page.locator("#map").click(
            position={"x": (margin + column + 0.5) * pitch, "y": (margin + row + 0.5) * pitch}
        )

    def fragment(self) -> dict[str, list[str]]:
        """What the address says after its #."""
        return parse_qs(urlsplit(self.page.url).fragment)

    def texts(self, selector: str) -> Sequence[str]:
        """The texts of all elements of a kind."""
        return self.page.locator(selector).all_inner_texts()

    def _listen(self, message: ConsoleMessage) -> None:
        refused = re.search(r"status of (400|410)", message.text)  # what the page asks for, and tells the visitor
        if message.type in ("error", "warning") and not refused:
            self.problems.append(message.text)

    def _watch(self, request: Request) -> None:
        if not request.url.startswith((self.url, "data:", "blob:", "about:")):
            self.problems.append(f"a request left the machine: {request.url}")

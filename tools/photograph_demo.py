"""Take screenshots of the demo for the docs, in a browser.

python tools/photograph_demo.py                  # starts a demo; pictures go to docs/images
python tools/photograph_demo.py --url URL        # uses a demo that is already running
"""

import argparse
import io
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

FOLDER = Path(__file__).parents[1] / "docs" / "images"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
LAPTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
COLORS = 256
"""In a picture: enough for a page, and half the bytes."""
TIMEOUT, LESSON_TIMEOUT = 60_000, 300_000
"""Milliseconds to wait for anything, and for a lesson."""

MAP = """
    . . . # . . .
    . cat . . . red_apple .
    . . # # . . .
    elephant . . . . blue_star .
    . . . . # . .
    . green_apple . . # . .
    . . . . . . .
"""
START = (6, 5)


@contextmanager
def running_demo() -> Iterator[str]:
    """Start a demo; yields its address."""
    command = [str(Path(sys.executable).parent / "xworld"), "demo", "--port", "0", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            yield next(found[0] for line in process.stdout if (found := re.search(r"http://\S+/", line)))
        finally:
            process.terminate()


class Studio:
    """A browser in front of a demo, and the folder for its pictures."""

    def __init__(self, browser: Browser, url: str, folder: Path) -> None:
        self.browser, self.url, self.folder = browser, url, folder
        about = self.open(LAPTOP).evaluate("fetch('/about').then((reply) => reply.json())")
        self.tiles = {tile["name"].replace(" ", "_"): tile["id"] for tile in reversed(about["tiles"])}

    def open(self, device: dict[str, Any], say: str = "", **context: Any) -> Page:
        """The page on a device: with our map and a sentence, or as it starts."""
        page = self.browser.new_page(**device, **context)
        page.set_default_timeout(TIMEOUT)
        page.goto(self.url + (self._link(say) if say else ""))
        page.wait_for_selector("#commands li")
        if say:
            page.wait_for_selector(".readings")
        return page

    def _link(self, say: str) -> str:
        signs = {".": 1, "#": 2, **self.tiles}
        tiles = "".join(
            f"{signs[sign] // 36}{'0123456789abcdefghijklmnopqrstuvwxyz'[signs[sign] % 36]}" for sign in MAP.split()
        )
        return "#" + urlencode({"agent": "standard", "size": 7, "at": "{}.{}".format(*START), "map": tiles, "say": say})

    def take(self, page: Page, name: str) -> None:
        """Take a screenshot once everything has settled."""
        page.wait_for_timeout(500)
        picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        picture.quantize(COLORS, dither=Image.Dither.NONE).save(self.folder / f"demo-{name}.png", optimize=True)


def photograph(studio: Studio) -> None:
    page = studio.open(LAPTOP, "Could you please go to the red apple?")
    for _ in range(3):
        page.click("#step")
        page.wait_for_timeout(900)
    studio.take(page, "command")
    page.fill("#sentence", "Go to the red aple.")
    page.press("#sentence", "Enter")
    page.wait_for_selector("#trouble .chip")
    studio.take(page, "error")
    page = studio.open(LAPTOP, "What color does the star have?", color_scheme="dark")
    studio.take(page, "question")
    page = studio.open(LAPTOP, "Move to the north of the elephant.")
    page.click("#tab-edit")
    page.fill("#edit input[type=search]", "s")
    page.focus("#map")
    for key in ("ArrowUp", "ArrowUp", "ArrowLeft"):
        page.keyboard.press(key)
    studio.take(page, "edit")
    page = studio.open(PHONE, "Move to the cat.")
    page.select_option("#speed", "5")
    page.click("#run")
    page.wait_for_selector(".verdict .right")
    studio.take(page, "phone")


def photograph_lesson(studio: Studio) -> None:
    page = studio.open(LAPTOP, "Move to the cat.")
    page.click("#tab-teach")
    studio.take(page, "teach")
    page.click("text=Teach it")
    page.wait_for_selector("table caption:text('stays as good')", timeout=LESSON_TIMEOUT)
    page.locator(".try button").first.click()
    page.wait_for_selector(".verdict .right, .verdict .wrong", state="attached")
    studio.take(page, "taught")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", help="a demo that is already running")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    arguments = parser.parse_args()
    path = shutil.which("chromium")
    if path is None:
        sys.exit("No chromium is installed; on Debian, `apt-get install chromium` gives one.")
    demo = nullcontext(arguments.url) if arguments.url else running_demo()
    with demo as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        studio = Studio(browser, url, arguments.folder)
        photograph(studio)
        photograph_lesson(studio)
        browser.close()


if __name__ == "__main__":
    main()

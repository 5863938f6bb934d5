"""A word is taught on the page, and obeyed; its link teaches it to somebody else."""

import io
import re

from PIL import ExifTags, Image
from playwright.sync_api import FilePayload

from browser.conftest import Visit
from browser.visitor import FIRST_TAUGHT, GREEN_APPLE, Visitor, link_to

LESSON = 300_000
"""Milliseconds that a lesson and its tests may take on a busy machine."""

COLOR_AT = """([x, y]) => {
    const copy = new OffscreenCanvas(1, 1).getContext("2d");
    copy.drawImage(document.querySelector(".sheet"), -x, -y);
    return [...copy.getImageData(0, 0, 1, 1).data].slice(0, 3).join();
}"""
"""The color of a pixel of the sheet."""

BREAK_OFF = """() => {
    const fetch = window.fetch;
    const report = new ReadableStream({
        start(controller) {
            controller.enqueue(new TextEncoder().encode('{"progress": 0.1}\\n'));
            setTimeout(() => controller.error(new TypeError("network error")), 100);
        },
    });
    window.fetch = (path, options) => path === "/teach" ? Promise.resolve(new Response(report)) : fetch(path, options);
}"""
"""A server that stops in the middle of a lesson."""


def teach(visitor: Visitor, drawing: str) -> None:
    visitor.page.click("#tab-teach")
    visitor.page.locator(f".starters button[title={drawing}]").click()
    visitor.page.click("text=Teach it")
    visitor.page.wait_for_selector(".report", timeout=LESSON)


def test_a_word_is_taught_and_obeyed(visit: Visit) -> None:
    visitor = visit().open()
    teach(visitor, "rocket")
    assert "It knows the rocket now" in visitor.texts(".report h3")
    assert "rocket in row" in visitor.map_in_words()
    assert all("rocket" in command.lower() for command in visitor.texts(".try button"))
    assert "rocket" in [word.lower() for word in visitor.texts("#commands .unheard")]
    visitor.page.wait_for_selector("table caption:text('stays as good')", timeout=LESSON)
    assert len(visitor.texts(".report table:last-of-type tbody tr")) == 4

    agent = visitor.fragment()["agent"][0]
    lesson = {name: visitor.fragment()[name][0] for name in ("word", "picture", "from")}
    things = {(2, 2): FIRST_TAUGHT, (4, 5): GREEN_APPLE}
    link = link_to(things, (5, 1), "Go to the east of the rocket.", agent, **lesson)
    visitor.page.click("#tab-watch")
    visitor.open(link)
    visitor.page.click("#run")
    assert "It is there" in visitor.verdict()
    assert visitor.agent_cell() == (2, 3)
    assert "rocket: never heard in a command while this agent learned." in visitor.texts(".heldout")
    assert "rocket" in visitor.texts(".word.unheard .letters")

    visitor.open(link_to(things, (5, 1), agent=agent, **{**lesson, "picture": "png.AAAA"}))
    visitor.page.wait_for_selector("#trouble p:text('picture of this word cannot be read')")

    elsewhere = visit().open(link.replace(agent, "taught-elsewhere"))
    elsewhere.page.wait_for_selector("#trouble .chip:text-is('Teach “rocket”')")


def test_what_cannot_be_taught(visit: Visit) -> None:
    visitor = visit().open()
    visitor.page.click("#tab-teach")
    visitor.page.fill("#teach-word", "two words")
    visitor.page.click("text=Teach it")
    assert "one word of letters" in visitor.texts("#teach-trouble p")[0]
    visitor.page.fill("#teach-word", "apple")
    visitor.page.click("text=Teach it")
    visitor.page.wait_for_selector("#teach-trouble p:text('knows already')")
    visitor.page.fill("#teach-word", "cloud")
    visitor.page.click("#teach >> text=Clear")
    visitor.page.click("text=Teach it")
    assert "Draw something" in visitor.texts("#teach-trouble p")[0]


def test_a_lesson_that_breaks_off_can_be_tried_again(visit: Visit) -> None:
    visitor = visit().open()
    visitor.page.evaluate(BREAK_OFF)
    visitor.page.click("#tab-teach")
    visitor.page.locator(".starters button[title=rocket]").click()
    visitor.page.click("text=Teach it")
    visitor.page.wait_for_selector("#teach-trouble p:text('The lesson broke off')")
    assert visitor.page.is_visible("text=Teach it")


def test_a_photo_is_shown_upright(visit: Visit) -> None:
    visitor = visit().open()
    visitor.page.click("#tab-teach")
    photo = FilePayload(name="photo.jpg", mimeType="image/jpeg", buffer=photo_of_a_red_sky())
    visitor.page.set_input_files("#teach-file", files=[photo])
    visitor.page.wait_for_function(f"(cell) => ({COLOR_AT})(cell).startsWith('0,0,2')", arg=[130, 240])
    assert re.fullmatch(r"2\d\d,0,0", visitor.page.evaluate(COLOR_AT, [130, 30]))


def photo_of_a_red_sky() -> bytes:
    """Red above blue, taken with the camera turned to the left."""
    file, seen, turned = io.BytesIO(), Image.new("RGB", (96, 96), (255, 0, 0)), Image.Exif()
    seen.paste((0, 0, 255), (0, 48, 96, 96))
    turned[ExifTags.Base.Orientation] = 6
    seen.transpose(Image.Transpose.ROTATE_90).save(file, "JPEG", exif=turned, quality=95)
    return file.getvalue()


def test_drawing(visit: Visit) -> None:
    visitor = visit().open()
    visitor.page.click("#tab-teach")
    visitor.page.click("#teach >> text=Clear")
    visitor.page.click(".inks button[title=red]")
    visitor.page.locator(".sheet").click(position={"x": 30, "y": 30})
    assert visitor.page.evaluate(COLOR_AT, [30, 30]) == "224,49,49"
    visitor.page.click(".segments >> text=Fill")
    visitor.page.click(".inks button[title=blue]")
    visitor.page.locator(".sheet").click(position={"x": 200, "y": 200})
    assert visitor.page.evaluate(COLOR_AT, [240, 120]) == "47,111,224"
    assert visitor.page.evaluate(COLOR_AT, [30, 30]) == "224,49,49"
    visitor.page.click("#teach >> text=Undo")
    assert visitor.page.evaluate(COLOR_AT, [240, 120]) != "47,111,224"

"""How many colors a terminal shows, and pictures as half blocks."""

import numpy as np
import pytest
from rich.console import Console
from rich.text import Text

from xworld.play.color import ColorDepth, color_depth, half_blocks, palette_index
from xworld.world.catalogue import Catalogue


def test_pixels_become_half_blocks() -> None:
    pixels = np.zeros((4, 3, 3), np.uint8)
    pixels[0, 0] = 255, 0, 0
    lines = half_blocks(pixels, ColorDepth.TRUE)
    assert len(lines) == 2
    red, black = "\x1b[38;2;255;0;0;48;2;0;0;0m▀\x1b[0m", "\x1b[38;2;0;0;0;48;2;0;0;0m▀▀\x1b[0m"
    assert written(lines[0], ColorDepth.TRUE) == red + black
    indexed = half_blocks(pixels, ColorDepth.INDEXED)[0]
    assert written(indexed, ColorDepth.INDEXED).startswith("\x1b[38;5;196;48;5;16m▀")


def written(line: Text, depth: ColorDepth) -> str:
    """What a terminal receives."""
    console = Console(color_system=depth.value, force_terminal=True, no_color=False)
    with console.capture() as capture:
        console.print(line, end="")
    return capture.get()


def test_colors_keep_their_names_in_a_palette_of_256() -> None:
    catalogue = Catalogue.load()
    circles = [icon for icon in catalogue.pack.icons if icon.name == "circle"]
    hues = {}
    for index, icon in enumerate(catalogue.pack.icons):
        if icon in circles:
            middle = catalogue.icons[4 + index][48, 48]
            number = palette_index(tuple(middle.tolist())) - 16
            hues[icon.color] = (number // 36, number // 6 % 6, number % 6)
    red, green, blue, yellow = (hues[name] for name in ("red", "green", "blue", "yellow"))
    assert red[0] > 3 * max(red[1:])
    assert green[1] > max(green[0], green[2])
    assert blue[2] > max(blue[:2])
    assert min(yellow[:2]) > yellow[2]


def test_the_closest_of_256_colors() -> None:
    assert [palette_index(color) for color in [(224, 52, 43), (0, 0, 0), (128, 128, 128)]] == [196, 16, 244]


@pytest.mark.parametrize(
    ("environment", "encoding", "depth"),
    [
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, "utf-8", ColorDepth.TRUE),
        ({"TERM": "xterm", "COLORTERM": "24bit"}, "utf-8", ColorDepth.TRUE),
        ({"TERM": "xterm-256color"}, "utf-8", ColorDepth.INDEXED),
        ({"TERM": "xterm-256color", "NO_COLOR": ""}, "utf-8", ColorDepth.INDEXED),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"}, "utf-8", ColorDepth.NONE),
        ({"TERM": "dumb", "COLORTERM": "truecolor"}, "utf-8", ColorDepth.NONE),
        ({}, "utf-8", ColorDepth.NONE),
        ({"TERM": "xterm-256color"}, "ascii", ColorDepth.NONE),
    ],
)
def test_color_depth_from_the_environment(environment: dict[str, str], encoding: str, depth: ColorDepth) -> None:
    assert color_depth(environment, encoding) is depth

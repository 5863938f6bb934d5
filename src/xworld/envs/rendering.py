"""Rendering for people: the map with the teacher's words, as a picture, in a window, or as plain text."""

import textwrap
from functools import cache
from typing import Any

import numpy as np
from gymnasium.error import DependencyNotInstalled
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from xworld.envs.observation import session_words
from xworld.teacher.simulator import Simulator
from xworld.world.cells import SIDE
from xworld.world.scene import Scene

RENDER_FPS = 8
CELL = 64
"""The side of a cell in pixels."""
_CAPTION_LINES, _LINE_HEIGHT, _MARGIN, _LINE_LENGTH, _FONT_SIZE = 4, 22, 10, 56, 15


class Renderer:
    """Draws the worlds of a simulator."""

    def __init__(self, simulator: Simulator) -> None:
        self._simulator = simulator
        icons = simulator.grammar.catalogue.icons
        self._icons = np.stack([np.asarray(Image.fromarray(icon).resize((CELL, CELL))) for icon in icons])

    def draw(self, world: int = 0) -> NDArray[np.uint8]:
        """The map, 448 pixels wide, with the command and the question below it."""
        rows = [np.concatenate(list(self._icons[row]), axis=1) for row in scene_of(self._simulator, world).tiles]
        return np.concatenate([*rows, self._caption(world)])

    def _caption(self, world: int) -> NDArray[np.uint8]:
        lines = [line for text in _spoken(self._simulator, world) for line in textwrap.wrap(text, _LINE_LENGTH)]
        band = Image.new("RGB", (SIDE * CELL, _CAPTION_LINES * _LINE_HEIGHT + 2 * _MARGIN), "white")
        pen = ImageDraw.Draw(band)
        for number, line in enumerate(lines[:_CAPTION_LINES]):
            pen.text((_MARGIN, _MARGIN + number * _LINE_HEIGHT), line, fill="black", font=_font())
        return np.asarray(band)


@cache
def _font() -> ImageFont.ImageFont | ImageFont.FreeTypeFont:
    """The font of captions. A renderer must not hold it, because a font can be neither copied nor pickled."""
    return ImageFont.load_default(_FONT_SIZE)


def scene_of(simulator: Simulator, world: int = 0) -> Scene:
    """The scene in a world."""
    return Scene.of_world(simulator.worlds[world])


def write_map(simulator: Simulator, world: int = 0) -> str:
    """A world as text: the map, a legend, the command and the question. The answer is not told."""
    return "\n".join([scene_of(simulator, world).to_text(simulator.grammar.catalogue), *_spoken(simulator, world)])


def _spoken(simulator: Simulator, world: int) -> list[str]:
    """The command, and the question if there is one."""
    words = session_words(simulator, world)
    return [words[name] for name in ("command", "question") if words[name]]


class Window:
    """The window of `render_mode="human"`, which shows pictures at a limited rate.

    Every environment has its own window. If a person closes it, it stays closed, and `show` does nothing from then on.
    A copy opens a window of its own at its first picture.
    """

    def __init__(self, title: str, fps: int) -> None:
        _import_pygame()  # so that a missing pygame is noticed now, and not at the first picture
        self._title, self._fps = title, fps
        self._window: Any = None
        self._clock: Any = None
        self._dismissed = False

    def show(self, picture: NDArray[np.uint8]) -> None:
        """Show a picture, (height, width, 3), for the time that the rate gives it."""
        if self._was_dismissed():
            self.close()
            return
        surface = self._surface(picture.shape[1], picture.shape[0])
        surface.blit(_import_pygame().surfarray.make_surface(picture.swapaxes(0, 1)), (0, 0))
        self._window.flip()
        self._clock.tick(self._fps)

    def close(self) -> None:
        """Close the window if it is open."""
        if self._window is not None:
            self._window.destroy()
            self._window = self._clock = None

    def _surface(self, width: int, height: int) -> Any:
        """The surface of the window, which opens if it is not open."""
        pygame = _import_pygame()
        if self._window is not None:
            try:
                return self._window.get_surface()
            except pygame.error:  # pygame was shut down, and with it all windows
                self._window = None
        pygame.display.init()
        pygame.event.clear(pygame.QUIT)  # an old event was meant for an earlier window
        self._window = pygame.Window(self._title, (width, height))
        self._clock = pygame.time.Clock()
        return self._window.get_surface()

    def _was_dismissed(self) -> bool:
        """Whether a person has closed this window. All windows share one queue of events: put back those of others."""
        pygame = _import_pygame()
        if self._window is not None and pygame.display.get_init():
            for event in pygame.event.get((pygame.QUIT, pygame.WINDOWCLOSE)):
                if event.type == pygame.QUIT or event.window == self._window:
                    self._dismissed = True
                elif event.window is not None:
                    pygame.event.post(event)
        return self._dismissed

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_window": None, "_clock": None}


def _import_pygame() -> Any:
    needs = "render_mode='human' needs pygame-ce"
    try:
        import pygame
    except ImportError as error:
        raise DependencyNotInstalled(f"{needs}: pip install pygame-ce") from error
    if not hasattr(pygame, "Window"):
        raise DependencyNotInstalled(
            f"{needs}, but the older pygame is installed: pip uninstall pygame, then pip install pygame-ce"
        )
    return pygame

"""The window of `render_mode="human"`."""

from typing import Any

import numpy as np
from gymnasium.error import DependencyNotInstalled
from numpy.typing import NDArray


class Window:
    """Shows one picture after another, at most so many a second.

    Every environment has a window of its own. A person who closes it has seen enough: it stays away, and showing
    does nothing from then on. A window that is copied or sent elsewhere opens anew there when it first shows.
    """

    def __init__(self, title: str, steps_per_second: int) -> None:
        _import_pygame()  # so that a missing pygame is known now, and not at the first picture
        self._title, self._rate = title, steps_per_second
        self._window: Any = None
        self._clock: Any = None
        self._dismissed = False

    def show(self, picture: NDArray[np.uint8]) -> None:
        """Draw a picture, (height, width, 3), and wait until it has had its time."""
        if self._was_dismissed():
            self.close()
            return
        pygame = _import_pygame()
        screen = self._screen(picture.shape[1], picture.shape[0])
        screen.blit(pygame.surfarray.make_surface(picture.swapaxes(0, 1)), (0, 0))
        self._window.flip()
        self._clock.tick(self._rate)

    def close(self) -> None:
        """Close the window, if it is open."""
        if self._window is not None:
            self._window.destroy()
            self._window = self._clock = None

    def _screen(self, width: int, height: int) -> Any:
        """The window's surface; the window opens if it is not there, or not there any more."""
        pygame = _import_pygame()
        if self._window is not None:
            try:
                return self._window.get_surface()
            except pygame.error:  # someone has shut pygame down, and with it all windows
                self._window = None
        pygame.display.init()
        pygame.event.clear(pygame.QUIT)  # one that is still waiting was meant for an earlier window
        self._window = pygame.Window(self._title, (width, height))
        self._clock = pygame.time.Clock()
        return self._window.get_surface()

    def _was_dismissed(self) -> bool:
        """Whether a person has closed this window. All windows share one queue of events: those of others stay in."""
        pygame = _import_pygame()
        if self._window is not None and pygame.display.get_init():
            for event in pygame.event.get((pygame.QUIT, pygame.WINDOWCLOSE)):
                if event.type == pygame.QUIT or event.window == self._window:
                    self._dismissed = True
                elif event.window is not None:  # of a window that is still there, which has yet to see it
                    pygame.event.post(event)
        return self._dismissed

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_window": None, "_clock": None}


def _import_pygame() -> Any:
    try:
        import pygame
    except ImportError as error:
        raise DependencyNotInstalled(
            "render_mode='human' opens a window with pygame-ce: pip install pygame-ce"
        ) from error
    if not hasattr(pygame, "Window"):
        raise DependencyNotInstalled(
            "render_mode='human' opens a window with pygame-ce, and the older pygame is in its place: "
            "pip uninstall pygame, then pip install pygame-ce"
        )
    return pygame

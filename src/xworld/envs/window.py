"""The window of `render_mode="human"`."""

from types import ModuleType

import numpy as np
from gymnasium.error import DependencyNotInstalled
from numpy.typing import NDArray


class Window:
    """Shows one picture after another, at most so many a second."""

    def __init__(self, title: str, frames_a_second: int) -> None:
        self._pygame = _import_pygame()
        self._title, self._rate = title, frames_a_second
        self._screen: object | None = None

    def show(self, picture: NDArray[np.uint8]) -> None:
        """Draw a picture, (height, width, 3), and wait until it has had its time."""
        pygame = self._pygame
        if self._screen is None:
            pygame.display.init()
            pygame.display.set_caption(self._title)
            self._screen = pygame.display.set_mode((picture.shape[1], picture.shape[0]))
            self._clock = pygame.time.Clock()
        surface = pygame.surfarray.make_surface(picture.swapaxes(0, 1))
        pygame.display.get_surface().blit(surface, (0, 0))
        pygame.event.pump()
        pygame.display.flip()
        self._clock.tick(self._rate)

    def close(self) -> None:
        """Close the window, if it was ever opened."""
        if self._screen is not None:
            self._pygame.display.quit()
            self._screen = None


def _import_pygame() -> ModuleType:
    try:
        import pygame
    except ImportError as error:
        raise DependencyNotInstalled(
            "render_mode='human' opens a window with pygame: pip install 'xworld[human]'"
        ) from error
    return pygame

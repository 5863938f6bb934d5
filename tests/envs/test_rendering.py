"""Pictures and texts for people."""

import subprocess
import sys
import textwrap
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from gymnasium.error import DependencyNotInstalled

from xworld.envs.rendering import Window, _spoken
from xworld.envs.single import XWorldEnv
from xworld.teacher.settings import TeacherSettings


def test_a_picture_has_one_size_whatever_is_said() -> None:
    env = XWorldEnv(observation="tiles", render_mode="rgb_array")
    shapes = set()
    for seed in range(20):
        env.reset(seed=seed)
        shapes.add(env.render().shape)
    assert shapes == {(556, 448, 3)}


def test_the_lines_of_a_caption_are_below_each_other() -> None:
    env = XWorldEnv(observation="tiles", render_mode="rgb_array", settings=TeacherSettings(question_rate=1.0))
    for seed in range(10):
        env.reset(seed=seed)
        lines = [line for text in _spoken(env.simulator, 0) for line in textwrap.wrap(text, 56)]
        ink = (env.render()[448:] < 128).any(axis=(1, 2))  # in each row of pixels below the map
        assert [bool(ink[10 + 22 * place :][:19].any()) for place in range(4)] == [
            place < len(lines) for place in range(4)
        ]
        assert not ink[:10].any()


def test_the_text_shows_the_map_a_legend_and_the_words() -> None:
    env = XWorldEnv(observation="tiles", render_mode="ansi")
    for seed in range(30):
        _, info = env.reset(seed=seed)
        lines = env.render().splitlines()
        assert sum(line.count("@@") for line in lines[:7]) == 1
        assert all(len(line) == 20 for line in lines[:7])
        assert lines[8:] == [info["command"], *([info["question"]] if info["question"] else [])]
        objects = env.simulator.worlds["objects"][0]
        assert 1 <= len([sign for sign in lines[7].split("   ") if sign]) <= objects


@pytest.mark.parametrize("render_mode", ["ansi", "rgb_array"])
def test_what_is_shown_does_not_depend_on_the_answer(render_mode: str) -> None:
    env = XWorldEnv(observation="tiles", render_mode=render_mode, settings=TeacherSettings(question_rate=1.0))
    _, info = env.reset(seed=18)
    shown = env.render()
    assert info["answer"]
    env.simulator.sessions["answer"] += 1
    assert np.array_equal(env.render(), shown)


@pytest.fixture
def pygame(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    import pygame

    yield pygame
    pygame.quit()


def env_with_window(seed: int = 0) -> XWorldEnv:
    env = XWorldEnv(observation="tiles", render_mode="human")
    env.reset(seed=seed)
    return env


def window_of(env: XWorldEnv) -> Any:
    """The window that an environment has open, or None."""
    assert env._window is not None
    return env._window._window


@pytest.mark.usefixtures("pygame")
def test_a_window_shows_it() -> None:
    env = env_with_window()
    env.step(0)
    assert env.render() is None
    shown = window_of(env).get_surface()
    assert (shown.get_width(), shown.get_height()) == (448, 556)
    env.close()
    env.close()
    assert window_of(env) is None


@pytest.mark.usefixtures("pygame")
def test_every_environment_has_its_own_window() -> None:
    first, second = env_with_window(), env_with_window(seed=1)
    assert window_of(first).id != window_of(second).id
    second.close()
    first.step(0)
    assert window_of(first) is not None
    first.close()


def test_a_window_opens_again_where_pygame_was_shut_down(pygame: Any) -> None:
    env = env_with_window()
    for shut_down in (pygame.quit, pygame.display.quit, lambda: (pygame.display.quit(), pygame.display.init())):
        shut_down()
        env.reset(seed=0)
        window_of(env).flip()
    env.close()


def test_a_window_that_a_person_closes_stays_away(pygame: Any) -> None:
    env = env_with_window()
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    for _ in range(3):
        env.reset(seed=0)
        env.step(0)
        assert window_of(env) is None
    env.close()


def test_closing_one_window_by_hand_leaves_the_others(pygame: Any) -> None:
    envs = [env_with_window(seed) for seed in range(3)]
    pygame.event.post(pygame.event.Event(pygame.WINDOWCLOSE, window=window_of(envs[1])))
    for env in envs * 2:
        env.step(0)
    assert [window_of(env) is None for env in envs] == [False, True, False]
    for env in envs:
        env.close()


def test_a_late_wish_to_quit_does_not_close_the_next_window(pygame: Any) -> None:
    env_with_window().close()
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    env = env_with_window()
    env.step(0)
    assert window_of(env) is not None
    env.close()


def test_without_pygame_a_window_says_what_to_install() -> None:
    code = "import sys; sys.modules['pygame'] = None; import xworld.envs.rendering as w; w.Window('x', 1)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "pip install pygame-ce" in result.stderr


def test_an_older_pygame_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygame", ModuleType("pygame"))
    with pytest.raises(DependencyNotInstalled, match="pip uninstall pygame, then pip install pygame-ce"):
        Window("x", 1)


def test_rendering_without_a_mode_warns() -> None:
    env = XWorldEnv(observation="tiles")
    env.reset(seed=0)
    with pytest.warns(UserWarning, match="render_mode"):
        assert env.render() is None


def test_a_window_is_nothing_until_it_shows() -> None:
    Window("never opened", 1).close()

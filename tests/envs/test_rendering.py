"""Pictures and texts for people."""

import subprocess
import sys

import pytest

from xworld.envs.single import XWorldEnv
from xworld.envs.window import Window


def test_a_picture_has_one_size_whatever_is_said() -> None:
    env = XWorldEnv(observation="tiles", render_mode="rgb_array")
    shapes = set()
    for seed in range(20):
        env.reset(seed=seed)
        shapes.add(env.render().shape)
    assert shapes == {(556, 448, 3)}


def test_the_text_shows_the_map_a_legend_and_the_words() -> None:
    env = XWorldEnv(observation="tiles", render_mode="ansi")
    for seed in range(30):
        _, info = env.reset(seed=seed)
        lines = env.render().splitlines()
        assert sum(line.count("@@") for line in lines[:7]) == 1
        assert all(len(line) == 20 for line in lines[:7])
        assert lines[8] == info["command"]
        objects = env.school.worlds["objects"][0]
        assert 1 <= len([sign for sign in lines[7].split("   ") if sign]) <= objects


def test_a_window_shows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    env = XWorldEnv(observation="tiles", render_mode="human")
    env.reset(seed=0)
    env.step(0)
    assert env.render() is None
    env.close()
    env.close()


def test_without_pygame_a_window_says_what_to_install() -> None:
    code = "import sys; sys.modules['pygame'] = None; import xworld.envs.window as w; w.Window('x', 1)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "pip install 'xworld[human]'" in result.stderr


def test_rendering_without_a_mode_warns() -> None:
    env = XWorldEnv(observation="tiles")
    env.reset(seed=0)
    with pytest.warns(UserWarning, match="render_mode"):
        assert env.render() is None


def test_a_window_is_nothing_until_it_shows() -> None:
    Window("never opened", 1).close()

"""Draw the scenes in the README: three worlds with the teacher's sentences, and one as the agent sees it.

python tools/draw_scenes.py
"""

from pathlib import Path

import numpy as np
from PIL import Image

from xworld.envs.rendering import Renderer
from xworld.envs.single import XWorldEnv
from xworld.teacher.settings import TeacherSettings

PICTURE = Path(__file__).parents[1] / "docs/images/scenes.png"
SCENES = (("nav_col_obj", 18), ("nav_nr_obj", 16), ("nav_bw_obj", 25))
GAP, HEIGHT = 16, 380


def draw_scene(command: str, seed: int) -> Image.Image:
    env = XWorldEnv(observation="tiles", settings=TeacherSettings(commands=(command,), objects=(3, 3)))
    env.reset(seed=seed)
    return Image.fromarray(Renderer(env.simulator).draw())


def draw_view(command: str, seed: int) -> Image.Image:
    env = XWorldEnv(settings=TeacherSettings(commands=(command,), objects=(3, 3)))
    pixels = env.reset(seed=seed)[0]["pixels"]
    return Image.fromarray(np.kron(pixels, np.ones((3, 3, 1), np.uint8)))


def main() -> None:
    pictures = [draw_scene(*scene) for scene in SCENES] + [draw_view(*SCENES[0])]
    pictures = [picture.resize((picture.width * HEIGHT // picture.height, HEIGHT)) for picture in pictures]
    width = sum(picture.width + GAP for picture in pictures) - GAP
    canvas = Image.new("RGB", (width, HEIGHT), "white")
    left = 0
    for picture in pictures:
        canvas.paste(picture, (left, 0))
        left += picture.width + GAP
    canvas.save(PICTURE, optimize=True)


if __name__ == "__main__":
    main()

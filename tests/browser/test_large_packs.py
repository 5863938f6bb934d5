"""A pack of more tiles than fit into one column of a picture."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Locator

from browser.conftest import Visit
from browser.visitor import link_to
from demo.conftest import serving
from make_pack import make_pack
from xworld.demo.agents import load_agents
from xworld.training.configs import TINY
from xworld.training.trainer import Trainer
from xworld.world.catalogue import Catalogue
from xworld.world.state import FIRST_OBJECT

CLASSES = 200


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_pack(tmp_path_factory.mktemp("packs") / "large", classes=CLASSES)


@pytest.fixture(scope="module")
def large_demo(browser_path: str, pack: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A demo with an untrained agent that knows 400 pictures."""
    file = tmp_path_factory.mktemp("agents") / "large.safetensors"
    Trainer(TINY, pack=pack).save_weights(file, {"model": "planner"})
    with serving(load_agents([file], pack)) as url:
        yield url


def look_at(part: Locator) -> Image.Image:
    return Image.open(io.BytesIO(part.screenshot()))


def is_shown(tile: int, catalogue: Catalogue, screenshot: Image.Image) -> bool:
    """Whether of all tiles this one looks most like the middle of a screenshot."""

    def middle(picture: Image.Image) -> NDArray[Any]:
        small = np.asarray(picture.convert("RGB").resize((24, 24)), float)
        return small[4:-4, 4:-4]

    seen = middle(screenshot)
    apart = [np.abs(middle(Image.fromarray(icon)) - seen).mean() for icon in catalogue.icons]
    return int(np.argmin(apart)) == tile


def test_the_last_tiles_are_shown_in_the_palette_and_on_the_map(visit: Visit, large_demo: str, pack: Path) -> None:
    catalogue = Catalogue.load(pack)
    last = catalogue.tiles - 1
    page = visit(large_demo).open(link_to({(0, 0): last}, at=(6, 6), agent="large")).page
    page.click("#tab-edit")
    icons = page.locator(".palette .tile")
    assert icons.count() == 2 * CLASSES
    for tile in (last, last - 21):  # in the last row, and in the one above
        assert is_shown(tile, catalogue, look_at(icons.nth(tile - FIRST_OBJECT)))
    board = look_at(page.locator("#map"))
    start, end = (round(cells * board.width / 7.72) for cells in (0.36, 1.36))
    assert is_shown(last, catalogue, board.crop((start, start, end, end)))

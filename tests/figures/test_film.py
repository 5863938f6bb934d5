"""Films: how long they are, how large, and what they show."""

import io

import numpy as np
import pytest
from PIL import Image, ImageColor

from xworld.agent.agent import Agent
from xworld.figures.canvas import Canvas
from xworld.figures.film import (
    ASKING,
    ENDING,
    READING,
    TICK,
    WALKING,
    Frame,
    film_criteria,
    film_session,
    film_sessions,
    side_by_side,
)
from xworld.figures.gif import as_gif, merge
from xworld.figures.scene import veil_of
from xworld.figures.selection import session_with_question
from xworld.figures.session import RecordedSession, crop_to_map
from xworld.figures.style import COMMAND
from xworld.training.pretrained import load_model
from xworld.world.catalogue import Catalogue

CELL = 24


@pytest.fixture(scope="module")
def agent() -> Agent:
    return load_model()[0]


@pytest.fixture(scope="module")
def session(agent: Agent) -> RecordedSession:
    return session_with_question(agent, film_criteria("nav_nr_obj"), 0)


@pytest.fixture(scope="module")
def frames(agent: Agent, catalogue: Catalogue) -> list[Frame]:
    """The film of that session."""
    return film_session(agent, catalogue, 0, "nav_nr_obj", CELL)


def open_film(data: bytes) -> list[Frame]:
    with Image.open(io.BytesIO(data)) as film:
        frames = []
        for number in range(getattr(film, "n_frames", 1)):
            film.seek(number)
            frames.append(Frame(film.convert("RGB").copy(), int(film.info["duration"]) // TICK))
        return frames


def test_a_film_takes_as_long_as_its_session(session: RecordedSession, frames: list[Frame]) -> None:
    questions = sum(moment.question is not None for moment in session.snapshots)
    assert questions >= 1
    ticks = 3 * READING + WALKING * len(session.snapshots) + ASKING * questions + ENDING
    assert sum(frame.ticks for frame in frames) == ticks
    assert len(frames) == 3 + WALKING * len(session.snapshots) + questions + 1
    data = as_gif(frames)
    shown = open_film(data)
    assert len(shown) == len(merge(frames))
    assert sum(frame.ticks for frame in shown) == ticks
    assert {frame.picture.size for frame in shown} == {frames[0].picture.size}
    assert len(data) < 2_000_000
    assert {frame.picture.getpixel((0, 0)) for frame in shown} == {(255, 255, 255)}


def test_the_veil_lies_where_the_attention_is(
    session: RecordedSession, frames: list[Frame], catalogue: Catalogue
) -> None:
    first = session.snapshots[0]
    picture = np.asarray(frames[2].picture).astype(int)
    attention = crop_to_map(first.command.attention, first.agent)
    target = divmod(int(attention.argmax()), 7)
    assert target == session.target
    left, top = Canvas(catalogue, CELL).corner(*target)
    floor, veil = catalogue.atlas(CELL)[first.grid[target]], veil_of(attention)[target]
    expected = (1 - veil) * floor + veil * np.array(ImageColor.getrgb(COMMAND))
    inner = slice(1, CELL - 1)  # a frame is drawn around the map
    np.testing.assert_allclose(
        picture[top : top + CELL, left : left + CELL][inner, inner], expected[inner, inner], atol=2
    )


def test_four_films_side_by_side(agent: Agent, catalogue: Catalogue) -> None:
    frames = film_sessions(agent, catalogue, 0, cell=12)
    data = as_gif(frames)
    assert len(data) < 2_000_000
    assert sum(frame.ticks for frame in open_film(data)) == len(frames)
    single = film_session(agent, catalogue, 0, "nav_obj", cell=12)
    assert frames[0].picture.crop((0, 0, *single[0].picture.size)).tobytes() == single[0].picture.tobytes()


def test_those_that_are_over_stand_still() -> None:
    red, blue = Image.new("RGB", (2, 2), "red"), Image.new("RGB", (2, 2), "blue")
    together = side_by_side([[Frame(red, 1)], [Frame(red, 2), Frame(blue, 1)]], gap=1)
    assert len(together) == 3
    assert [frame.picture.getpixel((0, 0)) for frame in together] == [(255, 0, 0)] * 3
    assert together[2].picture.getpixel((3, 0)) == (0, 0, 255)
    assert together[0].picture.size == (5, 2)
    assert [frame.ticks for frame in merge(together)] == [2, 1]

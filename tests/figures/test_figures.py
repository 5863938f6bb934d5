"""The figures show what the tensors hold, and are the same files whenever they are drawn."""

from collections.abc import Iterator
from xml.etree import ElementTree

import numpy as np
import pytest
import torch
from matplotlib.collections import QuadMesh
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from xworld.agent.agent import Agent
from xworld.agent.thought import Thought
from xworld.evaluation.sessions import begin_sessions
from xworld.figures.attention import TITLES, draw_attention
from xworld.figures.overview import EXAMPLE, draw_overview
from xworld.figures.program import EXAMPLES, draw_program, draw_words
from xworld.figures.scene import (
    draw_map,
    draw_pixels,
    draw_view_map,
    lay_tiles,
    mark_target,
    overlay,
    veil_of,
)
from xworld.figures.selection import Criteria, find_seeds, first_session, session_with_question
from xworld.figures.session import RecordedSession, Route, Snapshot, crop_to_map, record_session
from xworld.figures.style import render, styled
from xworld.figures.walls import draw_walls, find_routes, pick
from xworld.teacher.oracle import shortest_paths
from xworld.teacher.settings import COMMAND_NAMES
from xworld.teacher.vocabulary import write_out
from xworld.training.pretrained import load_model
from xworld.world.catalogue import Catalogue
from xworld.world.state import AGENT

KINDS_OF_FILE = "svg", "pdf", "png"


@pytest.fixture(scope="module")
def agent() -> Agent:
    return load_model()[0]


@pytest.fixture(scope="module")
def nav_obj(agent: Agent) -> RecordedSession:
    return first_session(agent, Criteria("nav_obj"), 0)


@pytest.fixture(scope="module")
def with_question(agent: Agent) -> RecordedSession:
    """The session of the overview."""
    return session_with_question(agent, EXAMPLE, 0)


def view_maps(figure: Figure) -> Iterator[np.ndarray]:
    """The egocentric maps of a figure, in the order in which they were drawn."""
    for axes in figure.axes:
        for image in axes.images:
            values = image.get_array()
            assert values is not None
            if values.shape == (13, 13):
                yield np.asarray(values)


def small_figure(catalogue: Catalogue, snapshot: Snapshot) -> Figure:
    """A figure with one of each: a drawing, a map and a strip."""
    figure = Figure()
    scene, seen, words = figure.subplots(1, 3)
    draw_map(scene, catalogue, snapshot.grid, snapshot.agent)
    draw_view_map(seen, snapshot.command.attention, snapshot.agent)
    draw_words(words, snapshot.command.words, snapshot.command.mean_word_attention)
    return figure


def strips(figure: Figure) -> list[np.ndarray]:
    """The attention to words that strips show."""
    return [np.asarray(mesh.get_array()).ravel() for axes in figure.axes for mesh in axes.collections
            if isinstance(mesh, QuadMesh) and axes.get_ylim() == (0, 1) and axes.texts]  # fmt: skip


def assert_steps_are(figure: Figure, thought: Thought, first_map: int, first_strip: int) -> None:
    drawn, shown = list(view_maps(figure))[first_map:], strips(figure)[first_strip:]
    for step in range(3):
        for place, values in enumerate((thought.found, thought.moved, thought.kept)):
            np.testing.assert_array_equal(drawn[3 * step + place], values[step])
        np.testing.assert_array_equal(shown[step], thought.word_attention[step])


def test_a_session_is_what_the_agent_itself_says(agent: Agent) -> None:
    criteria = Criteria("nav_nr_obj")
    session = first_session(agent, criteria, 0)
    simulator = begin_sessions([session.seed], None, criteria.settings())
    with torch.no_grad():
        logits, value = agent.act(torch.from_numpy(simulator.tiles), torch.from_numpy(simulator.commands))
    thought = session.snapshots[0].command
    np.testing.assert_array_equal(thought.policy, logits.softmax(dim=1)[0].numpy())
    assert thought.value == value.item()
    assert thought.words == tuple(simulator.grammar.vocabulary.decode(simulator.commands[0]))
    assert session.arrived
    assert session.cells[-1] == session.target
    assert len(session.snapshots) >= session.shortest == shortest_paths(simulator)[0]


def test_questions_come_with_the_teachers_answer(with_question: RecordedSession) -> None:
    session = with_question
    asked = [snapshot for snapshot in session.snapshots if snapshot.question is not None]
    assert 1 <= len(asked) <= 2
    for snapshot in asked:
        assert snapshot.question is not None
        assert snapshot.question.answers[0][0] == snapshot.answer
    assert all(snapshot.answer == "" for snapshot in session.snapshots if snapshot.question is None)


def test_scenes_are_found_again_by_their_seed() -> None:
    criteria = Criteria("nav_bw_obj", steps=(5, 6), walls=4, central=True)
    found = find_seeds(criteria, 10, count=5)
    assert len(found) == 5
    assert found == find_seeds(criteria, 10, count=5)
    assert min(found) >= 10
    simulator = begin_sessions(found, None, criteria.settings())
    assert criteria(simulator).all()
    assert set(shortest_paths(simulator).tolist()) <= {5, 6}


def test_the_map_is_drawn_from_its_tiles(nav_obj: RecordedSession, catalogue: Catalogue) -> None:
    snapshot = nav_obj.snapshots[0]
    axes = Figure().subplots(1, 2)
    draw_map(axes[0], catalogue, snapshot.grid, snapshot.agent)
    draw_pixels(axes[1], catalogue, snapshot)
    large, small = (np.asarray(axis.images[0].get_array()) for axis in axes)
    assert large.shape == (672, 672, 3)
    assert small.shape == (156, 156, 3)
    row, column = snapshot.agent
    cell = large[96 * row : 96 * (row + 1), 96 * column : 96 * (column + 1)]
    np.testing.assert_array_equal(cell, catalogue.icons[AGENT])
    np.testing.assert_array_equal(small[72:84, 72:84], catalogue.atlas()[AGENT])
    np.testing.assert_array_equal(small, lay_tiles(catalogue.atlas(), snapshot.view))
    assert axes[1].images[0].get_interpolation() == "none"


def test_attention_lies_over_the_cells_that_it_is_about(nav_obj: RecordedSession) -> None:
    session = nav_obj
    snapshot = session.snapshots[0]
    attention = crop_to_map(snapshot.command.attention, snapshot.agent)
    assert divmod(int(attention.argmax()), 7) == session.target
    axes = Figure().subplots()
    overlay(axes, snapshot.command.attention, snapshot.agent)
    veil = np.asarray(axes.images[0].get_array())
    np.testing.assert_array_equal(veil[..., 3], veil_of(attention))
    np.testing.assert_allclose(veil_of(np.array([0.0, 0.25, 1.0], np.float32)), [0.0, 0.3, 0.6])
    mark_target(axes, session.target)
    ring = axes.patches[0]
    assert isinstance(ring, Rectangle)
    assert (ring.get_y() + 0.5, ring.get_x() + 0.5) == session.target


def test_the_overview_holds_all_maps_of_a_step(
    agent: Agent, with_question: RecordedSession, catalogue: Catalogue
) -> None:
    session = with_question
    thought = session.snapshots[0].command
    with styled():
        figure = draw_overview(agent, catalogue, 0)
    np.testing.assert_array_equal(next(view_maps(figure)), thought.environment)
    assert_steps_are(figure, thought, first_map=1, first_strip=0)
    asked = next(snapshot.question for snapshot in session.snapshots if snapshot.question is not None)
    np.testing.assert_array_equal(list(view_maps(figure))[-1], asked.attention)
    written = {text.get_text() for axes in figure.axes for text in axes.texts}
    assert f"left\n{100 * thought.policy[2]:.0f} %" in written
    for weights in strips(figure):
        assert weights.sum() == pytest.approx(1, abs=1e-5)
    for text in figure.texts:  # whole, however long a word is
        extent = text.get_window_extent()
        assert extent.x0 >= 0
        assert extent.x1 <= figure.bbox.x1


def test_the_program_shows_two_sentences_in_three_steps(agent: Agent, catalogue: Catalogue) -> None:
    with styled():
        figure = draw_program(agent, catalogue, 0)
    for number, criteria in enumerate(EXAMPLES):
        thought = first_session(agent, criteria, 0).snapshots[0].command
        assert_steps_are(figure, thought, first_map=9 * number, first_strip=3 * number)
        assert any(write_out(thought.words) in text.get_text() for text in figure.texts)
    assert len(strips(figure)) == 6
    for weights in strips(figure):
        assert weights.sum() == pytest.approx(1, abs=1e-5)


def test_a_strip_has_a_place_for_each_word() -> None:
    axes = Figure().subplots()
    weights = np.array([0.25, 0.25, 0.5], np.float32)
    draw_words(axes, ["go", "west", "."], weights)
    assert [text.get_text() for text in axes.texts] == ["go", "25", "west", "25", ".", "50"]
    np.testing.assert_array_equal(np.asarray(axes.collections[0].get_array()).ravel(), weights)


def test_attention_maps_of_all_types(agent: Agent, catalogue: Catalogue) -> None:
    assert list(TITLES) == COMMAND_NAMES
    with styled():
        figure = draw_attention(agent, catalogue, 0)
    drawn = list(view_maps(figure))
    assert len(drawn) == 8
    criteria = Criteria("nav_obj", walls=3)
    expected = [
        record_session(agent, seed, criteria.settings()).snapshots[0].command.attention
        for seed in find_seeds(criteria, 0, 2)
    ]
    for values, attention in zip(drawn, expected, strict=False):
        np.testing.assert_array_equal(values, attention)


def test_the_longest_detours_and_failures_are_told_apart(agent: Agent, catalogue: Catalogue) -> None:
    routes = find_routes(agent, "nav_nr_obj", 0, 60)
    for route in routes:
        steps = np.abs(np.diff(np.array(route.cells), axis=0)).sum(axis=1)
        assert set(steps.tolist()) <= {0, 1}
        assert (route.cells[-1] == route.target) == route.arrived
        assert len(route.cells) - 1 >= route.straight if route.arrived else len(route.cells) == 29
    grid = np.ones((7, 7), np.int16)
    lost = Route("Go.", grid, ((0, 0), (0, 1), (0, 0)), (0, 3), arrived=False, shortest=99)
    across = Route("Go.", np.full_like(grid, 4), ((0, 0), (0, 1), (0, 2)), (0, 2), arrived=True, shortest=99)
    assert (lost.bumps, lost.trespasses, across.trespasses) == (0, 0, 1)
    shown = pick([*routes, across, lost])
    assert all(route is not across for route in shown)
    assert next(route for route in shown if not route.arrived) is lost
    arrived = [route.detour for route in shown if route.arrived]
    assert arrived == sorted(arrived, reverse=True)
    assert arrived[0] == max(route.detour for route in routes if route.arrived and not route.trespasses)
    with styled():
        figure = draw_walls(agent, catalogue, 0, sessions=60)
    said = " ".join(text.get_text() for text in figure.texts)
    assert "120 sessions with ten walls, seeds from 0 on" in said
    assert said.count("✓ arrived in") + said.count("✗ out of time") == 6


def test_files_are_the_same_bytes_and_sharp(nav_obj: RecordedSession, catalogue: Catalogue) -> None:
    with styled():
        for kind in KINDS_OF_FILE:
            first, again = (render(small_figure(catalogue, nav_obj.snapshots[0]), kind) for _ in range(2))
            assert first == again
        text = render(small_figure(catalogue, nav_obj.snapshots[0]), "svg").decode()
    ElementTree.fromstring(text)
    assert "<dc:date>" not in text
    # The attention map is scaled cell by cell; the drawing is not.
    assert text.count("image-rendering:pixelated") + text.count("image-rendering: pixelated") == 1

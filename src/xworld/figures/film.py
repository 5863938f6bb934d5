"""Films of sessions: the agent reads its command in three steps, walks, and answers questions on the way."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from PIL import Image

from xworld.agent.agent import Agent
from xworld.agent.thought import Thought
from xworld.figures.attention import TITLES
from xworld.figures.canvas import Canvas
from xworld.figures.selection import SEED_STRIDE, Criteria, session_with_question
from xworld.figures.session import Cell, RecordedSession, Snapshot, crop_to_map
from xworld.figures.style import COMMAND, QUESTION, QUIET, RIGHT, WRONG
from xworld.world.catalogue import Catalogue

TICK = 80
"""Milliseconds; every frame lasts a whole number of ticks."""
READING, WALKING, ASKING, ENDING = 14, 4, 26, 28
"""Ticks for a step of reading, an action, a question, and the end."""


@dataclass(frozen=True)
class Frame:
    """A picture, and how many ticks it lasts."""

    picture: Image.Image
    ticks: int


def film_criteria(command: str) -> Criteria:
    """Sessions that are worth watching: not too short, and with some walls."""
    return Criteria(command, steps=(5, 9), words=(4, 9), walls=4)


def film_session(agent: Agent, catalogue: Catalogue, seed: int, command: str, cell: int = 48) -> list[Frame]:
    """The first session from a seed on that is worth watching; `cell` is the width of a cell in pixels."""
    session = session_with_question(agent, film_criteria(command), seed, catalogue=catalogue)
    return list(_shoot(session, Canvas(catalogue, cell), f"go {TITLES[command]}"))


def film_sessions(agent: Agent, catalogue: Catalogue, seed: int, cell: int = 32) -> list[Frame]:
    """A session of each type of command, side by side."""
    seeds = {command: seed + number * SEED_STRIDE for number, command in enumerate(TITLES)}
    films = [film_session(agent, catalogue, start, command, cell) for command, start in seeds.items()]
    return side_by_side(films, gap=cell // 2)


def side_by_side(films: list[list[Frame]], gap: int) -> list[Frame]:
    """Several films side by side, all starting at once; those that have ended stand still."""
    strips = [[frame.picture for frame in film for _ in range(frame.ticks)] for film in films]
    ticks = range(max(map(len, strips)))
    return [Frame(_join([strip[min(tick, len(strip) - 1)] for strip in strips], gap), 1) for tick in ticks]


def describe_path(steps: int, trespasses: int, shortest: int) -> str:
    """The length of a path, and of the shortest one that steps on no wrong object.

    >>> describe_path(9, 1, 7)
    '9 steps, 1 onto a wrong object'
    """
    if trespasses:  # such a path may be shorter than the shortest one
        return f"{steps} steps, {trespasses} onto a wrong object"
    return f"{steps} steps; shortest path: {shortest}"


def _shoot(session: RecordedSession, canvas: Canvas, title: str) -> Iterator[Frame]:
    yield from _read(session, canvas, title)
    snapshots = session.snapshots
    for now, later, end in zip(snapshots, (*snapshots[1:], None), session.cells[1:], strict=True):
        if now.question is not None:
            yield _ask(now, now.question, canvas, title)
        yield from _walk(now, later, end, canvas, title)
    yield _end(session, canvas, title)


def _read(session: RecordedSession, canvas: Canvas, title: str) -> Iterator[Frame]:
    """The command, step by step: attention to words, and the map so far."""
    first = session.snapshots[0]
    for step, words in enumerate(first.command.word_attention):
        canvas.begin(title, f"reads {step + 1}/3", QUIET)
        canvas.draw_scene(first.grid, first.agent, crop_to_map(first.command.kept[step], first.agent), COMMAND)
        canvas.say(first.command.words, words, COMMAND)
        yield Frame(canvas.picture(), READING)


def _ask(now: Snapshot, question: Thought, canvas: Canvas, title: str) -> Frame:
    """Attention for a question, and the agent's answer."""
    canvas.begin(title, "is asked", QUESTION)
    canvas.draw_scene(now.grid, now.agent, crop_to_map(question.attention, now.agent), QUESTION)
    canvas.say(question.words, question.mean_word_attention, QUESTION)
    answer, right = question.answers[0][0], question.answers[0][0] == now.answer
    canvas.note(f"“{answer}” {'✓' if right else f'✗ ({now.answer})'}", RIGHT if right else WRONG)
    return Frame(canvas.picture(), ASKING)


def _walk(now: Snapshot, later: Snapshot | None, end: Cell, canvas: Canvas, title: str) -> Iterator[Frame]:
    """From one cell to the next, while attention fades over."""
    here = crop_to_map(now.command.attention, now.agent)
    there = crop_to_map(later.command.attention, later.agent) if later else here
    for tick in range(WALKING):
        part = (tick + 1) / WALKING
        canvas.begin(title, "walks", QUIET)
        row, column = (1 - part) * np.array(now.agent) + part * np.array(end)
        canvas.draw_scene(now.grid, (row, column), (1 - part) * here + part * there, COMMAND)
        canvas.say(now.command.words, now.command.mean_word_attention, COMMAND)
        yield Frame(canvas.picture(), 1)


def _end(session: RecordedSession, canvas: Canvas, title: str) -> Frame:
    last = session.snapshots[-1]
    canvas.begin(title, *(("✓ arrived", RIGHT) if session.arrived else ("✗ too late", WRONG)))
    canvas.draw_scene(last.grid, session.cells[-1])
    canvas.mark(session.target, RIGHT if session.arrived else WRONG)
    canvas.say(last.command.words, None, COMMAND)
    canvas.note(describe_path(len(session.snapshots), session.trespasses, session.shortest), QUIET)
    return Frame(canvas.picture(), ENDING)


def _join(pictures: list[Image.Image], gap: int) -> Image.Image:
    width, height = pictures[0].size
    sheet = Image.new("RGB", (len(pictures) * (width + gap) - gap, height), "white")
    for number, picture in enumerate(pictures):
        sheet.paste(picture, (number * (width + gap), 0))
    return sheet

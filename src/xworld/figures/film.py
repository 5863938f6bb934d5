"""Films of sessions: the agent reads its command in three steps, walks, and answers on the way."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from PIL import Image

from xworld.agent.agent import Agent
from xworld.agent.thought import Map, Thought
from xworld.figures.attention import KINDS
from xworld.figures.canvas import Canvas
from xworld.figures.choosing import SEEDS_APART, Wanted, session_with_question
from xworld.figures.session import Moment, Session, on_the_map
from xworld.figures.style import COMMAND, QUESTION, QUIET, RIGHT, WRONG
from xworld.world.catalogue import Catalogue

TICK = 80
"""Milliseconds; everything takes a whole number of ticks."""
READING, WALKING, ASKING, ENDING = 14, 4, 26, 28
"""Ticks of a step of reading, of a step on the map, of a question, and of the end."""
QUESTION_RATE = 0.25
"""A question at every step, as in training, would leave no time for watching the way."""


@dataclass(frozen=True)
class Frame:
    """A picture, and for how many ticks it stays."""

    picture: Image.Image
    ticks: int


def wanted_for(command: str) -> Wanted:
    """Sessions that are worth watching: some way to go, past some walls."""
    return Wanted(command, steps=(5, 9), words=(4, 9), walls=4)


def film_session(agent: Agent, catalogue: Catalogue, seed: int, command: str, cell: int = 48) -> list[Frame]:
    """The first session from a seed on that is worth watching, as frames; cells are so many pixels wide.

    >>> from xworld.training.pretrained import load_agent
    >>> frames = film_session(load_agent()[0], Catalogue.load(), 0, "nav_obj", cell=24)
    >>> frames[0].picture.size, frames[0].ticks == READING
    ((176, 278), True)
    """
    session = session_with_question(agent, wanted_for(command), seed, QUESTION_RATE)
    return list(_shoot(session, Canvas(catalogue, cell), f"walk {KINDS[command]}"))


def film_sessions(agent: Agent, catalogue: Catalogue, seed: int, cell: int = 32) -> list[Frame]:
    """A session of each type of command, side by side."""
    seeds = {command: seed + number * SEEDS_APART for number, command in enumerate(KINDS)}
    films = [film_session(agent, catalogue, start, command, cell) for command, start in seeds.items()]
    return contact(films, gap=cell // 2)


def contact(films: list[list[Frame]], gap: int) -> list[Frame]:
    """Several films side by side, all beginning at once; those that are over stand still."""
    endings = [film[-1].picture for film in films]
    strips = [[frame.picture for frame in film for _ in range(frame.ticks)] for film in films]
    together = []
    for tick in range(max(map(len, strips))):
        shown = [strip[tick] if tick < len(strip) else end for strip, end in zip(strips, endings, strict=True)]
        together.append(Frame(_side_by_side(shown, gap), 1))
    return together


def say_steps(steps: int, trespasses: int, shortest: int) -> str:
    """How long a way was, beside the shortest.

    >>> say_steps(9, 1, 7)
    '9 steps, 1 onto a wrong object'
    """
    if trespasses:  # the shortest way is one without
        return f"{steps} steps, {trespasses} onto a wrong object"
    return f"{steps} steps; the shortest way: {shortest}"


def _shoot(session: Session, canvas: Canvas, title: str) -> Iterator[Frame]:
    yield from _read(session, canvas, title)
    for number, moment in enumerate(session.moments):
        if moment.question is not None:
            yield _ask(moment, moment.question, canvas, title)
        later = session.moments[number + 1] if number + 1 < len(session.moments) else None
        yield from _walk(moment, later, session, canvas, title)
    yield _end(session, canvas, title)


def _read(session: Session, canvas: Canvas, title: str) -> Iterator[Frame]:
    """The command, step by step: the words that are attended to, and the map so far."""
    first = session.moments[0]
    for step, words in enumerate(first.command.word_attention):
        canvas.begin(title, f"reads {step + 1}/3", QUIET)
        _scene(canvas, first, on_the_map(first.command.kept[step], first.agent), COMMAND)
        canvas.say(first.command.words, words, COMMAND)
        yield Frame(canvas.picture(), READING)


def _ask(moment: Moment, question: Thought, canvas: Canvas, title: str) -> Frame:
    """The scene in the light of a question, and the agent's answer."""
    canvas.begin(title, "is asked", QUESTION)
    _scene(canvas, moment, on_the_map(question.attention, moment.agent), QUESTION)
    canvas.say(question.words, question.mean_word_attention, QUESTION)
    answer, right = question.answers[0][0], question.answers[0][0] == moment.answer
    canvas.note(f"“{answer}” {'✓' if right else f'✗ ({moment.answer})'}", RIGHT if right else WRONG)
    return Frame(canvas.picture(), ASKING)


def _walk(moment: Moment, later: Moment | None, session: Session, canvas: Canvas, title: str) -> Iterator[Frame]:
    """From one cell to the next, the attention fading over."""
    here = on_the_map(moment.command.attention, moment.agent)
    there = on_the_map(later.command.attention, later.agent) if later else here
    end = later.agent if later else session.end
    for tick in range(WALKING):
        part = (tick + 1) / WALKING
        canvas.begin(title, "walks", QUIET)
        canvas.lay(moment.grid)
        canvas.shade((1 - part) * here + part * there, COMMAND)
        canvas.put_agent((1 - part) * np.array(moment.agent) + part * np.array(end))
        canvas.say(moment.command.words, moment.command.mean_word_attention, COMMAND)
        yield Frame(canvas.picture(), 1)


def _end(session: Session, canvas: Canvas, title: str) -> Frame:
    last = session.moments[-1]
    canvas.begin(title, *(("✓ arrived", RIGHT) if session.arrived else ("✗ too late", WRONG)))
    canvas.lay(last.grid)
    canvas.put_agent(np.array(session.end))
    canvas.frame(session.target, RIGHT if session.arrived else WRONG)
    canvas.say(last.command.words, None, COMMAND)
    canvas.note(say_steps(len(session.moments), session.trespasses, session.shortest), QUIET)
    return Frame(canvas.picture(), ENDING)


def _scene(canvas: Canvas, moment: Moment, attention: Map, color: str) -> None:
    canvas.lay(moment.grid)
    canvas.shade(attention, color)
    canvas.put_agent(np.array(moment.agent))


def _side_by_side(pictures: list[Image.Image], gap: int) -> Image.Image:
    width, height = pictures[0].size
    sheet = Image.new("RGB", (len(pictures) * (width + gap) - gap, height), "white")
    for number, picture in enumerate(pictures):
        sheet.paste(picture, (number * (width + gap), 0))
    return sheet

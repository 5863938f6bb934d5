"""What the page needs to know before it starts: agents, tiles, words, types of sentences, limits."""

import math
from collections.abc import Iterable
from io import BytesIO
from typing import Any

import numpy as np
from PIL import Image

import xworld
from xworld.demo.agents import DemoAgent
from xworld.demo.new_map import MAX_WALLS
from xworld.demo.suggestions import MAX_SUGGESTIONS
from xworld.teacher.commands import COMMANDS
from xworld.teacher.grammar import Grammar
from xworld.teacher.questions import QUESTIONS
from xworld.teacher.settings import TeacherSettings
from xworld.teacher.subtask import Subtask
from xworld.teacher.vocabulary import CLOSING_MARKS, SENTENCE_LENGTH, write_out
from xworld.word_learning import describe_words
from xworld.world.catalogue import Catalogue
from xworld.world.cells import ACTIONS, DIRECTIONS, SIDE, SMALLEST_MAP
from xworld.world.layout import STEPS_PER_ROW
from xworld.world.scene import name_and_color
from xworld.world.state import FIRST_OBJECT, MAX_OBJECTS


def describe(agents: Iterable[DemoAgent]) -> dict[str, Any]:
    """The answer to `/about`: the agents that the server started with, and the world that they share."""
    agents = list(agents)
    catalogue, grammar = agents[0].catalogue, agents[0].grammar
    return {
        "version": xworld.__version__,
        "agents": [_describe_agent(agent) for agent in agents],
        "tiles": [_describe_tile(catalogue, tile) for tile in range(catalogue.tiles)],
        "tile_columns": _tile_columns(catalogue),
        "words": _describe_words(grammar),
        "commands": [_describe_subtask(subtask, grammar) for subtask in COMMANDS if grammar.fillings(subtask)],
        "questions": [_describe_subtask(subtask, grammar) for subtask in QUESTIONS if grammar.fillings(subtask)],
        "limits": {
            "objects": MAX_OBJECTS,
            "walls": MAX_WALLS,
            "sentence": SENTENCE_LENGTH,
            "size": [SMALLEST_MAP, SIDE],
            "steps_per_row": STEPS_PER_ROW,
            "suggestions": MAX_SUGGESTIONS,
        },
        "actions": list(ACTIONS),
        "rewards": TeacherSettings().rewards._asdict(),
    }


def _describe_agent(agent: DemoAgent) -> dict[str, Any]:
    return {
        "key": agent.key,
        "title": agent.title,
        "condition": agent.holdout.condition,
        "note": agent.note,
        "held_out": list(agent.holdout.objects),
        "held_out_everywhere": agent.holdout.also_in_questions,
        "taught": [  # in the order of its additional tile ids, in the format of `/teach`
            {"word": record["word"], "color": record["color"], "picture": {"png": picture}}
            for record in describe_words(agent.catalogue)
            for picture in record["pictures"]
        ],
    }


def draw_tiles(catalogue: Catalogue) -> bytes:
    """All tiles as one PNG: row by row, 96 x 96 pixels each, in the order of their ids.

    It is about as wide as it is high: browsers show no picture that is higher than some 32,000 pixels.
    """
    icons, columns = catalogue.icons, _tile_columns(catalogue)
    blank = np.zeros((-len(icons) % columns, *icons.shape[1:]), np.uint8)
    rows = np.concatenate([icons, blank]).reshape(-1, columns, *icons.shape[1:])
    file = BytesIO()
    Image.fromarray(rows.swapaxes(1, 2).reshape(-1, columns * icons.shape[2], 3)).save(file, "PNG")
    return file.getvalue()


def _tile_columns(catalogue: Catalogue) -> int:
    return math.ceil(math.sqrt(catalogue.tiles))


def _describe_tile(catalogue: Catalogue, tile: int) -> dict[str, Any]:
    tile_fields: dict[str, Any] = {"id": tile, "name": catalogue.describe_tile(tile)}
    if tile < FIRST_OBJECT:
        return tile_fields
    name, color = name_and_color(tile, catalogue)
    category = catalogue.pack.icons[tile - FIRST_OBJECT].path.parent.name
    return tile_fields | {"class": name, "color": color, "category": category}


def _describe_words(grammar: Grammar) -> dict[str, list[str]]:
    kinds = {"objects": grammar.catalogue.classes, "colors": grammar.catalogue.colors, "directions": DIRECTIONS}
    known = {"", *CLOSING_MARKS, *(word for words in kinds.values() for word in words)}
    others = [word for word in grammar.vocabulary.words if word not in known]
    return {**{kind: list(words) for kind, words in kinds.items()}, "others": others}


def _describe_subtask(subtask: Subtask, grammar: Grammar) -> dict[str, str]:
    example = grammar.sample(subtask.name, np.random.default_rng(0))
    return {"name": subtask.name, "title": subtask.title, "example": write_out(example.tokens)}

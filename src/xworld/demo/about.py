"""What the page needs to know before it starts: agents, tiles, words, types of sentences, limits."""

from collections.abc import Iterable
from io import BytesIO
from typing import Any

import numpy as np
from PIL import Image

import xworld
from xworld.demo.agents import DemoAgent
from xworld.demo.new_map import MAX_WALLS
from xworld.demo.scene import name_and_color
from xworld.demo.suggestions import MAX_SUGGESTIONS
from xworld.teacher.commands import COMMANDS
from xworld.teacher.grammar import Grammar
from xworld.teacher.questions import QUESTIONS
from xworld.teacher.settings import TeacherSettings
from xworld.teacher.subtask import Subtask
from xworld.teacher.vocabulary import CLOSING_MARKS, GRAMMATICAL_WORDS, LOCATIONS, SENTENCE_LENGTH, write_out
from xworld.word_learning import describe_words
from xworld.world.catalogue import COLORS, Catalogue
from xworld.world.cells import ACTIONS, DIRECTIONS, SIDE, SMALLEST_MAP
from xworld.world.layout import STEPS_PER_ROW
from xworld.world.state import FIRST_OBJECT, MAX_OBJECTS

_TITLES = {
    "nav_obj": "go to an object",
    "nav_col_obj": "go to the one of a color",
    "nav_nr_obj": "go beside an object",
    "nav_bw_obj": "go between two objects",
    "rec_col2obj": "name what has a color",
    "rec_obj2col": "say an object's color",
    "rec_loc2obj": "name what is beside you",
    "rec_obj2loc": "say where an object is",
    "rec_loc2col": "say the color beside you",
    "rec_col2loc": "say where a color is",
    "rec_loc_obj2obj": "name what is beside an object",
    "rec_loc_obj2col": "say the color beside an object",
    "rec_col_obj2loc": "say where the one of a color is",
    "rec_bw_obj2obj": "name what is between two",
    "rec_bw_obj2loc": "say where the one between two is",
    "rec_bw_obj2col": "say the color between two",
}


def describe(agents: Iterable[DemoAgent]) -> dict[str, Any]:
    """The answer to `/about`: the agents that the server started with, and the world that they share."""
    agents = list(agents)
    catalogue, grammar = agents[0].catalogue, agents[0].grammar
    return {
        "version": xworld.__version__,
        "agents": [_describe_agent(agent) for agent in agents],
        "tiles": [_describe_tile(catalogue, tile) for tile in range(catalogue.tiles)],
        "words": _describe_words(catalogue),
        "commands": [_describe_subtask(subtask, grammar) for subtask in COMMANDS],
        "questions": [_describe_subtask(subtask, grammar) for subtask in QUESTIONS],
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
    """All tiles as one PNG: a column of 96 x 96 pixels each, in the order of their ids."""
    file = BytesIO()
    Image.fromarray(np.concatenate(list(catalogue.icons))).save(file, "PNG")
    return file.getvalue()


def _describe_tile(catalogue: Catalogue, tile: int) -> dict[str, Any]:
    tile_fields: dict[str, Any] = {"id": tile, "name": catalogue.describe_tile(tile)}
    if tile < FIRST_OBJECT:
        return tile_fields
    name, color = name_and_color(catalogue, tile)
    category = catalogue.pack.icons[tile - FIRST_OBJECT].path.parent.name
    return tile_fields | {"class": name, "color": color, "category": category}


def _describe_words(catalogue: Catalogue) -> dict[str, list[str]]:
    others = (*GRAMMATICAL_WORDS, *(word for word in LOCATIONS if word not in DIRECTIONS))
    return {
        "objects": list(catalogue.classes),
        "colors": list(COLORS),
        "directions": list(DIRECTIONS),
        "others": [word for word in others if word not in CLOSING_MARKS],
    }


def _describe_subtask(subtask: Subtask, grammar: Grammar) -> dict[str, str]:
    example = grammar.sample(subtask.name, np.random.default_rng(0))
    return {"name": subtask.name, "title": _TITLES[subtask.name], "example": write_out(example.tokens)}

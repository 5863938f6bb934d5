"""All pictures by their names, as the bytes of files."""

from collections.abc import Callable, Mapping
from typing import cast

from matplotlib.figure import Figure

from xworld.agent.agent import Agent
from xworld.figures.attention import draw_attention
from xworld.figures.film import film_session, film_sessions
from xworld.figures.gif import as_gif
from xworld.figures.names import FigureName
from xworld.figures.overview import draw_overview
from xworld.figures.program import draw_program
from xworld.figures.style import Kind, render, styled
from xworld.figures.walls import draw_walls
from xworld.world.catalogue import Catalogue

FIGURES: Mapping[FigureName, Callable[[Agent, Catalogue, int], Figure]] = {
    "overview": draw_overview,
    "attention": draw_attention,
    "program": draw_program,
    "walls": draw_walls,
}


def make_files(files: list[str], agent: Agent, catalogue: Catalogue, seed: int) -> dict[str, bytes]:
    """The content of the files of one picture, by their names; the same agent and seed give the same bytes.

    >>> from xworld.training.pretrained import load_agent
    >>> files = make_files(["program.svg"], load_agent()[0], Catalogue.load(), seed=0)
    >>> files["program.svg"][:5]
    b'<?xml'
    """
    name = files[0].split(".")[0]
    if name == "sessions":
        return {files[0]: as_gif(film_sessions(agent, catalogue, seed))}
    if name.startswith("film-"):
        commands = {file: file.removeprefix("film-").removesuffix(".gif") for file in files}
        return {file: as_gif(film_session(agent, catalogue, seed, commands[file])) for file in files}
    with styled():
        figure = FIGURES[cast("FigureName", name)](agent, catalogue, seed)
        return {file: render(figure, cast("Kind", file.rpartition(".")[2])) for file in files}

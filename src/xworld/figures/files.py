"""All figures and films by name, and their files. The command line imports this file, so Matplotlib loads later."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from xworld.world.catalogue import Catalogue

if TYPE_CHECKING:
    from xworld.agent.agent import Agent

Name: TypeAlias = Literal["overview", "attention", "program", "plan", "walls", "sessions", "film"]
NAMES: tuple[Name, ...] = get_args(Name)


def file_names(name: Name, commands: Iterable[str], formats: Iterable[str]) -> list[str]:
    """The files of a figure in some formats, or of films for some types of command.

    >>> file_names("walls", (), ["svg", "pdf"]), file_names("film", ["nav_obj"], ())
    (['walls.svg', 'walls.pdf'], ['film-nav_obj.gif'])
    """
    if name == "film":
        return [f"film-{command}.gif" for command in commands]
    if name == "sessions":
        return ["sessions.gif"]
    return [f"{name}.{kind}" for kind in formats]


def make_files(files: list[str], agent: "Agent", catalogue: Catalogue, seed: int) -> dict[str, bytes]:
    """The content of the files of one name, by file name; the same agent and seed give the same bytes.

    >>> from xworld.training.pretrained import load_model
    >>> files = make_files(["program.svg"], load_model()[0], Catalogue.load(), seed=0)
    >>> files["program.svg"][:5]
    b'<?xml'
    """
    from xworld.figures.film import film_session, film_sessions
    from xworld.figures.gif import as_gif

    name = files[0].split(".")[0]
    if name == "sessions":
        return {files[0]: as_gif(film_sessions(agent, catalogue, seed))}
    if name.startswith("film-"):
        commands = {file: file.removeprefix("film-").removesuffix(".gif") for file in files}
        return {file: as_gif(film_session(agent, catalogue, seed, commands[file])) for file in files}
    return _draw(name, files, agent, catalogue, seed)


def _draw(name: str, files: list[str], agent: "Agent", catalogue: Catalogue, seed: int) -> dict[str, bytes]:
    from xworld.figures.attention import draw_attention
    from xworld.figures.overview import draw_overview
    from xworld.figures.plan import draw_plan
    from xworld.figures.program import draw_program
    from xworld.figures.style import render, styled
    from xworld.figures.walls import draw_walls

    drawings = {
        "overview": draw_overview, "attention": draw_attention, "program": draw_program, "plan": draw_plan,
        "walls": draw_walls,
    }  # fmt: skip
    with styled():
        figure = drawings[name](agent, catalogue, seed)
        return {file: render(figure, file.rpartition(".")[2]) for file in files}

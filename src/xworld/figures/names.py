"""Which pictures there are, and the files that they come in; what the command line needs to know of them."""

from collections.abc import Iterable
from typing import Literal, TypeAlias, get_args

FigureName: TypeAlias = Literal["overview", "attention", "program", "walls"]
FilmName: TypeAlias = Literal["sessions", "film"]
Name: TypeAlias = FigureName | FilmName

FIGURE_NAMES: tuple[FigureName, ...] = get_args(FigureName)
NAMES: tuple[Name, ...] = (*FIGURE_NAMES, *get_args(FilmName))


def file_names(name: Name, commands: Iterable[str], formats: Iterable[str]) -> list[str]:
    """The files of a picture: a figure in some formats, or films of some types of command.

    >>> file_names("walls", (), ["svg", "pdf"]), file_names("film", ["nav_obj"], ())
    (['walls.svg', 'walls.pdf'], ['film-nav_obj.gif'])
    """
    if name == "film":
        return [f"film-{command}.gif" for command in commands]
    if name == "sessions":
        return ["sessions.gif"]
    return [f"{name}.{kind}" for kind in formats]

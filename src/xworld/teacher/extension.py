"""Extensions: files that add a type of command or question of your own to the teacher's language, or a model.

A file with a type is written like those in `commands` and `questions`: `SUBTASK` says how the type is worded, and the
kernel `propose` offers everything that is true. One with a model calls `xworld.register_model`.
"""

import hashlib
import secrets
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from xworld.teacher import dispatch
from xworld.teacher.commands import COMMANDS
from xworld.teacher.extension_checks import check_extension
from xworld.teacher.questions import QUESTIONS
from xworld.teacher.subtask import Command, Question
from xworld.world.checks import SettingsError, check_kind
from xworld.world.kernel import add_source, have_run, undecorated

_loaded: dict[str, str] = {}


def load_extension(file: str | Path) -> None:
    """Run a file, and add the type of sentence that it defines; a file that is loaded already is not loaded twice.

    Do so before the first simulator or environment steps: then the kernels are compiled.
    """
    path = Path(file).resolve()
    try:
        source = path.read_bytes()
    except OSError as error:
        raise SettingsError(f"--extend {file}: no file can be read there ({error.strerror})") from error
    if _loaded.get(str(path)) == _digest(source):
        return
    module = _execute(path, source)
    subtask, propose = (getattr(module, name, None) for name in ("SUBTASK", "propose"))
    if not (subtask is None and propose is None):  # else it registers what it has to offer, such as a model
        _refuse_late(str(file))
        _register(str(file), subtask, propose, source)
    _loaded[str(path)] = _digest(source)


def register_command(subtask: Command, propose: Callable[..., None]) -> None:
    """Add a type of command to the teacher's language: `subtask` words it, and `propose` offers what is true.

    Do so before the first environment is reset. Runs that are resumed or use several processes load the type from a
    file, given by `--extend FILE`: see examples/far_command.py.

    >>> import xworld
    >>> from xworld.teacher.choice import offer
    >>> from xworld.teacher.conditions import is_goal
    >>> from xworld.world.kernel import kernel
    >>> @kernel
    ... def propose(world, choice, speech, reach):
    ...     if is_goal(world, 0, 0, reach):
    ...         offer(world, choice, speech, 0)  # the first of 49 cells
    >>> corner = Command("nav_corner", "it is free", ("go to the first corner .",), title="go to a corner")
    >>> xworld.register_command(corner, propose)
    >>> env = xworld.XWorldEnv(settings=xworld.TeacherSettings(commands=("nav_corner",)))
    >>> env.reset(seed=0)[1]["command"]
    'Go to the first corner.'
    """
    _register_own(subtask, propose, Command)


def register_question(subtask: Question, propose: Callable[..., None]) -> None:
    """Add a type of question to the teacher's language, as `register_command` does for commands.

    >>> import xworld
    >>> from xworld.teacher.choice import offer, own_answer
    >>> from xworld.world.kernel import kernel
    >>> @kernel
    ... def propose(world, choice, speech):
    ...     offer(world, choice, speech, own_answer(int(world.objects > 4)))
    >>> forms = "is it crowded ?", "are there many objects ?"
    >>> crowd = Question("rec_crowd", "always", forms, title="tell whether it is crowded", answers=("no", "yes"))
    >>> xworld.register_question(crowd, propose)
    >>> env = xworld.XWorldEnv(settings=xworld.TeacherSettings(questions=("rec_crowd",)))
    >>> _, info = env.reset(seed=0)
    >>> info["question"], info["answer"]
    ('Is it crowded?', 'no')
    """
    _register_own(subtask, propose, Question)


def _register_own(subtask: Any, propose: Any, kind: type) -> None:
    check_kind("subtask", subtask, kind)
    _refuse_late(subtask.name)
    try:
        source = Path(undecorated(propose).__code__.co_filename).read_bytes()
    except (OSError, AttributeError):  # typed in by hand: it never comes out of the cache
        source = secrets.token_bytes()
    _register(subtask.name, subtask, propose, source)


def _register(origin: str, subtask: Any, propose: Any, source: bytes) -> None:
    check_extension(origin, subtask, propose)
    registry: Any = COMMANDS if isinstance(subtask, Command) else QUESTIONS
    registry.add(subtask, propose)
    add_source(source + undecorated(propose).__module__.encode())  # which the cache of kernels imports
    dispatch.remake()


def _refuse_late(origin: str) -> None:
    if have_run():
        raise SettingsError(f"{origin}: add it earlier, before the first simulator or environment is reset")


def loaded_extensions() -> list[dict[str, str]]:
    """What a run records of the files that were loaded, in order: new words are numbered in that order."""
    return [{"file": file, "sha1": digest} for file, digest in _loaded.items()]


def load_recorded(extensions: Iterable[Mapping[str, str]]) -> None:
    """Load the files that a run recorded, if they are what they were."""
    for extension in extensions:
        file = extension["file"]
        try:
            source = Path(file).read_bytes()
        except OSError as error:
            raise SettingsError(f"{file}: the run was started with this file (--extend); put it back") from error
        if _digest(source) != extension["sha1"]:
            raise SettingsError(f"{file}: the file has changed since the run was started; undo that, or start anew")
        load_extension(file)


def _execute(path: Path, source: bytes) -> ModuleType:
    module = ModuleType(f"xworld_extension_{path.stem}_{_digest(source)[:8]}")  # files of one name may differ
    module.__file__ = str(path)
    sys.modules[module.__name__] = module
    try:
        exec(compile(source, str(path), "exec"), vars(module))
    except SettingsError:
        raise
    except SyntaxError as error:
        raise SettingsError(f"{path} is not Python: {error}") from error
    except Exception as error:
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
        raise SettingsError(f"{path}, line {lines[-1]}: {type(error).__name__}: {error}") from error
    return module


def _digest(source: bytes) -> str:
    return hashlib.sha1(source).hexdigest()

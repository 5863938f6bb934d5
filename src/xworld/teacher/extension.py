"""Extensions: files that add a type of command or question of your own to the teacher's language.

Such a file is written like those in `commands` and `questions`: `SUBTASK` says how the type is worded, and the kernel
`propose` offers everything that is true.
"""

import hashlib
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from xworld.teacher import dispatch
from xworld.teacher.commands import COMMANDS
from xworld.teacher.extension_checks import check_extension
from xworld.teacher.questions import QUESTIONS
from xworld.teacher.subtask import Command
from xworld.world.checks import SettingsError
from xworld.world.kernel import add_source, have_run

_loaded: dict[str, str] = {}


def load_extension(file: str | Path) -> None:
    """Add the type of sentence that a file defines; a file that is loaded already is not loaded twice.

    Do so before the first simulator or environment steps: then the kernels are compiled.
    """
    path = Path(file).resolve()
    source = path.read_bytes()
    if _loaded.get(str(path)) == _digest(source):
        return
    if have_run():
        raise SettingsError(f"{file}: load it earlier, before the first simulator or environment is reset")
    module = _execute(path, source)
    subtask = check_extension(str(file), module)
    registry: Any = COMMANDS if isinstance(subtask, Command) else QUESTIONS
    registry.add(subtask, module.propose)
    add_source(source)
    dispatch.remake()
    _loaded[str(path)] = _digest(source)


def loaded_extensions() -> dict[str, str]:
    """The files that were loaded, in order, and a digest of each: what a run records of them."""
    return dict(_loaded)


def load_recorded(extensions: Mapping[str, str]) -> None:
    """Load the files that a run recorded, if they are what they were."""
    for file, digest in extensions.items():
        try:
            source = Path(file).read_bytes()
        except OSError as error:
            raise SettingsError(f"{file}: the run was started with this file (--extend); put it back") from error
        if _digest(source) != digest:
            raise SettingsError(f"{file}: the file has changed since the run was started; undo that, or start anew")
        load_extension(file)


def _execute(path: Path, source: bytes) -> ModuleType:
    module = ModuleType(f"xworld_extension_{path.stem}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module
    exec(compile(source, str(path), "exec"), vars(module))
    return module


def _digest(source: bytes) -> str:
    return hashlib.sha1(source).hexdigest()

"""Types of sentence of one's own: judged by referees, and refused where they would be unclear."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from xworld.teacher import dispatch
from xworld.teacher.commands import COMMANDS, nav_obj
from xworld.teacher.extension import _execute, load_extension, load_recorded, loaded_extensions
from xworld.teacher.extension_checks import check_extension
from xworld.teacher.questions import rec_obj2col
from xworld.teacher.simulator import Simulator
from xworld.teacher.subtask import Command, Question
from xworld.teacher.vocabulary import Vocabulary, WordError
from xworld.world.checks import SettingsError
from xworld.world.kernel import undecorated

ROOT = Path(__file__).parents[2]
FAR, COUNT = (str(ROOT / "examples" / name) for name in ("far_command.py", "count_question.py"))
TWICE = Command("nav_twice", "always", ("go twice to the {object} .",), title="go there twice")
TWELVE = " ".join(["go"] * 11)


def check(subtask: Any, propose: Any = nav_obj.propose) -> None:
    check_extension("mine.py", subtask, propose)


def test_the_examples_are_short() -> None:
    assert all(len(Path(file).read_text().splitlines()) <= 40 for file in (FAR, COUNT))


def test_a_type_that_is_clear_passes() -> None:
    check(TWICE)
    question = Question("rec_ever", "always", ("ever ?",), title="ever", answers=("red", "never"))
    check(question, rec_obj2col.propose)
    assert question.words == ("ever", "?", "red", "never")
    long = replace(TWICE, templates=(f"{TWELVE} .",))
    check(long)
    assert long.slots == ()


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("go to the {object} .", r"^mine.py: 'go to the {object} .': nav_obj is worded like this"),
        ("go twice to the {object}", "expected a full stop or a question mark at the end"),
        ("", "expected a full stop or a question mark"),
        (f"{TWELVE} now .", "13 words and marks: expected at most 12"),
        ("go to the {thing} twice .", "no slot {thing}; there are {object}, {second}"),
        ("go to the {object} {object} .", "expected the slots of the first form, each once: object"),
        ("go to the {second} not the {object} .", "expected {object} before {second}"),
        ("go to the {second} .", "expected {object} before {second}"),
        ("go far north .", "'north' belongs into a slot"),
        ("go to any red one .", "'red' belongs into a slot"),
        ("Go twice to the {object} .", "word 'Go': expected small letters"),
        ("go there. .", "word 'there.': expected small letters"),
    ],
)
def test_an_unclear_form_is_refused(template: str, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        check(replace(TWICE, templates=(template,)))


def test_forms_differ_and_have_the_same_slots() -> None:
    with pytest.raises(SettingsError, match="another form is worded like this"):
        check(replace(TWICE, templates=TWICE.templates * 2))
    with pytest.raises(SettingsError, match="expected the slots of the first form, each once: object"):
        check(replace(TWICE, templates=(*TWICE.templates, "go there twice .")))
    with pytest.raises(SettingsError, match="expected at least one way to say it"):
        check(replace(TWICE, templates=("go {referent} .",)))


@pytest.mark.parametrize(
    ("subtask", "propose", "message"),
    [
        (None, nav_obj.propose, r"expected SUBTASK = Command\(...\) or SUBTASK = Question"),
        (TWICE, None, r"expected @kernel and def propose\(world, choice, speech, reach\)"),
        (TWICE, len, "expected @kernel"),
        (TWICE, rec_obj2col.propose, r"propose takes world, choice, speech: expected @kernel"),
        (replace(TWICE, name="nav_obj"), nav_obj.propose, "the name 'nav_obj' is taken; there are nav_obj, nav_col"),
        (replace(TWICE, name="Nav twice"), nav_obj.propose, "the name 'Nav twice': expected small letters"),
        (replace(TWICE, answers=("not sure",)), nav_obj.propose, "answer 'not sure': expected small letters"),
    ],
)
def test_an_incomplete_file_is_refused(subtask: Any, propose: Any, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        check(subtask, propose)


def test_a_new_word_does_not_name_a_class() -> None:
    assert Vocabulary(["cat"], ["far", "zebra"]).words[-3:] == ("cat", "far", "zebra")
    with pytest.raises(WordError, match="far: these words already have a meaning"):
        Vocabulary(["cat", "far"], ["far"])


def test_a_file_is_not_loaded_once_kernels_have_run() -> None:
    Simulator(1).reset([0])
    with pytest.raises(SettingsError, match="add it earlier, before the first simulator or environment is reset"):
        load_extension(FAR)
    assert (COMMANDS.added, loaded_extensions()) == ((), [])


def test_files_of_the_same_name_are_modules_of_their_own(tmp_path: Path) -> None:
    names = {_execute(tmp_path / "mine.py", source).__name__ for source in (b"mine = 1", b"mine = 2")}
    assert len(names & sys.modules.keys()) == 2


def test_recorded_files_are_there_and_unchanged(tmp_path: Path) -> None:
    load_recorded([])
    with pytest.raises(SettingsError, match="the run was started with this file"):
        load_recorded([{"file": str(tmp_path / "gone.py"), "sha1": ""}])
    with pytest.raises(SettingsError, match="the file has changed since the run was started"):
        load_recorded([{"file": FAR, "sha1": "0"}])


def test_a_type_is_registered_in_code_and_wished_for() -> None:
    code = f"""
import runpy, xworld
far = runpy.run_path({FAR!r})
xworld.register_command(far["SUBTASK"], far["propose"])
env = xworld.XWorldEnv(observation="tiles")
_, info = env.reset(seed=0, options={{"command_type": "nav_far_obj"}})
noun = info["command"].split()[-1]
_, info = env.reset(options={{"command": f"Go far away from the {{noun}}"}})
print(info["command_type"])
try:
    xworld.register_command(far["SUBTASK"], far["propose"])
except ValueError as error:
    print(error)
"""
    # For a few sessions, compiling would take longer than running them in Python.
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    late = "nav_far_obj: add it earlier, before the first simulator or environment is reset"
    assert done.stdout.splitlines() == ["nav_far_obj", late], done.stderr


def test_generated_kernels_belong_to_a_module_that_the_cache_can_import() -> None:
    for propose in (dispatch.propose_command, dispatch.propose_question):
        assert undecorated(propose).__module__ == dispatch.__name__

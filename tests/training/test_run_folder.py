"""The folder of a run: nothing is overwritten, one process begins it, one trains in it."""

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from xworld.training import run_folder
from xworld.training.atomic_file import write_atomic
from xworld.training.run_folder import JSON, RunFolder, RunFolderError

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@examples(max_examples=25)
@given(st.dictionaries(st.text(), json_values, max_size=4))
def test_settings_come_back(tmp_path_factory: pytest.TempPathFactory, settings: dict[str, JSON]) -> None:
    path = tmp_path_factory.mktemp("runs") / "new" / "folder"
    created = RunFolder.create(path, settings)
    assert created.settings == RunFolder.open(path).settings == settings


def test_names_of_files(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path, {})
    assert (folder.state_path, folder.weights_path) == (tmp_path / "state.safetensors", tmp_path / "agent.safetensors")
    assert [file.name for file in tmp_path.iterdir()] == ["settings.json"]


def test_a_run_is_not_begun_twice(tmp_path: Path) -> None:
    RunFolder.create(tmp_path, {"seed": 0})
    with pytest.raises(RunFolderError, match=r"already holds a run.*--resume.*--folder"):
        RunFolder.create(tmp_path, {"seed": 1})
    assert RunFolder.open(tmp_path).settings == {"seed": 0}


@pytest.mark.parametrize("name", ["thesis.tex", ".bashrc", ".lock.txt"])
def test_a_folder_with_other_files_is_no_place_for_a_run(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("precious")
    with pytest.raises(RunFolderError, match=r"not empty.*--folder"):
        RunFolder.create(tmp_path, {})
    assert [file.read_text() for file in tmp_path.iterdir()] == ["precious"]


def test_a_file_in_the_way_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("precious")
    with pytest.raises(RunFolderError, match=r"a file is in the way"):
        RunFolder.create(tmp_path / "thesis.tex", {})
    with pytest.raises(RunFolderError, match=r"a file is in the way"):
        RunFolder.create(tmp_path / "thesis.tex" / "run", {})
    assert [file.read_text() for file in tmp_path.iterdir()] == ["precious"]


@pytest.mark.parametrize("settings", [{"x": float("nan")}, {"x": Path()}])
def test_settings_that_are_not_json_leave_nothing_behind(tmp_path: Path, settings: dict[str, JSON]) -> None:
    with pytest.raises(RunFolderError, match="JSON"):
        RunFolder.create(tmp_path / "run", settings)
    assert not (tmp_path / "run").exists()


def test_what_a_killed_process_left_behind_is_no_run(tmp_path: Path) -> None:
    (tmp_path / ".settings.json.0123456789abcdef0123456789abcdef.partial").write_text("{")
    (tmp_path / ".lock").touch()
    RunFolder.create(tmp_path, {"seed": 0})
    assert RunFolder.open(tmp_path).settings == {"seed": 0}


@pytest.mark.parametrize("links", [True, False])
def test_one_of_many_begins_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool) -> None:
    if not links:
        monkeypatch.setattr(os, "link", _refuse(errno.EPERM))
    # Everyone finds the folder empty, as if all had looked at the same moment: only the writing decides.
    monkeypatch.setattr(run_folder, "_is_remnant", lambda name: True)
    start = Barrier(8)

    def begin(seed: int) -> list[int]:
        start.wait()
        try:
            RunFolder.create(tmp_path, {"seed": seed})
        except RunFolderError:
            return []
        return [seed]

    with ThreadPoolExecutor(8) as pool:
        winners = [seed for seeds in pool.map(begin, range(8)) for seed in seeds]
    assert len(winners) == 1
    assert RunFolder.open(tmp_path).settings == {"seed": winners[0]}
    assert [file.name for file in tmp_path.iterdir()] == ["settings.json"]


@pytest.mark.parametrize(
    ("content", "message"),
    [(None, "no run to resume"), ("", "not JSON"), ('{"seed": ', "not JSON"), ("[1]", "JSON object")],
)
def test_only_a_run_is_resumed(tmp_path: Path, content: str | None, message: str) -> None:
    if content is not None:
        (tmp_path / "settings.json").write_text(content)
    with pytest.raises(RunFolderError, match=message) as caught:
        RunFolder.open(tmp_path)
    assert str(tmp_path) in str(caught.value)


def test_a_folder_that_is_not_there_is_not_resumed(tmp_path: Path) -> None:
    with pytest.raises(RunFolderError, match=r"leave out --resume"):
        RunFolder.open(tmp_path / "nowhere")
    assert not (tmp_path / "nowhere").exists()


def test_one_at_a_time(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path, {})
    with folder.lock():
        with pytest.raises(RunFolderError) as caught, RunFolder.open(tmp_path).lock():
            pass
        assert f"another process is training in {tmp_path}" in str(caught.value)
    with folder.lock():
        pass


def test_an_error_in_training_ends_the_lock(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path, {})
    with pytest.raises(ZeroDivisionError), folder.lock():
        _ = 1 / 0
    with folder.lock():
        pass


def test_a_process_that_is_killed_holds_no_lock(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path, {})
    code = (
        "import sys, time; from xworld.training.run_folder import RunFolder\n"
        "with RunFolder.open(sys.argv[1]).lock(): print('locked', flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"locked\n"
        with pytest.raises(RunFolderError), folder.lock():
            pass
        process.send_signal(signal.SIGKILL)
    with folder.lock():
        pass


def test_training_goes_on_where_there_are_no_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = RunFolder.create(tmp_path, {})
    monkeypatch.setattr("fcntl.flock", _refuse(errno.ENOTSUP))
    with folder.lock():
        pass
    monkeypatch.setattr("fcntl.flock", _refuse(errno.ENOSYS))
    with folder.lock():
        pass
    assert {file.name for file in tmp_path.iterdir()} == {"settings.json", ".lock"}


def test_a_folder_that_is_gone_cannot_be_locked(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), RunFolder(tmp_path / "gone", {}).lock():
        pass


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    path = tmp_path / "file"
    write_atomic(path, b"old")
    with monkeypatch.context() as patch:
        patch.setattr(os, call, _refuse(errno.ENOSPC))
        with pytest.raises(OSError, match="No space"):
            write_atomic(path, b"new")
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == {"file": b"old"}


def _refuse(number: int) -> Callable[..., None]:
    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    return refuse

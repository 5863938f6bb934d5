"""`xworld sentences`."""

import subprocess
import sys

import pytest

from golden import paper
from xworld.cli.main import main


def test_the_table_shows_every_count_and_the_totals(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    assert main(["sentences"]) == 0
    rows = {line.split()[0]: line for line in capsys.readouterr().out.splitlines() if line.split()}
    for name, (forms, fillings, count) in paper.SENTENCES.items():
        assert all(f" {number:,} " in rows[name] for number in (forms, fillings, count))
    assert f"{paper.NAVIGATION:,}" in rows["navigation"]
    assert f"{paper.RECOGNITION:,}" in rows["recognition"]
    assert f"{paper.ALL:,}" in rows["all"]
    assert "104 words" in rows["all"]


def test_samples_of_one_type(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sentences", "--type", "nav_bw_obj", "--samples", "4"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4
    assert all("between" in line and line[-1] in ".?" for line in lines)


def test_all_sentences_are_streamed_and_the_reader_may_stop() -> None:
    command = [sys.executable, "-m", "xworld.cli.main", "sentences", "--all"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "Apple.\n"
        process.stdout.close()
        assert process.stderr.read() == ""
    everything = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert len(everything) == len(set(everything)) == paper.ALL


def test_errors_are_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sentences", "--type", "nav_up"]) == 2
    assert capsys.readouterr().err.startswith("xworld: no type of sentence 'nav_up'; there are nav_obj,")
    assert main(["sentences", "--pack", "/nowhere"]) == 2
    assert "no icon pack at /nowhere" in capsys.readouterr().err
    assert main(["sentences", "--type", "nav_obj", "--samples", "0"]) == 2

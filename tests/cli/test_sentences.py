"""`xworld sentences`."""

import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

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


def test_all_sentences_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sentences", "--all"]) == 0
    everything = capsys.readouterr().out.splitlines()
    assert everything[0] == "Apple."
    assert len(everything) == len(set(everything)) == paper.ALL


def test_any_output_may_be_cut_short() -> None:
    commands = [["--all"], ["--type", "nav_obj", "--samples", "100000"], ["--help"]]
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "xworld.cli.main", "sentences", *options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for options in commands
    ]  # fmt: skip
    assert processes[0].stdout is not None
    assert processes[0].stdout.readline() == "Apple.\n"  # it does not wait until it has all sentences
    for process in processes:
        with process:
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.close()
            assert process.stderr.read() == ""
        assert process.returncode == 0


@pytest.fixture
def colorless(tmp_path: Path) -> Path:
    """A pack of two classes, none in a color that has a word."""
    for name in ("bun", "egg"):
        (tmp_path / "goal/food").mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (12, 12), (90, 60, 20)).save(tmp_path / f"goal/food/{name}_1.png")
    (tmp_path / "properties.txt").write_text("goal/food/bun_1.png na\n")
    return tmp_path


def test_a_pack_without_named_colors_has_no_examples_of_them(
    colorless: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    assert main(["sentences", "--pack", str(colorless)]) == 0
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("nav_col_obj")]
    assert rows[0].split()[-3:] == ["0", "0", "-"]
    assert main(["sentences", "--pack", str(colorless), "--type", "nav_col_obj"]) == 2
    assert "this catalogue has no sentence of type nav_col_obj: none of its objects" in capsys.readouterr().err
    assert main(["sentences", "--pack", str(colorless), "--type", "nav_obj"]) == 0


def test_errors_name_what_would_be_right(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["sentences", "--type", "nav_up"])
    error = capsys.readouterr().err
    assert "nav_up" in error
    assert "rec_bw_obj2col" in error
    assert main(["sentences", "--pack", "/nowhere"]) == 2
    assert "pack='/nowhere': expected a folder" in capsys.readouterr().err
    assert main(["sentences", "--type", "nav_obj", "--samples", "0"]) == 2

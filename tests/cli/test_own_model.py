"""A model of one's own, registered by a file of `--extend`: trained, resumed, tested and reported by name."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import xworld
from xworld.baselines import registry
from xworld.baselines.registry import registered_models
from xworld.cli.main import main
from xworld.experiments.result import Result
from xworld.teacher import extension
from xworld.teacher.extension import load_extension
from xworld.training.configs import TINY

FILE = Path(__file__).parents[2] / "examples" / "own_model.py"
EXTEND = ["--extend", str(FILE)]
SHORT = "--total-steps 64 --num-envs 8 --buffer-size 64 --batches-per-iteration 2 --device cpu".split()
SHORT += "--sessions 4 --minimal-pairs 4 --held-out-sessions 4 --validation-sessions 4".split()


@pytest.fixture(autouse=True)
def forget(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[], None]:
    """Forget all files and models, as a new process would; what a test loads is forgotten, too."""

    def forget() -> None:
        monkeypatch.setattr(extension, "_loaded", {})
        monkeypatch.setattr(registry, "_REGISTERED", {})

    monkeypatch.chdir(tmp_path)
    forget()
    return forget


def test_the_example_is_short_and_learns() -> None:
    assert len(FILE.read_text().splitlines()) <= 60
    load_extension(FILE)
    worlds = replace(TINY.teacher, map_size=(3, 3), objects=(1, 1), walls=(0, 0), classes=(4, 4), nothing_rate=0.0)
    config = replace(TINY, num_envs=16, buffer_size=800, learning_rate=1e-3, warmup_steps=3_200, total_steps=6_400,
                     teacher=replace(worlds, questions=("rec_loc2obj",)))  # fmt: skip
    agent = xworld.train(config, model="one_glance", device="cpu")
    report = xworld.evaluate(agent, 300, settings=config.teacher)
    assert report.overall.low > 0.5
    assert report.overall_recognition.low > 0.5


def test_it_is_trained_resumed_and_tested(
    forget: Callable[[], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "tiny", "--model", "one_glance", *EXTEND, *SHORT]) == 0
    folder = tmp_path / "runs" / "one_glance-tiny-Standard-0"
    result = Result.read(folder)
    assert (result.job.model, result.settings["extend"][0]["file"]) == ("one_glance", str(FILE))
    (folder / "result.json").unlink()
    forget()
    assert main(["train", "--resume", str(folder), "--device", "cpu"]) == 0
    assert Result.read(folder).evaluation == result.evaluation
    evaluate = ["evaluate", str(folder / "agent.safetensors"), "--sessions", "4"]
    forget()
    assert main([*evaluate, *EXTEND]) == 0
    forget()
    capsys.readouterr()
    assert main(evaluate) == 2
    error = capsys.readouterr().err
    assert "holds a model that comes with --extend own_model.py: no model 'one_glance'; there are planner" in error


def test_it_stands_in_the_report_of_a_grid(tmp_path: Path) -> None:
    arguments = ["--models", "one_glance", "--conditions", "Standard", "NWNav", "--all-cells"]
    assert main(["reproduce", "tiny", *arguments, "--seeds", "0", *EXTEND, *SHORT, "--folder", "grid"]) == 0
    page = (tmp_path / "grid" / "results.md").read_text()
    assert "| SAN | one_glance |" in page
    assert "| one_glance | NWNav |" in page
    assert "one_glance" in (tmp_path / "grid" / "images" / "results-pairs-light.svg").read_text()


@pytest.mark.parametrize("arguments", [["train", "--model", "one_glanse"], ["reproduce", "--models", "one_glanse"]])
def test_an_unknown_name_is_refused_with_those_known(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*arguments, *EXTEND]) == 2
    assert "no model 'one_glanse'; there are planner, framework, simple_attention" in capsys.readouterr().err
    assert registered_models() == ("one_glance",)


def test_a_file_that_adds_nothing_or_fails_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for text, fault in {
        "subtask = 1": "it adds nothing; expected SUBTASK and propose, or register_model(...)",
        "\nx = 1 / 0": "line 2: ZeroDivisionError: division by zero",
        "import xworld\nxworld.register_model('san', dict)": "line 2: ModelError: ",
        "import nowhere": "line 1: ModuleNotFoundError: No module named 'nowhere'",
    }.items():
        (tmp_path / "mine.py").write_text(text)
        assert main(["sentences", "--extend", "mine.py"]) == 2
        assert fault in capsys.readouterr().err

"""Three kinds of sessions that share none: training sees none of the others, and no choice sees those of the test."""

import ast
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
import torch

import xworld
from scripted import Tourist
from xworld.cli.reproduce import ReproduceCommand
from xworld.cli.train import TrainCommand
from xworld.evaluation import minimal_pairs, success, zero_shot
from xworld.evaluation.sessions import begin_sessions
from xworld.evaluation.splits import TEST, TRAINING, VALIDATION, first_seed, split_of
from xworld.evaluation.success import evaluate
from xworld.experiments import job as job_module
from xworld.experiments.job import evaluate_job
from xworld.experiments.plan import Plan
from xworld.teacher.holdout import Holdout
from xworld.teacher.settings import TeacherSettings
from xworld.teacher.simulator import Simulator
from xworld.training.configs import TINY
from xworld.training.distributed import Distributed
from xworld.training.run import TrainingRun
from xworld.training.run_folder import RunFolder
from xworld.training.trainer import Trainer

PACKAGE = Path(xworld.__file__).parent
KEPT_FROM = "training", "word_learning", "agent", "baselines", "demo", "figures"
"""Where agents are made, chosen and shown: nothing there may look at the sessions that are reported."""
ALLOWED = {"cli/reproduce.py", "bench/teach.py", "evaluation/splits.py"}
SHORT = replace(TINY, num_envs=8, batches_per_iteration=2, buffer_size=64, total_steps=32)
SMALL = TeacherSettings(map_size=(3, 3), objects=(2, 2), walls=(0, 0), commands=("nav_obj",))


def test_the_ranges_are_disjoint_and_large() -> None:
    for one, other in combinations((TRAINING, VALIDATION, TEST), 2):
        assert one.stop <= other.start or other.stop <= one.start
    assert min(map(len, (TRAINING, VALIDATION, TEST))) > 10**18
    assert max(TRAINING.stop, VALIDATION.stop, TEST.stop) <= 2**63  # a seed is a whole number of 64 bits


def test_a_seed_belongs_to_one_split_or_to_none() -> None:
    for name, seeds in (("training", TRAINING), ("validation", VALIDATION), ("test", TEST)):
        assert {split_of(seed) for seed in (seeds[0], seeds[12_345], seeds[-1])} == {name}
    assert {split_of(seed) for seed in (0, 10**9 - 1, 2**63)} == {"other"}
    assert (first_seed("validation"), first_seed("test")) == (VALIDATION[0], TEST[0])


def seeds_of(run: Any) -> list[int]:
    """The seeds of all sessions that are begun in the course of something."""
    reset, seeds = Simulator.reset, list[int]()

    def note(simulator: Simulator, given: Any = None, *arguments: Any, **options: Any) -> Any:
        seeds.extend(int(seed) for seed in (() if given is None else given))
        return reset(simulator, given, *arguments, **options)

    with mock.patch.object(Simulator, "reset", note):
        run()
    return seeds


@pytest.mark.parametrize("seed", [0, 1, 2**31])
def test_worlds_of_training_have_seeds_of_their_own(seed: int) -> None:
    seeds = seeds_of(lambda: Trainer(SHORT, seed=seed))
    assert len(set(seeds)) == 8
    assert {split_of(each) for each in seeds} == {"training"}


def test_processes_that_train_together_have_different_worlds() -> None:
    alone = seeds_of(lambda: Trainer(SHORT))
    parts = [seeds_of(lambda rank=rank: Trainer(SHORT, distributed=Distributed(rank, 2))) for rank in range(2)]
    assert [*parts[0], *parts[1]] == alone


def test_training_is_evaluated_on_validation(tmp_path: Path) -> None:
    trainer = Trainer(SHORT)
    run = TrainingRun(trainer, RunFolder(tmp_path, {}), {}, evaluate_every=16, validation_sessions=4, save_every=1e9)
    seeds = seeds_of(lambda: run.train([], lambda: False))
    assert len(run.curve) == 2
    assert seeds
    assert {split_of(seed) for seed in seeds} == {"validation"}


def seeds_of_evaluation(**options: Any) -> set[int]:
    holdout = Holdout("NWNav", ("apple",))
    return set(
        seeds_of(lambda: evaluate(Tourist(), 40, settings=SMALL, holdout=holdout, minimal_pairs=True, **options))
    )


def test_an_evaluation_stays_in_its_split() -> None:
    validation, test = seeds_of_evaluation(), seeds_of_evaluation(split="test")
    assert {split_of(seed) for seed in validation} == {"validation"}
    assert {split_of(seed) for seed in test} == {"test"}
    assert {seed - first_seed("validation") for seed in range(VALIDATION[0], VALIDATION[0] + 40)} <= {
        seed - first_seed("validation") for seed in validation
    }


def test_a_report_says_which_split_it_is_of() -> None:
    for split in ("validation", "test"):
        report = evaluate(Tourist(), 4, split, settings=SMALL)
        assert report.split == report.as_json()["split"] == split
    assert evaluate(Tourist(), 4, settings=SMALL).split == "validation"


def test_the_two_splits_are_different_sessions() -> None:
    validation, test = (
        begin_sessions(range(start, start + 64), None, TeacherSettings()) for start in (VALIDATION[0], TEST[0])
    )
    assert (validation.tiles != test.tiles).any(axis=(1, 2)).all()


def test_what_is_no_split_is_refused() -> None:
    with pytest.raises((KeyError, ValueError), match="training"):
        evaluate(Tourist(), 4, "training", settings=SMALL)  # type: ignore[arg-type]


def test_jobs_report_what_is_tested(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked = []
    for module, name in (
        (success, "evaluate"),
        (zero_shot, "evaluate_zero_shot"),
        (minimal_pairs, "evaluate_minimal_pairs"),
    ):
        real = getattr(module, name)

        def note(*arguments: Any, real: Any = real, **options: Any) -> Any:
            asked.append([argument for argument in arguments if isinstance(argument, str)])
            return real(*arguments, **options)

        monkeypatch.setattr(job_module, name, note)
    monkeypatch.setattr(job_module, "load_model", lambda *_: (Tourist(), {}))
    holdout, short = Holdout("NWNav", ("apple",)), Plan(replace(SHORT, teacher=SMALL), sessions=4)
    for split in ("validation", "test"):
        plan = replace(short, split=split, held_out_sessions=4, minimal_pairs=4)
        seeds = seeds_of(lambda plan=plan: evaluate_job(tmp_path, holdout, plan, torch.device("cpu"), lambda: False))
        assert asked == [[split]] * 3
        assert {split_of(seed) for seed in seeds} == {split}
        asked.clear()
    assert Plan().split == TrainCommand().evaluation.split == "validation"
    assert ReproduceCommand().evaluation.split == "test"


def names_the_test_split(source: str) -> list[int]:
    """The lines that import TEST, or write the split's name where it could be given to something."""
    lines = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").endswith("evaluation.splits"):
            lines += [node.lineno for name in node.names if name.name in ("TEST", "*")]
        elif getattr(node, "attr", None) == "TEST" or getattr(node, "value", None) == "test":
            lines.append(getattr(node, "lineno", 0))
    return lines


def modules(folders: tuple[str, ...] = ("",)) -> dict[str, str]:
    files = [file for folder in folders for file in sorted((PACKAGE / folder).rglob("*.py"))]
    return {file.relative_to(PACKAGE).as_posix(): file.read_text() for file in files}


@pytest.mark.parametrize("folder", KEPT_FROM)
def test_where_agents_are_made_the_test_split_has_no_name(folder: str) -> None:
    found = modules((folder,))
    assert found
    assert {file: lines for file, source in found.items() if (lines := names_the_test_split(source))} == {}


def test_only_final_evaluations_name_it() -> None:
    assert {file for file, source in modules().items() if names_the_test_split(source)} <= ALLOWED
    assert names_the_test_split((PACKAGE / "cli/reproduce.py").read_text())


@pytest.mark.parametrize(
    "line",
    [
        "from xworld.evaluation.splits import TEST",
        "from xworld.evaluation.splits import *",
        "from xworld.evaluation import splits\nsplits.TEST",
        "evaluate(agent, 100, 'test')",
        "evaluate(agent, split='test')",
        "first_seed('test')",
        "split: str = 'test'",
    ],
)
def test_every_way_to_name_it_would_be_noticed(line: str) -> None:
    assert names_the_test_split(line)
    assert not names_the_test_split(
        line.replace("TEST", "VALIDATION").replace("'test'", "'validation'").replace("*", "x")
    )

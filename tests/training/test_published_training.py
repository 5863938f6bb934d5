"""What the first iterations compute: a change of a loss, of a schedule or of a preset shows here, and is meant.

After such a change, write the published numbers anew with `python tests/training/test_published_training.py`.
"""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from xworld.training.configs import DEFAULT, PAPER, PRESETS, TrainingConfig, as_json
from xworld.training.trainer import Trainer

GOLDEN = Path(__file__).parents[1] / "golden"
SHORT: dict[str, TrainingConfig] = {
    "default": replace(
        DEFAULT, num_envs=32, batches_per_iteration=4, buffer_size=256, warmup_steps=400, total_steps=32 * 4 * 4
    ),
    "paper2017": replace(
        PAPER,
        num_envs=8,
        batches_per_iteration=8,
        total_steps=8 * 8 * 4,
        buffer_size=64,
        target_update_interval=3,
        learning_rate=1e-4,
        curriculum_sessions=20,
        exploration_steps=200,
    ),
}
MODELS = {"default": "planner", "paper2017": "framework"}


def first_iterations(name: str) -> list[dict[str, float]]:
    """The numbers of every iteration."""
    trainer, rows = Trainer(SHORT[name], "NWNav", seed=1, model=MODELS[name]), list[dict[str, float]]()
    while not trainer.finished:
        metrics = trainer.train_iteration()
        row = {"success": metrics.overall.hits, "sessions": metrics.overall.trials, **metrics.losses}
        row |= {"answers": metrics.answer_accuracy.hits, "asked": metrics.answer_accuracy.trials}
        row |= {"session_return": metrics.session_return, "difficulty": metrics.difficulty}
        row |= {"learning_rate": metrics.learning_rate}
        rows.append({name: float(number) for name, number in row.items()})
    return rows


def all_presets() -> dict[str, object]:
    return {name: as_json(config) for name, config in PRESETS.items()}


def publish() -> None:
    """Write the golden files with the numbers of this version."""
    torch.set_num_threads(1)
    training = {name: first_iterations(name) for name in SHORT}
    (GOLDEN / "training.json").write_text(json.dumps(training, indent=1) + "\n")
    (GOLDEN / "presets.json").write_text(json.dumps(all_presets(), indent=1) + "\n")


@pytest.mark.parametrize("name", SHORT)
def test_the_numbers_of_the_first_iterations(name: str) -> None:
    published = json.loads((GOLDEN / "training.json").read_text())[name]
    for own, expected in zip(first_iterations(name), published, strict=True):
        assert own == pytest.approx(expected, rel=2e-3, abs=1e-5, nan_ok=True)


def test_the_settings_of_the_presets() -> None:
    assert all_presets() == json.loads((GOLDEN / "presets.json").read_text())


if __name__ == "__main__":
    publish()

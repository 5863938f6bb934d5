"""What the first iterations compute: a change of a loss, of a schedule or of a preset shows here, and is meant."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from xworld.training.configs import FAST, PAPER, PRESETS, TrainingConfig, as_json
from xworld.training.trainer import Trainer

GOLDEN = Path(__file__).parents[1] / "golden"
SHORT: dict[str, TrainingConfig] = {
    "ppo": replace(FAST, num_envs=32, num_steps=4, num_minibatches=2, total_steps=32 * 4 * 4),
    "replay": replace(
        PAPER,
        num_envs=8,
        batch_size=8,
        batches_per_iteration=8,
        total_batches=32,
        buffer_size=64,
        target_update_interval=3,
        learning_rate=1e-4,
        curriculum_sessions=20,
        exploration_steps=200,
    ),
}


def first_iterations(config: TrainingConfig) -> list[dict[str, float]]:
    """The numbers of every iteration."""
    trainer, rows = Trainer(config, "NWNav", seed=1), list[dict[str, float]]()
    while not trainer.finished:
        metrics = trainer.train_iteration()
        row = {"success": metrics.overall.hits, "sessions": metrics.overall.trials, **metrics.losses}
        row |= {"answers": metrics.answer_accuracy.hits, "asked": metrics.answer_accuracy.trials}
        row |= {"session_return": metrics.session_return, "difficulty": metrics.difficulty}
        row |= {"learning_rate": metrics.learning_rate}
        rows.append({name: float(number) for name, number in row.items()})
    return rows


@pytest.mark.parametrize("name", SHORT)
def test_the_numbers_of_the_first_iterations(name: str) -> None:
    published = json.loads((GOLDEN / "training.json").read_text())[name]
    for own, expected in zip(first_iterations(SHORT[name]), published, strict=True):
        assert own == pytest.approx(expected, rel=2e-3, abs=1e-5)


def test_the_settings_of_the_presets() -> None:
    published = json.loads((GOLDEN / "presets.json").read_text())
    assert {name: as_json(config) for name, config in PRESETS.items()} == published

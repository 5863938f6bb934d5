"""Training steps: they change the agent, the same way for the same seed, and they teach it something."""

from dataclasses import replace

import pytest
import torch

from xworld.learning.presets import FAST, PRESETS, find_preset
from xworld.learning.trainer import Progress, Trainer
from xworld.teacher.settings import SettingsError

SMALL = replace(FAST, worlds=32, steps=4, minibatches=2, frames=32 * 4 * 3)
CPU = torch.device("cpu")


def train(seed: int) -> tuple[Trainer, list[Progress]]:
    trainer, history = Trainer(SMALL, "Standard", seed, CPU), list[Progress]()
    trainer.run(history.append)
    return trainer, history


def test_the_same_seed_gives_the_same_weights_bit_for_bit() -> None:
    one, again, other = (train(seed)[0].agent.state_dict() for seed in (1, 1, 2))
    assert all(torch.equal(one[name], again[name]) for name in one)
    assert not all(torch.equal(one[name], other[name]) for name in one)


def test_every_parameter_is_trained() -> None:
    trainer = Trainer(SMALL, "Standard", 0, CPU)
    before = {name: parameter.detach().clone() for name, parameter in trainer.agent.named_parameters()}
    trainer.train_once()
    for name, parameter in trainer.agent.named_parameters():
        assert not torch.equal(parameter, before[name]), name


def test_rates_and_curriculum_follow_the_plan() -> None:
    trainer, history = train(0)
    assert [progress.frames for progress in history] == [128, 256, 384]
    assert trainer.school.progress == 1.0
    assert trainer.optimiser.param_groups[0]["lr"] == pytest.approx(SMALL.learning_rate / 3)
    assert all(0 <= progress.walk.successes <= progress.walk.sessions for progress in history)


def test_it_learns_to_answer_what_it_is_asked_over_and_over() -> None:
    trainer = Trainer(replace(SMALL, worlds=64, steps=1, minibatches=1, frames=10**6), "Standard", 0, CPU)
    trainer.train_once()
    school = trainer.school
    tiles, commands, questions = (
        torch.from_numpy(array) for array in (school.tiles, school.commands, school.questions)
    )
    answers = torch.from_numpy(school.lessons["answer"].copy())
    asked = answers > 0
    for _ in range(80):
        _, _, scores = trainer.agent.act_and_answer(tiles, commands, questions)
        loss = torch.nn.functional.cross_entropy(scores[asked][:, 1:], answers[asked] - 1)
        trainer.optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(trainer.agent.parameters(), 1.0)
        trainer.optimiser.step()
    right = (scores.argmax(dim=1) == answers)[asked].float().mean()
    assert right > 0.7  # by chance: 0.02


def test_presets() -> None:
    assert find_preset("tiny") is PRESETS["tiny"]
    with pytest.raises(SettingsError, match="no preset 'slow'; there are fast, tiny"):
        find_preset("slow")
    with pytest.raises(SettingsError, match="cannot be split into 3 equal minibatches"):
        replace(FAST, minibatches=3)
    with pytest.raises(SettingsError, match="frames=0"):
        replace(FAST, frames=0)

"""Iterations of training: the same seed gives the same result, and a restored state continues bit for bit."""

from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest
import torch

from states import copy_state
from xworld.evaluation.content_words import are_held_out, read_meanings
from xworld.teacher.commands import COMMANDS
from xworld.teacher.questions import QUESTIONS
from xworld.teacher.settings import COMMAND_NAMES, QUESTION_NAMES, TeacherSettings
from xworld.teacher.simulator import Simulator
from xworld.training.checked_file import CheckpointError
from xworld.training.checkpoint import save_state
from xworld.training.configs import FAST, PAPER, PRESETS, TINY, TrainingConfig, as_json, find_preset, from_json
from xworld.training.distributed import Distributed
from xworld.training.metrics import Metrics, MetricsCollector
from xworld.training.ppo import PPOLearner
from xworld.training.replay_actor_critic import ReplayActorCriticLearner, draw_actions
from xworld.training.rollout import UNKNOWN_GOAL
from xworld.training.trainer import State, Trainer
from xworld.world.cells import SIDE, VIEW
from xworld.world.checks import SettingsError

ON_POLICY = replace(FAST, num_envs=32, num_steps=4, num_minibatches=2, total_steps=32 * 4 * 3)
REPLAYED = replace(
    PAPER, num_envs=8, batch_size=8, batches_per_iteration=4, total_batches=12, buffer_size=64, target_update_interval=5
)
BOTH = pytest.mark.parametrize("config", [ON_POLICY, REPLAYED], ids=["on policy", "replayed"])


def train(config: TrainingConfig, seed: int = 0, condition: str = "Standard") -> tuple[Trainer, list[Metrics]]:
    trainer, history = Trainer(config, condition, seed), list[Metrics]()
    while not trainer.finished:
        history.append(trainer.train_iteration())
    return trainer, history


def same(one: Trainer, other: Trainer) -> bool:
    (tensors, arrays, record), (others, other_arrays, other_record) = one.state(), other.state()
    return (
        record == other_record
        and all(torch.equal(tensor, others[name]) for name, tensor in tensors.items())
        and all(np.array_equal(array, other_arrays[name]) for name, array in arrays.items())
    )


@BOTH
def test_the_same_seed_gives_the_same_state_bit_for_bit(config: TrainingConfig) -> None:
    torch.manual_seed(1)
    one = train(config, 1)[0]
    torch.manual_seed(2)  # nobody else's chance plays a part
    np.random.seed(2)  # noqa: NPY002
    assert same(one, train(config, 1)[0])
    assert not same(one, train(config, 2)[0])


def test_every_minibatch_has_its_own_embedding_noise() -> None:
    trainer = Trainer(replace(ON_POLICY, embedding_noise=0.5))
    with mock.patch.object(trainer.agent, "respond", wraps=trainer.agent.respond) as respond:
        for _ in range(3):
            trainer.train_iteration()
    noises = [call.kwargs["embedding_noise"] for call in respond.call_args_list]
    assert len(noises) == 3 * ON_POLICY.num_minibatches
    for noise in noises:
        assert noise.shape == trainer.agent.state_dict()["words.embeddings"].shape
        assert noise.std().item() == pytest.approx(0.5, rel=0.02)
    assert not any(torch.equal(*pair) for pair in combinations(noises, 2))


def test_goals_are_where_the_target_was_seen_before_each_step() -> None:
    trainer = Trainer(replace(ON_POLICY, num_envs=64, num_steps=12, total_steps=64 * 12))
    learner, worlds = trainer.learner, trainer.simulator.worlds
    assert isinstance(learner, PPOLearner)
    targets = []

    def step(*arguments: Any) -> Any:
        row, column = (worlds[f"target_{axis}"] - worlds[f"agent_{axis}"] + SIDE - 1 for axis in ("row", "column"))
        targets.append(row * VIEW + column)
        return walk(*arguments)

    walk = learner.step
    with mock.patch.object(learner, "step", step):
        metrics = MetricsCollector(ON_POLICY.teacher.commands, trainer.device)
        rollout = learner.collect_rollout(metrics, torch.Generator().manual_seed(0))
    goals = rollout.goals.numpy()
    known = goals != UNKNOWN_GOAL
    assert 50 < known.sum() < known.size
    assert (goals == np.array(targets))[known].all()


@pytest.mark.parametrize("condition", ["NC", "NWNav", "NWNavRec"])
def test_nothing_is_learned_from_what_is_held_out(condition: str) -> None:
    """From the first round, with few classes, to the last: in no command, and in NWNavRec in no question either."""
    trainer = Trainer(ON_POLICY, condition, share=0.5)
    holdout, grammar = trainer.holdout, trainer.simulator.grammar
    with mock.patch.object(trainer.agent, "respond", wraps=trainer.agent.respond) as respond:
        while not trainer.finished:
            trainer.train_iteration()
    commands, questions = (torch.cat([call.args[place] for call in respond.call_args_list]).numpy() for place in (1, 2))
    assert len(commands) == ON_POLICY.total_steps
    assert not are_held_out(read_meanings(commands, grammar), holdout, grammar).any()
    if condition != "NC":
        assert np.isin(questions, grammar.vocabulary.numbers(holdout.objects)).any() == (condition == "NWNav")


@BOTH
def test_a_state_goes_on_as_if_never_broken_off(config: TrainingConfig) -> None:
    trainer, states = Trainer(config, "NWNav", 3), list[State]()
    while not trainer.finished:
        trainer.train_iteration()
        states.append(copy_state(trainer.state()))
    for rounds in (1, 2):
        other = Trainer(config, "NWNav", 3)
        other.restore(states[rounds - 1])
        assert other.iteration == rounds
        while not other.finished:
            other.train_iteration()
        assert same(trainer, other)


@BOTH
def test_a_state_saved_five_times_gives_five_equal_files(config: TrainingConfig, tmp_path: Path) -> None:
    trainer = Trainer(config)
    trainer.train_iteration()
    for number in range(5):
        save_state(tmp_path / str(number), *trainer.state())
    assert len({path.read_bytes() for path in tmp_path.iterdir()}) == 1


@BOTH
def test_every_parameter_is_trained(config: TrainingConfig) -> None:
    trainer = Trainer(replace(config, weight_decay=0.0))
    before = {name: parameter.detach().clone() for name, parameter in trainer.agent.named_parameters()}
    trainer.train_iteration()
    for name, parameter in trainer.agent.named_parameters():
        fixed = name == "programmer.log_temperature" and not config.learn_temperature
        assert torch.equal(parameter, before[name]) == fixed, name


def test_rates_and_curriculum_follow_the_plan() -> None:
    _, history = train(ON_POLICY)
    assert [metrics.global_step for metrics in history] == [128, 256, 384]
    assert [metrics.difficulty for metrics in history] == [0.0, 1.0, 1.0]
    rate = ON_POLICY.learning_rate
    assert [metrics.learning_rate for metrics in history] == pytest.approx([rate, rate * 2 / 3, rate / 3])
    assert all(rate.hits <= rate.trials for metrics in history for rate in metrics.success.values())
    assert sum(metrics.answer_accuracy.trials for metrics in history) > 0


def test_the_papers_plan() -> None:
    trainer = Trainer(REPLAYED)
    learner = trainer.learner
    targets = []
    for _ in range(3):
        trainer.train_iteration()
        target = learner.modules()["target"].state_dict()["words.embeddings"].clone()
        targets.append(target)
    assert not torch.equal(
        targets[0], trainer.agent.state_dict()["words.embeddings"]
    )  # batch 0, 5 and 10 renew it, 11 came after
    assert not torch.equal(targets[0], targets[1])
    steps, batches, sessions = learner.arrays()["counts"]
    assert (steps, batches) == ((8 + 12) * 8, 12)
    assert trainer.simulator.progress == pytest.approx(sessions / REPLAYED.curriculum_sessions)


def test_target_parameters_are_renewed_by_batches() -> None:
    trainer = Trainer(REPLAYED)
    learner, renewed = trainer.learner, list[int]()
    assert isinstance(learner, ReplayActorCriticLearner)

    def load(state: dict[str, Any]) -> None:
        renewed.append(learner.batches)

    with mock.patch.object(learner.target, "load_state_dict", load):
        while not trainer.finished:
            trainer.train_iteration()
    assert renewed == [0, 5, 10]


def test_exploration_falls_from_one_to_nothing() -> None:
    learner = ReplayActorCriticLearner(PAPER, Trainer(PAPER).agent, Simulator(16), Distributed())
    rates = []
    for learner.steps in (0, 250_000, 500_000, 3_000_000):
        rates.append(learner.exploration)
    assert rates == [1.0, 0.5, 0.0, 0.0]


def test_actions_are_drawn_as_likely_as_they_are() -> None:
    chances = np.tile(np.array([0.1, 0.0, 0.6, 0.3], np.float32), (20_000, 1))
    drawn = np.bincount(draw_actions(chances, np.random.default_rng(0)), minlength=4) / len(chances)
    assert drawn == pytest.approx(chances[0], abs=0.015)
    assert drawn[1] == 0


def test_the_papers_settings() -> None:
    assert (PAPER.buffer_size, PAPER.batch_size, PAPER.total_batches, PAPER.target_update_interval) == (
        10_000,
        16,
        200_000,
        2_000,
    )
    assert (PAPER.exploration_steps, PAPER.curriculum_sessions) == (500_000, 10_000)
    trainer = Trainer(PAPER)
    group = trainer.learner.optimizer.param_groups[0]
    assert isinstance(trainer.learner.optimizer, torch.optim.Adagrad)
    assert (group["lr"], group["weight_decay"]) == (1e-5, pytest.approx(1e-4 * 16))
    weights = trainer.agent.state_dict()
    weight, bias = weights["action.state.5.weight"], weights["action.state.5.bias"]  # 676 to 512
    assert weight.std().item() == pytest.approx((weight.numel() + bias.numel()) ** -0.5, rel=0.02)
    assert weights["words.embeddings"].std().item() == pytest.approx(1, rel=0.02)
    assert weights["programmer.log_temperature"].item() == 0


def test_it_learns_to_answer_what_it_is_asked_over_and_over() -> None:
    trainer = Trainer(replace(ON_POLICY, num_envs=64, num_steps=1, num_minibatches=1, total_steps=10**6))
    trainer.train_iteration()
    simulator, optimizer = trainer.simulator, trainer.learner.optimizer
    tiles, commands, questions = (
        torch.from_numpy(array) for array in (simulator.tiles, simulator.commands, simulator.questions)
    )
    answers = torch.from_numpy(simulator.sessions["answer"].copy())
    asked = answers > 0
    tiles, commands, questions, answers = (tensor[asked] for tensor in (tiles, commands, questions, answers))
    for _ in range(80):
        _, _, scores, *_ = trainer.agent.respond(tiles, commands, questions)
        loss = torch.nn.functional.cross_entropy(scores[:, 1:], answers - 1)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(trainer.agent.parameters(), 1.0)
        optimizer.step()
    right = (scores.argmax(dim=1) == answers).float().mean()
    assert right > 0.7  # by chance: 0.02


def test_questions_about_other_scenes() -> None:
    trainer = Trainer(ON_POLICY)
    simulator = trainer.simulator
    tiles, commands, questions = (
        torch.from_numpy(array) for array in (simulator.tiles, simulator.commands, simulator.questions)
    )
    agent = trainer.agent
    logits, values, scores, *_ = agent.respond(tiles[:16], commands[:16], questions[16:], tiles[16:])
    assert torch.allclose(logits, agent.act(tiles[:16], commands[:16])[0], atol=1e-5)
    assert torch.allclose(values, agent.act(tiles[:16], commands[:16])[1], atol=1e-5)
    assert torch.allclose(scores[:, 1:], agent.answer(tiles[16:], questions[16:])[:, 1:], atol=1e-3)


def test_states_that_do_not_fit_are_refused() -> None:
    trainer = Trainer(ON_POLICY)
    tensors, arrays, record = trainer.state()
    with pytest.raises(CheckpointError, match="trained by 4 process"):
        trainer.restore((tensors, arrays, {**record, "processes": 4}))
    with pytest.raises(CheckpointError, match="belongs to another run: its seed is 1, not 0"):
        trainer.restore(copy_state(Trainer(ON_POLICY, seed=1).state()))
    with pytest.raises(CheckpointError, match="belongs to another run: its model is 'san', not 'framework'"):
        trainer.restore((tensors, arrays, {**record, "model": "san"}))
    with pytest.raises(CheckpointError, match="it was trained with another method, name"):
        trainer.restore((tensors, arrays, {**record, "config": as_json(REPLAYED)}))
    with pytest.raises(CheckpointError, match=r"it was trained with another gamma$"):
        trainer.restore((tensors, arrays, {**record, "config": as_json(replace(ON_POLICY, gamma=0.5))}))
    with pytest.raises(CheckpointError, match="holds out other commands"):
        trainer.restore((tensors, arrays, {**record, "holdout": {"condition": "NWNav", "objects": ["cat"]}}))
    with pytest.raises(CheckpointError, match="other words"):
        trainer.restore((tensors, arrays, {**record, "words": record["words"][::-1]}))
    with pytest.raises(CheckpointError, match="other pictures: their fingerprint is 0a1b, and that of these is"):
        trainer.restore((tensors, arrays, {**record, "fingerprint": "0a1b"}))
    with pytest.raises(CheckpointError, match="damaged, or not one of this xworld: it lacks fingerprint, holdout"):
        trainer.restore((tensors, arrays, {key: record[key] for key in record.keys() - {"fingerprint", "holdout"}}))
    with pytest.raises(CheckpointError, match="the run's state does not fit this agent"):
        trainer.restore(({**tensors, "agent/words.embeddings": torch.zeros(3, 3)}, arrays, record))
    trainer.train_iteration()
    with pytest.raises(CheckpointError, match="make a new one"):
        trainer.restore((tensors, arrays, record))


@pytest.mark.parametrize("config", PRESETS.values(), ids=PRESETS)
def test_configs_come_back_from_json(config: TrainingConfig) -> None:
    import json

    assert from_json(json.loads(json.dumps(as_json(config)))) == config


def test_presets_have_the_types_that_were_added_later(monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_preset("tiny") == TINY
    for registry in (COMMANDS, QUESTIONS):
        monkeypatch.setattr(registry, "_built_in", len(registry) - 1)
    teacher = find_preset("tiny").teacher
    assert teacher.commands == ("nav_obj", COMMAND_NAMES[-1])
    assert teacher.questions == ("rec_loc2obj", "rec_obj2loc", QUESTION_NAMES[-1])
    with pytest.raises(SettingsError, match="config='huge': expected"):
        find_preset("huge")


def test_configs_of_other_versions_are_refused() -> None:
    with pytest.raises(SettingsError, match="another version of xworld: see momentum"):
        from_json({**as_json(TINY), "momentum": 0.9})
    odd: Any
    for odd in ({}, [], {"method": []}, {**as_json(TINY), "teacher": 3}, {**as_json(TINY), "teacher": {"x": 1}}):
        with pytest.raises(SettingsError, match="another version of xworld"):
            from_json(odd)


@pytest.mark.parametrize(
    ("config", "settings", "message"),
    [
        (FAST, {"num_minibatches": 3}, "cannot be split into 3 equal minibatches"),
        (FAST, {"total_steps": 0}, "total_steps=0: expected a whole number from 1"),
        (FAST, {"num_envs": 0}, "num_envs=0"),
        (FAST, {"num_envs": 2.5}, r"num_envs=2\.5: expected a whole number"),
        (FAST, {"num_steps": 2**20}, "num_envs x num_steps=536870912: expected a whole number from 1 to 67108864"),
        (FAST, {"learn_temperature": "no"}, "learn_temperature='no': expected True or False"),
        (FAST, {"teacher": {}}, r"teacher={}: expected TeacherSettings\(...\)"),
        (PAPER, {"buffer_size": 10**12}, "buffer_size=1000000000000: expected"),
        (FAST, {"learning_rate": float("nan")}, "learning_rate=nan"),
        (FAST, {"learning_rate": -1.0}, "learning_rate=-1"),
        (FAST, {"gamma": 1.5}, "gamma=1.5: expected a number from 0 to 1"),
        (FAST, {"curriculum_fraction": 2.0}, "curriculum_fraction=2.0: expected a number from 0 to 1"),
        (PAPER, {"batch_size": 0}, "batch_size=0"),
        (PAPER, {"teacher": TeacherSettings(question_rate=0.0)}, "needs questions"),
        (PAPER, {"buffer_size": 100}, "buffer_size=100: expected a multiple of num_envs"),
    ],
)
def test_configs_that_make_no_sense_are_refused(config: TrainingConfig, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        replace(config, **settings)


def test_a_buffer_holds_at_least_two_steps_of_each_environment() -> None:
    assert replace(PAPER, buffer_size=2 * PAPER.num_envs).buffer_size == 32
    with pytest.raises(SettingsError, match="buffer_size=16: expected a multiple of num_envs, at least twice as much"):
        replace(PAPER, buffer_size=PAPER.num_envs)


def test_processes_share_evenly_or_not_at_all() -> None:
    assert [Distributed(rank, 4).part(8) for rank in range(4)] == [slice(0, 2), slice(2, 4), slice(4, 6), slice(6, 8)]
    with pytest.raises(SettingsError, match="32 environments cannot be shared evenly by 5 processes"):
        Trainer(ON_POLICY, distributed=Distributed(0, 5))


@pytest.mark.parametrize(("iteration", "finished"), [(999, False), (1000, True), (1001, True)])
def test_a_run_is_finished_after_its_last_iteration(iteration: int, finished: bool) -> None:
    trainer = Trainer(replace(ON_POLICY, total_steps=1000 * ON_POLICY.steps_per_iteration))
    trainer.iteration = iteration  # beyond the last where a run was made shorter
    assert trainer.finished is finished

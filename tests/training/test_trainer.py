"""Iterations of training: the same seed gives the same result, and a restored state continues bit for bit."""

import copy
import json
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest
import torch
from torch import Tensor

from states import copy_state
from xworld.agent.sizes import CELLS
from xworld.evaluation.content_words import are_held_out, read_meanings
from xworld.teacher.commands import COMMANDS
from xworld.teacher.questions import QUESTIONS
from xworld.teacher.settings import COMMAND_NAMES, QUESTION_NAMES
from xworld.training import learner as learner_module
from xworld.training.checked_file import CheckpointError
from xworld.training.checkpoint import save_state
from xworld.training.configs import (
    DEFAULT,
    PAPER,
    PRESETS,
    PRINTED,
    TINY,
    TrainingConfig,
    as_json,
    find_preset,
    from_json,
)
from xworld.training.distributed import Distributed
from xworld.training.learner import Learner, choose_actions
from xworld.training.losses import ActorCriticLoss, actor_critic_loss
from xworld.training.metrics import Metrics, MetricsCollector
from xworld.training.trainer import State, Trainer
from xworld.world.checks import SettingsError

SHORT = replace(
    DEFAULT, num_envs=32, batches_per_iteration=4, buffer_size=192, warmup_steps=320, total_steps=32 * 4 * 3
)
REPLAYED = replace(
    PAPER, num_envs=8, batches_per_iteration=4, total_steps=8 * 4 * 3, buffer_size=64, target_update_interval=5
)
BOTH = pytest.mark.parametrize("config", [SHORT, REPLAYED], ids=["default", "the paper's"])
FIRST = 8
"""Time steps before the first optimizer step."""


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
    trainer = Trainer(replace(SHORT, embedding_noise=0.5, warmup_steps=0))
    with mock.patch.object(trainer.agent, "respond", wraps=trainer.agent.respond) as respond:
        for _ in range(3):
            trainer.train_iteration()
    noises = [call.args[4] for call in respond.call_args_list]
    assert len(noises) == 3 * SHORT.batches_per_iteration
    for noise in noises:
        assert noise.shape == trainer.agent.state_dict()["words.embeddings"].shape
        assert noise.std().item() == pytest.approx(0.5, rel=0.02)
    assert not any(torch.equal(*pair) for pair in combinations(noises, 2))


def test_cells_are_hidden_for_each_question_of_the_warm_up_and_never_after_it() -> None:
    trainer = Trainer(replace(SHORT, cell_dropout=0.3, warmup_steps=2 * 4 * SHORT.num_envs))
    with mock.patch.object(trainer.agent, "study", wraps=trainer.agent.study) as study:
        for _ in range(3):
            trainer.train_iteration()
    masks = [call.args[3] for call in study.call_args_list]
    assert len(masks) == 2 * SHORT.batches_per_iteration
    for mask in masks:
        assert mask.shape == (SHORT.num_envs, CELLS)
        assert mask.float().mean().item() == pytest.approx(0.3, abs=0.03)
        assert len(mask.unique(dim=0)) == SHORT.num_envs
    assert not any(torch.equal(*pair) for pair in combinations(masks, 2))


def test_every_minibatch_has_its_own_samples_of_transitions_and_of_questions() -> None:
    trainer = Trainer(replace(SHORT, warmup_steps=0))
    with mock.patch.object(trainer.agent, "respond", wraps=trainer.agent.respond) as respond:
        for _ in range(2):
            trainer.train_iteration()
    batches = [call.args for call in respond.call_args_list]
    for tiles, commands, questions, question_tiles, _ in batches:
        assert len(tiles) == len(commands) == len(questions) == len(question_tiles) == SHORT.num_envs
        assert questions.any(dim=1).all()
        assert not torch.equal(tiles, question_tiles)
    for place in (0, 3):
        assert not any(torch.equal(one[place], other[place]) for one, other in combinations(batches, 2))


@pytest.mark.parametrize("curriculum_sessions", [0, 100])
@pytest.mark.parametrize("condition", ["NC", "NWNav", "NWNavRec"])
def test_nothing_is_learned_from_what_is_held_out(condition: str, curriculum_sessions: int) -> None:
    """With all classes, or with few at first: in no command, and in NWNavRec in no question either."""
    trainer = Trainer(replace(SHORT, curriculum_sessions=curriculum_sessions, warmup_steps=0), condition, share=0.5)
    holdout, grammar = trainer.holdout, trainer.simulator.grammar
    with mock.patch.object(trainer.agent, "respond", wraps=trainer.agent.respond) as respond:
        while not trainer.finished:
            trainer.train_iteration()
    commands, questions = (torch.cat([call.args[place] for call in respond.call_args_list]).numpy() for place in (1, 2))
    assert len(commands) == SHORT.total_steps
    assert not are_held_out(read_meanings(commands, grammar), holdout, grammar).any()
    asked = np.isin(questions, grammar.vocabulary.numbers(holdout.objects)).any()
    assert not asked or condition == "NWNav"
    assert asked or condition != "NWNav" or curriculum_sessions


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
@pytest.mark.parametrize("model", ["planner", "framework"])
def test_every_parameter_is_trained(config: TrainingConfig, model: str) -> None:
    trainer = Trainer(replace(config, weight_decay=0.0, warmup_steps=0), model=model)
    before = {name: parameter.detach().clone() for name, parameter in trainer.agent.named_parameters()}
    trainer.train_iteration()
    for name, parameter in trainer.agent.named_parameters():
        # The planner looks at differences between obstacles only, so one bias changes nothing.
        if (model, name) != ("planner", "perception.environment_filter.bias"):
            assert not torch.equal(parameter, before[name]), name


def test_rates_and_steps_follow_the_plan() -> None:
    _, history = train(SHORT)
    assert [metrics.global_step for metrics in history] == [128, 256, 384]
    assert [metrics.difficulty for metrics in history] == [1.0, 1.0, 1.0]
    rate = SHORT.learning_rate
    assert [metrics.learning_rate for metrics in history] == pytest.approx([rate, rate * 2 / 3, rate / 3])
    assert all(rate.hits <= rate.trials for metrics in history for rate in metrics.success.values())
    assert 0.8 * 3 * 4 * 32 < sum(metrics.answer_accuracy.trials for metrics in history) <= 3 * 4 * 32
    _, history = train(REPLAYED)
    assert [metrics.learning_rate for metrics in history] == [REPLAYED.learning_rate] * 3  # Adagrad has no schedule


def test_every_environment_takes_a_step_for_every_batch() -> None:
    trainer, _ = train(REPLAYED)
    learner = trainer.learner
    assert learner.arrays()["counts"].tolist() == [(FIRST + 12) * 8, 12, learner.sessions]
    assert (learner.steps, learner.batches) == ((FIRST + 12) * 8, 12)


def test_the_curriculum_follows_the_number_of_sessions() -> None:
    trainer = Trainer(replace(REPLAYED, curriculum_sessions=5, total_steps=8 * 4 * 6))
    learner, told = trainer.learner, list[tuple[int, float]]()
    set_progress = trainer.simulator.set_progress

    def note(progress: float) -> None:
        told.append((learner.sessions, progress))
        set_progress(progress)

    with mock.patch.object(trainer.simulator, "set_progress", note):
        while not trainer.finished:
            trainer.train_iteration()
    assert len(told) >= 24
    assert told == [(sessions, min(1.0, sessions / 5)) for sessions, _ in told]
    assert len({sessions for sessions, _ in told}) > 3


def test_target_parameters_are_renewed_by_batches() -> None:
    trainer = Trainer(REPLAYED)
    learner, renewed = trainer.learner, list[int]()
    load = learner.target.load_state_dict

    def note(state: dict[str, Any]) -> None:
        renewed.append(learner.batches)
        load(state)
        assert all(torch.equal(weight, state[name]) for name, weight in learner.target.state_dict().items())

    with mock.patch.object(learner.target, "load_state_dict", note):
        while not trainer.finished:
            trainer.train_iteration()
    assert renewed == [0, 5, 10]
    target = learner.modules()["target"].state_dict()["words.embeddings"]
    assert not torch.equal(target, trainer.agent.state_dict()["words.embeddings"])  # batch 11 came after
    assert not any(parameter.requires_grad for parameter in learner.target.parameters())


def test_at_an_interval_of_1_there_is_no_second_network() -> None:
    learner = Trainer(SHORT).learner
    assert learner.target is learner.agent
    assert learner.modules() == {}


def test_exploration_falls_from_one_to_nothing() -> None:
    trainer = Trainer(PRINTED)
    learner, shares = trainer.learner, []
    for learner.steps in (0, 250_000, 500_000, 3_000_000):
        learner.set_progress(0.0)
        shares.append(learner._exploration.item())
    assert shares == [1.0, 0.5, 0.0, 0.0]
    learner = Trainer(SHORT).learner
    assert learner._exploration == 0


@pytest.mark.parametrize("exploration", [0.0, 0.3, 1.0])
def test_actions_are_drawn_as_likely_as_they_are(exploration: float) -> None:
    policy, count = torch.tensor([0.1, 0.0, 0.6, 0.3]), 20_000
    chances = (torch.arange(count) + 0.5) / count  # at even distances
    actions, behavior = choose_actions(policy.log().expand(count, 4), chances, torch.tensor(exploration))
    expected = (1 - exploration) * policy + exploration / 4
    assert torch.bincount(actions, minlength=4) / len(actions) == pytest.approx(expected.numpy(), abs=1e-3)
    torch.testing.assert_close(behavior, expected[actions])


def begin(config: TrainingConfig) -> Learner:
    """A learner that has seen enough to learn from, and has not learned yet; every third transition ended a session."""
    trainer, generator = Trainer(config), torch.Generator().manual_seed(0)
    learner, metrics = trainer.learner, MetricsCollector(config.teacher.commands, trainer.device)
    for _ in range(config.buffer_size // config.num_envs + 3):
        learner._take_step(metrics, generator)
    learner._observe()
    learner.replay.dones[::3] = 1
    return learner


def update(learner: Learner) -> tuple[Tensor, ActorCriticLoss, tuple[Any, ...]]:
    """One optimizer step without noise: its places, the loss for commands, and what that was computed from."""
    losses = list[Any]()

    def note_loss(*arguments: Any) -> ActorCriticLoss:
        losses.append((actor_critic_loss(*arguments), arguments))
        return losses[-1][0]  # type: ignore[no-any-return]

    with mock.patch.object(learner_module, "actor_critic_loss", note_loss):
        places = obey(learner)
    return places, *losses[0]


def obey(learner: Learner) -> Tensor:
    """Look back and learn, without noise; returns the places of the transitions."""
    chances, transitions, questions = torch.rand(3, learner.config.num_envs, generator=torch.Generator().manual_seed(1))
    exploration, noise = torch.zeros(()), torch.zeros(learner.agent.noise_shape)
    _, _, places, next_values = learner._act_and_look_back(*learner._shown(), chances, exploration, transitions)
    learner._learn_to_obey(places, next_values, questions, noise)
    return places


def gradients(learner: Learner) -> dict[str, Tensor]:
    """Of the last optimizer step."""
    named = learner.agent.named_parameters()
    return {name: torch.zeros_like(weight) if weight.grad is None else weight.grad for name, weight in named}


@BOTH
def test_td_errors_are_by_the_target_parameters_and_end_with_the_session(config: TrainingConfig) -> None:
    learner = begin(config)
    target = copy.deepcopy(learner.target)
    if learner.target is not learner.agent:
        with torch.no_grad():
            learner.agent.action.value[-1].bias.add_(5.0)  # type: ignore[union-attr, index]
    agent = copy.deepcopy(learner.agent)
    places, _, (_, _, actions, errors, behavior) = update(learner)
    batch = learner.replay.transitions(places)
    values = agent.act(batch.tiles, batch.commands)[1]
    next_values = target.act(*learner.replay.successors(places))[1]
    assert 0 < batch.dones.sum() < len(batch.dones)
    for sample, over in enumerate(batch.dones.tolist()):
        later = 0.0 if over else config.gamma * next_values[sample].item()
        expected = batch.rewards[sample].item() + later - values[sample].item()
        assert errors[sample].item() == pytest.approx(expected, abs=1e-4)
    assert not errors.requires_grad
    assert torch.equal(actions, batch.actions)
    assert torch.equal(behavior, batch.behavior)
    assert ((behavior > 0) & (behavior < 1)).all()


def test_as_printed_no_ratio_corrects_for_behavior() -> None:
    config = replace(PRINTED, num_envs=8, buffer_size=64)
    *_, (_, _, _, _, behavior) = update(begin(config))
    assert behavior is None


@pytest.mark.parametrize("exponent", [0.0, 0.7])
def test_errors_are_ranked_where_sampling_is_by_rank(exponent: float) -> None:
    learner = begin(replace(REPLAYED, priority_exponent=exponent))
    before = learner.replay.priorities.clone()
    places, _, (_, _, _, errors, _) = update(learner)
    if exponent:
        assert learner.replay.priorities[places].tolist() == pytest.approx(errors.abs().tolist())
    else:
        assert torch.equal(learner.replay.priorities, before)


def test_the_warm_up_ends_after_its_steps() -> None:
    learner, found = Trainer(SHORT).learner, []
    for learner.steps in (0, 319, 320, 10**6):
        found.append(learner.warming_up)
    assert found == [True, True, False, False]
    assert not Trainer(replace(SHORT, warmup_steps=0)).learner.warming_up


def test_in_the_warm_up_only_answers_are_learned() -> None:
    trainer = Trainer(replace(SHORT, warmup_steps=10**6, weight_decay=0.0))
    before = {name: parameter.detach().clone() for name, parameter in trainer.agent.named_parameters()}
    metrics = trainer.train_iteration()
    for name, parameter in trainer.agent.named_parameters():
        if name.startswith("action."):
            assert torch.equal(parameter, before[name]), name
    assert not torch.equal(trainer.agent.get_parameter("words.embeddings"), before["words.embeddings"])
    assert {metrics.losses[name] for name in ("policy", "value", "entropy")} == {0.0}
    assert metrics.losses["recognition"] > 0
    assert 0.8 * 4 * 32 < metrics.answer_accuracy.trials <= 4 * 32


@pytest.mark.parametrize(("learn", "share"), [("_learn_to_answer", 1.0), ("_learn_to_obey", 0.0)])
def test_sharp_attention_is_penalized_in_the_warm_up_only(learn: str, share: float) -> None:
    draws, found = torch.rand(SHORT.num_envs, generator=torch.Generator().manual_seed(1)), list[Tensor]()
    for coefficient in (0.0, 0.5):
        learner = begin(replace(SHORT, sharpness_coef=coefficient))
        agent, noise = copy.deepcopy(learner.agent), torch.zeros(learner.agent.noise_shape)
        hidden = torch.zeros(SHORT.num_envs, CELLS, dtype=torch.bool)
        asked = learner.replay.sample_questions(draws)
        if learn == "_learn_to_answer":
            learner._learn_to_answer(asked.tiles, asked.questions, asked.answers, noise, hidden)
        else:
            obey(learner)
        found.append(gradients(learner)["programmer.gate.weight"])
    _, sharpness = agent.study(asked.tiles, asked.questions, noise, hidden)
    sharpness.backward()  # type: ignore[no-untyped-call]
    penalty = agent.get_parameter("programmer.gate.weight").grad
    assert penalty is not None
    assert penalty.any()
    torch.testing.assert_close(found[1] - found[0], share * 0.5 * penalty, rtol=1e-3, atol=1e-5)


def test_the_printed_settings() -> None:
    assert (PRINTED.num_envs, PRINTED.total_steps // PRINTED.num_envs) == (16, 200_000)
    assert (PRINTED.buffer_size, PRINTED.target_update_interval) == (10_000, 2_000)
    assert (PRINTED.exploration_steps, PRINTED.curriculum_sessions) == (500_000, 10_000)
    assert (PRINTED.gamma, PRINTED.entropy_coef, PRINTED.importance_ratio) == (0.99, 0.0, False)
    assert (PRINTED.warmup_steps, PRINTED.sharpness_coef, PRINTED.embedding_noise) == (0, 0.0, 0.0)
    trainer = Trainer(PRINTED, model="framework")
    group = trainer.learner.optimizer.param_groups[0]
    assert isinstance(trainer.learner.optimizer, torch.optim.Adagrad)
    assert (group["lr"], group["weight_decay"]) == (1e-5, 1e-4)
    weights = trainer.agent.state_dict()
    weight, bias = weights["action.state.5.weight"], weights["action.state.5.bias"]  # 676 to 512
    assert weight.std().item() == pytest.approx((weight.numel() + bias.numel()) ** -0.5, rel=0.02)
    assert weights["words.embeddings"].std().item() == pytest.approx(1, rel=0.02)
    assert weights["programmer.temperature"].item() == 1


def test_what_the_papers_method_keeps_of_the_printed_settings() -> None:
    changed = {name for name, value in as_json(PAPER).items() if value != as_json(PRINTED)[name]}
    assert changed == {
        "name", "learning_rate", "weight_decay", "importance_ratio", "entropy_coef", "temperature", "init"
    }  # fmt: skip
    trainer = Trainer(PAPER)
    assert isinstance(trainer.learner.optimizer, torch.optim.Adagrad)
    assert trainer.agent.state_dict()["programmer.temperature"].item() == PAPER.temperature


def test_balanced_weights_are_scaled_for_perception_and_for_the_papers_action_module() -> None:
    agents = [Trainer(replace(SHORT, init=init), model="framework").agent for init in ("balanced", "printed")]
    balanced, printed = (agent.state_dict() for agent in agents)
    assert balanced["perception.spatial_map"].std().item() == pytest.approx(0.1, rel=0.02)
    assert balanced["action.state.5.weight"].std().item() == pytest.approx((2 / 676) ** 0.5, rel=0.02)
    assert printed["action.state.5.weight"].std().item() < 0.5 * (2 / 676) ** 0.5


def test_it_learns_to_answer_what_it_is_asked_over_and_over() -> None:
    trainer = Trainer(replace(SHORT, num_envs=64, total_steps=10**6))
    simulator, optimizer = trainer.simulator, trainer.learner.optimizer
    for _ in range(FIRST):
        simulator.step(np.zeros(64, np.int64))
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
    trainer = Trainer(SHORT)
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
    trainer = Trainer(SHORT)
    tensors, arrays, record = trainer.state()
    with pytest.raises(CheckpointError, match="trained by 4 process"):
        trainer.restore((tensors, arrays, {**record, "processes": 4}))
    with pytest.raises(CheckpointError, match="belongs to another run: its seed is 1, not 0"):
        trainer.restore(copy_state(Trainer(SHORT, seed=1).state()))
    with pytest.raises(CheckpointError, match="belongs to another run: its model is 'san', not 'planner'"):
        trainer.restore((tensors, arrays, {**record, "model": "san"}))
    with pytest.raises(CheckpointError, match="it was trained with another name, num_envs"):
        trainer.restore((tensors, arrays, {**record, "config": as_json(REPLAYED)}))
    with pytest.raises(CheckpointError, match=r"it was trained with another gamma$"):
        trainer.restore((tensors, arrays, {**record, "config": as_json(replace(SHORT, gamma=0.5))}))
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
    for odd in ({}, [], {"name": []}, {**as_json(TINY), "teacher": 3}, {**as_json(TINY), "teacher": {"x": 1}}):
        with pytest.raises(SettingsError, match="another version of xworld"):
            from_json(odd)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"total_steps": 0}, "total_steps=0: expected a whole number from 1"),
        ({"num_envs": 0}, "num_envs=0"),
        ({"num_envs": 2.5}, r"num_envs=2\.5: expected a whole number"),
        ({"num_envs": 2**27}, "num_envs=134217728: expected a whole number from 1 to 67108864"),
        ({"buffer_size": 10**12}, "buffer_size=1000000000000: expected"),
        ({"buffer_size": 1000}, "buffer_size=1000: expected a multiple of num_envs"),
        ({"batches_per_iteration": 0}, "batches_per_iteration=0"),
        ({"target_update_interval": 0}, "target_update_interval=0: expected a whole number from 1"),
        ({"warmup_steps": -1}, "warmup_steps=-1: expected a whole number from 0"),
        ({"optimizer": "sgd"}, "optimizer='sgd': expected 'adam' or 'adagrad'"),
        ({"init": "zeros"}, "init='zeros': expected 'balanced' or 'printed'"),
        ({"importance_ratio": "no"}, "importance_ratio='no': expected True or False"),
        ({"teacher": {}}, r"teacher={}: expected TeacherSettings\(...\)"),
        ({"learning_rate": float("nan")}, "learning_rate=nan"),
        ({"learning_rate": -1.0}, "learning_rate=-1"),
        ({"temperature": 0.0}, "temperature=0"),
        ({"sharpness_coef": -0.1}, "sharpness_coef=-0.1: expected a number, 0 or more"),
        ({"gamma": 1.5}, "gamma=1.5: expected a number from 0 to 1"),
    ],
)
def test_configs_that_make_no_sense_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        replace(DEFAULT, **settings)


def test_without_any_question_only_commands_are_learned() -> None:
    mute = replace(SHORT, teacher=replace(SHORT.teacher, question_rate=0.0))
    _, history = train(mute)
    assert [metrics.answer_accuracy.trials for metrics in history] == [0, 0, 0]
    assert all(metrics.losses["recognition"] == 0 for metrics in history)
    assert all(np.isfinite(loss) for metrics in history for loss in metrics.losses.values())


def test_a_buffer_holds_at_least_two_steps_of_each_environment() -> None:
    assert replace(PAPER, buffer_size=2 * PAPER.num_envs).buffer_size == 32
    with pytest.raises(SettingsError, match="buffer_size=16: expected a multiple of num_envs, at least twice as much"):
        replace(PAPER, buffer_size=PAPER.num_envs)


def test_processes_share_evenly_or_not_at_all() -> None:
    assert [Distributed(rank, 4).part(8) for rank in range(4)] == [slice(0, 2), slice(2, 4), slice(4, 6), slice(6, 8)]
    with pytest.raises(SettingsError, match="32 environments cannot be shared evenly by 5 processes"):
        Trainer(SHORT, distributed=Distributed(0, 5))


@pytest.mark.parametrize(("iteration", "finished"), [(999, False), (1000, True), (1001, True)])
def test_a_run_is_finished_after_its_last_iteration(iteration: int, finished: bool) -> None:
    trainer = Trainer(replace(SHORT, total_steps=1000 * SHORT.steps_per_iteration))
    trainer.iteration = iteration  # beyond the last where a run was made shorter
    assert trainer.finished is finished

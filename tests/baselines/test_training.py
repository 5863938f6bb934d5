"""Every model is trained, saved and resumed like the planner."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch.nn import functional

from states import copy_state
from xworld.baselines.registry import FRAMEWORKS, MODEL_NAMES
from xworld.cli.main import main
from xworld.teacher.holdout import Holdout
from xworld.training.checked_file import CheckpointError
from xworld.training.checkpoint import save_weights
from xworld.training.configs import PRINTED, TINY, TrainingConfig
from xworld.training.pretrained import load_model
from xworld.training.trainer import Trainer
from xworld.world.catalogue import Catalogue

SHORT = replace(TINY, num_envs=4, batches_per_iteration=2, buffer_size=64, warmup_steps=8, total_steps=24)
PRINTED_SHORT = replace(
    PRINTED, num_envs=4, batches_per_iteration=1, total_steps=8, buffer_size=32, target_update_interval=2
)
BASELINES = tuple(name for name in MODEL_NAMES if name != "planner")


@pytest.mark.usefixtures("narrow_image_models")
@pytest.mark.parametrize("name", BASELINES)
def test_a_run_is_resumed_and_its_agent_is_loaded(name: str, tmp_path: Path) -> None:
    trainer = Trainer(SHORT, "NWNav", seed=3, model=name, share=0.2)
    before = {key: weight.detach().clone() for key, weight in trainer.agent.named_parameters()}
    for _ in range(2):  # questions alone, then commands too
        trainer.train_iteration()
    for key, weight in trainer.agent.named_parameters():
        assert not torch.equal(weight, before[key]), f"{key} is not trained"
    state = copy_state(trainer.state())
    trainer.train_iteration()
    other = Trainer(SHORT, "NWNav", seed=3, model=name, share=0.2)
    other.restore(state)
    other.train_iteration()
    assert other.finished
    weights = other.agent.state_dict()
    assert all(torch.equal(weight, weights[key]) for key, weight in trainer.agent.state_dict().items())

    path, provenance = tmp_path / "agent.safetensors", {"model": name}
    save_weights(path, other.agent, provenance, other.catalogue.classes, other.words, torch.float32)
    agent, _ = load_model(path, other.catalogue)
    assert type(agent) is type(other.agent)
    tiles, commands = torch.from_numpy(other.simulator.tiles), torch.from_numpy(other.simulator.commands)
    torch.testing.assert_close(agent.act(tiles, commands), other.agent.act(tiles, commands))


@pytest.mark.parametrize("name", ["framework", "simple_attention", "san"])
def test_the_papers_method_trains_them_too(name: str) -> None:
    trainer = Trainer(PRINTED_SHORT, model=name)
    before = {key: weight.detach().clone() for key, weight in trainer.agent.named_parameters()}
    trainer.train_iteration()
    assert all(not torch.equal(weight, before[key]) for key, weight in trainer.agent.named_parameters())


@pytest.mark.skipif(not torch.cuda.is_available(), reason="CUDA graphs need a GPU")
@pytest.mark.parametrize("name", MODEL_NAMES)
def test_every_model_trains_as_a_cuda_graph(name: str) -> None:
    config = replace(
        SHORT, num_envs=64, buffer_size=6_400, total_steps=64 * 2 * 8
    )  # more iterations than warm up the graph
    trainer = Trainer(config, device="cuda", model=name)
    while not trainer.finished:
        progress = trainer.train_iteration()
    assert all(np.isfinite(loss) for loss in progress.losses.values())


def test_what_belongs_to_another_model_is_refused(tmp_path: Path) -> None:
    trainer = Trainer(SHORT, model="no_trans_share")
    with pytest.raises(CheckpointError, match="its model is 'no_trans_share', not 'planner'"):
        Trainer(SHORT).restore(trainer.state())
    path = tmp_path / "agent.safetensors"
    save_weights(path, trainer.agent, {"model": "no_trans_share"}, trainer.catalogue.classes, trainer.words)
    with pytest.raises(CheckpointError, match="the model 'no_trans_share'; needed is planner or framework"):
        load_model(path, models=FRAMEWORKS)
    save_weights(path, trainer.agent, {"model": "transformer"}, trainer.catalogue.classes, trainer.words)
    with pytest.raises(CheckpointError, match="xworld: no model 'transformer'; there are planner"):
        load_model(path)
    save_weights(path, trainer.agent, {"model": "framework"}, trainer.catalogue.classes, trainer.words)
    with pytest.raises(CheckpointError, match=r"does not fit this agent: it has unexpected answers\.weight"):
        load_model(path)


QUICK = "tiny --num-envs 8 --buffer-size 64 --batches-per-iteration 2 --total-steps 32".split()
QUICK += "--validation-sessions 4 --sessions 0".split()


def test_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], catalogue: Catalogue
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = ["--model", "no_trans_share", "--condition", "NWNavRec", "--share", "0.2", "--seed", "4"]
    assert main(["train", *QUICK, *arguments]) == 0
    folder = tmp_path / "runs" / "no_trans_share-tiny-NWNavRec-0.2-4"
    settings = json.loads((folder / "settings.json").read_text())
    _, provenance = load_model(folder / "agent.safetensors", models=["no_trans_share"])
    held_out = Holdout.draw("NWNavRec", catalogue, seed=4, share=0.2)
    assert len(held_out.objects) == 8
    for record in (settings, provenance):
        assert (record["model"], record["share"]) == ("no_trans_share", 0.2)
    assert Holdout.from_json(provenance["holdout"]) == held_out
    assert main(["train", "--resume", str(folder)]) == 0
    assert main(["evaluate", str(folder / "agent.safetensors"), "--sessions", "4"]) == 0
    capsys.readouterr()

    (folder / "settings.json").write_text(json.dumps({**settings, "model": "framework"}))
    assert main(["train", "--resume", str(folder)]) == 2
    assert "its model is 'no_trans_share', not 'framework'" in capsys.readouterr().err
    (folder / "settings.json").write_text(json.dumps({**settings, "share": 0.1}))
    assert main(["train", "--resume", str(folder)]) == 2
    assert "holds out other commands" in capsys.readouterr().err
    assert main(["train", *QUICK, "--share", "1"]) == 2
    assert "--share 1.0: expected a number from 0 to below 1" in capsys.readouterr().err


def overfit(name: str, config: TrainingConfig, steps: int) -> tuple[float, float]:
    """The loss on a handful of scenes, first and last: what to answer, and random moves to learn by heart."""
    trainer = Trainer(config, seed=1, model=name)
    simulator, agent = trainer.simulator, trainer.agent
    while not simulator.questions.any(axis=1).all():
        simulator.step(np.random.default_rng(0).integers(4, size=len(simulator)))
    seen = tuple(torch.from_numpy(array.copy()) for array in (simulator.tiles, simulator.commands, simulator.questions))
    answers, moves = torch.from_numpy(simulator.sessions["answer"].astype(np.int64)), torch.arange(len(simulator)) % 4
    losses = []
    for _ in range(steps):
        logits, _, scores, *_ = agent.respond(*seen)
        loss = functional.cross_entropy(logits, moves) + functional.cross_entropy(scores, answers)
        trainer.learner.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(agent.parameters(), 1.0)
        trainer.learner.optimizer.step()
        losses.append(loss.item())
    return losses[0], losses[-1]


@pytest.mark.usefixtures("narrow_image_models")
@pytest.mark.parametrize("name", BASELINES)
def test_it_can_learn_a_handful_of_scenes_by_heart(name: str) -> None:
    first, last = overfit(name, SHORT, steps=25)
    assert last < 0.6 * first

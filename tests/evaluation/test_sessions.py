"""What is kept of sessions: where they led, and that neither questions nor the memory make a difference to the way."""

import numpy as np
import pytest
import torch
from torch import Tensor

from scripted import Tourist, let_the_oracle_respond
from xworld.agent.agent import Agent
from xworld.agent.model import Model, best_actions
from xworld.agent.programmer import Program
from xworld.agent.word_embedding import Lexicon
from xworld.baselines.registry import MODEL_NAMES, make_model
from xworld.evaluation import responders
from xworld.evaluation.sessions import NOWHERE, SessionResults, begin_sessions, run_sessions, without_questions
from xworld.teacher.settings import COMMAND_NAMES, TeacherSettings
from xworld.training.configs import DEFAULT
from xworld.world.catalogue import Catalogue

SEEDS = range(300)


@pytest.mark.parametrize("command", COMMAND_NAMES)
def test_a_seed_gives_the_same_session_with_and_without_questions(command: str) -> None:
    asked = begin_sessions(SEEDS, None, TeacherSettings(commands=(command,)))
    silent = begin_sessions(SEEDS, None, without_questions(TeacherSettings(), command))
    np.testing.assert_array_equal(asked.tiles, silent.tiles)
    np.testing.assert_array_equal(asked.commands, silent.commands)
    assert not silent.questions.any()
    results = run_sessions(Tourist(), asked), run_sessions(Tourist(), silent)
    np.testing.assert_array_equal(results[0].path, results[1].path)
    assert results[0].asked.sum() > results[1].asked.sum() == 0


def test_a_path_leads_to_the_target_and_ends_there(monkeypatch: pytest.MonkeyPatch) -> None:
    let_the_oracle_respond(monkeypatch)
    simulator = begin_sessions(SEEDS, None, TeacherSettings())
    targets = simulator.worlds["target_row"] * 7 + simulator.worlds["target_column"]
    result = run_sessions(Tourist(), simulator)
    np.testing.assert_array_equal(result.steps, result.shortest)
    for path, steps, target in zip(result.path, result.steps, targets, strict=True):
        assert path[steps - 1] == target
        assert target not in path[: steps - 1]
        assert (path[steps:] == NOWHERE).all()


class Watched(Tourist):
    """Remembers how many scenes it was shown at once."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[int] = []

    def act(self, tiles: Tensor, commands: Tensor) -> tuple[Tensor, Tensor]:
        self.shown.append(len(tiles))
        return super().act(tiles, commands)


@pytest.mark.parametrize("rate", [0.0, 1.0])
def test_a_model_is_shown_no_more_scenes_at_once_than_in_training(rate: float) -> None:
    count = 1_100
    model = Watched()
    run_sessions(model, begin_sessions(range(count), None, TeacherSettings(question_rate=rate)))
    assert max(model.shown) <= 2 * DEFAULT.num_envs  # a batch of transitions and one of questions
    assert sum(model.shown[: -(-count // responders.BATCH_SIZE)]) == count  # the first step, in every session


@pytest.mark.usefixtures("narrow_image_models")
@pytest.mark.parametrize("name", MODEL_NAMES)
def test_scenes_a_few_at_a_time_come_to_the_same(
    name: str, catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    torch.manual_seed(0)
    model = make_model(name, 105, torch.from_numpy(catalogue.atlas()), temperature=5.0)
    together = _run_in_batches(6, model, catalogue, monkeypatch)
    apart = _run_in_batches(4, model, catalogue, monkeypatch)
    np.testing.assert_array_equal(apart.path, together.path)
    np.testing.assert_array_equal(apart.success, together.success)
    np.testing.assert_array_equal(apart.correct, together.correct)
    np.testing.assert_array_equal(apart.asked, together.asked)
    assert together.asked.sum() > 6


class CountedAgent(Agent):
    """Counts the sentences that it compiles."""

    sentences = 0

    def compile(self, sentences: Tensor, lexicon: Lexicon | None = None) -> Program:  # type: ignore[override]
        self.sentences += len(sentences)
        return super().compile(sentences, lexicon)


def test_a_command_is_compiled_once_in_a_session(catalogue: Catalogue) -> None:
    torch.manual_seed(0)
    agent = CountedAgent(105, torch.from_numpy(catalogue.atlas()), temperature=5.0)
    responder = responders.as_responder(agent)
    for seeds in range(9), range(9, 18):  # the second time, other commands
        simulator = begin_sessions(seeds, catalogue, TeacherSettings(question_rate=0.0))
        actions, _ = responder.respond(simulator, np.arange(9))
        logits, _ = agent.act(*(torch.from_numpy(array) for array in (simulator.tiles, simulator.commands)))
        np.testing.assert_array_equal(actions, best_actions(logits))
        agent.sentences = 0
        simulator.step(actions, autoreset=False)
        responder.respond(simulator, np.arange(9))
        assert agent.sentences == 0


def _run_in_batches(
    batch_size: int, model: Model, catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> SessionResults:
    monkeypatch.setattr(responders, "BATCH_SIZE", batch_size)
    return run_sessions(model, begin_sessions(range(6), catalogue, TeacherSettings(map_size=(3, 3))))

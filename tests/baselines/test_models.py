"""Every model: the paper's sizes, and what may change its outputs and what may not."""

import pytest
import torch
from torch import Tensor

from xworld.agent.agent import Agent
from xworld.agent.attentive import AttentiveModel
from xworld.agent.init import init_as_printed, init_balanced
from xworld.agent.model import Model
from xworld.baselines.models import MODELS, ModelError, make_model
from xworld.baselines.names import MODEL_NAMES
from xworld.baselines.neighborhood import distinct_neighborhoods, neighbors
from xworld.baselines.san import SAN
from xworld.world.catalogue import Catalogue

COMMANDS = torch.tensor([[13, 44, 41, 66, 2], [13, 44, 41, 66, 2], [13, 44, 70, 0, 0], [9, 0, 0, 0, 0]])
QUESTIONS = torch.tensor([[20, 21, 22, 0, 0], [0, 0, 0, 0, 0], [20, 21, 23, 5, 6], [20, 21, 22, 0, 0]])


@pytest.fixture(scope="module", params=MODEL_NAMES)
def model(request: pytest.FixtureRequest, catalogue: Catalogue) -> Model:
    torch.manual_seed(0)
    made = make_model(request.param, 105, torch.from_numpy(catalogue.atlas()), temperature=5.0)
    if isinstance(made, AttentiveModel):
        init_balanced(made, spatial_deviation=0.1, visual_gain=0.4)
    return made


@pytest.fixture(scope="module")
def tiles(catalogue: Catalogue) -> Tensor:
    count = len(catalogue.atlas())
    return torch.randint(count, (4, 13, 13), generator=torch.Generator().manual_seed(0)).to(torch.int16)


def test_there_is_a_model_for_every_name() -> None:
    assert tuple(MODELS) == MODEL_NAMES
    assert len(set(MODELS.values())) == 6
    with pytest.raises(ModelError, match="no model 'SAN'; there are framework, simple_attention, no_trans_share"):
        make_model("SAN", 105, torch.zeros(3, 12, 12, 3))


def test_shapes(model: Model, tiles: Tensor) -> None:
    policy, value, scores, *_ = model.respond(
        tiles, COMMANDS, QUESTIONS, embedding_noise=torch.zeros(model.noise_shape)
    )
    assert (policy.shape, value.shape, scores.shape) == ((4, 4), (4,), (4, 105))
    assert (scores[:, 0] == -torch.inf).all()
    assert all(output.isfinite().all() for output in (policy, value, scores[:, 1:]))


def test_one_pass_comes_to_what_acting_and_answering_do(model: Model, tiles: Tensor) -> None:
    policy, value, scores, *_ = model.respond(tiles, COMMANDS, QUESTIONS)
    torch.testing.assert_close((policy, value), model.act(tiles, COMMANDS), rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(scores, model.answer(tiles, QUESTIONS), rtol=1e-4, atol=1e-4)


def test_questions_may_be_about_other_scenes(model: Model, tiles: Tensor) -> None:
    policy, value, scores, *_ = model.respond(tiles[:2], COMMANDS[:2], QUESTIONS[2:], tiles[2:])
    torch.testing.assert_close((policy, value), model.act(tiles[:2], COMMANDS[:2]), rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(scores, model.answer(tiles[2:], QUESTIONS[2:]), rtol=1e-4, atol=1e-4)


def test_each_scene_by_itself_comes_to_the_same(model: Model, tiles: Tensor) -> None:
    together = model.respond(tiles, COMMANDS, QUESTIONS)
    alone = [model.respond(tiles[[i]], COMMANDS[[i]], QUESTIONS[[i]]) for i in range(len(tiles))]
    for whole, parts in zip(together[:3], zip(*(each[:3] for each in alone), strict=True), strict=True):
        torch.testing.assert_close(whole, torch.cat(parts), rtol=1e-4, atol=1e-4)


def test_what_is_done_depends_on_what_is_said_and_on_what_is_seen(model: Model, tiles: Tensor) -> None:
    before = model.respond(tiles, COMMANDS, QUESTIONS)
    said = model.respond(tiles, COMMANDS.roll(2, 0), QUESTIONS.roll(2, 0))
    seen = model.respond(tiles.roll(2, 0), COMMANDS, QUESTIONS)
    for other in (said, seen):
        for one, two in zip(before[:3], other[:3], strict=True):
            assert (one[0] - two[0]).nan_to_num().abs().max() > 1e-6


def test_where_nothing_is_said_all_is_finite(model: Model, tiles: Tensor) -> None:
    nothing = torch.zeros_like(COMMANDS)
    model.zero_grad()
    policy, value, scores, *_ = model.respond(tiles, nothing, nothing)
    (policy.sum() + value.sum() + scores[:, 1:].sum()).backward()  # type: ignore[no-untyped-call]
    assert all(weight.grad is not None and weight.grad.isfinite().all() for weight in model.parameters())
    model.zero_grad()


def test_an_explanation_ends_in_what_the_model_does(model: Model, tiles: Tensor) -> None:
    if not isinstance(model, AttentiveModel):
        assert not hasattr(model, "explain")  # it has no map to show
        return
    outcome, (policy, value) = model.explain(tiles, COMMANDS), model.act(tiles, COMMANDS)
    torch.testing.assert_close(outcome.policy, policy.softmax(dim=1), rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(outcome.value, value, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(outcome.answer, model.answer(tiles, COMMANDS).softmax(dim=1), rtol=1e-4, atol=1e-5)
    assert outcome.attention.shape == (4, 169)
    assert (outcome.attention >= -1e-6).all()
    assert (outcome.attention.sum(dim=1) <= 1 + 1e-5).all()  # the framework may point beyond the view
    if isinstance(model, SAN):
        assert torch.equal(model.explain(tiles, COMMANDS).looks[:, 1], outcome.attention)


FRAMEWORK = {
    "perception.convolutions.0.weight": (64, 3, 3, 3),
    "perception.convolutions.1.weight": (64, 64, 2, 2),
    "perception.convolutions.2.weight": (512, 64, 2, 2),
    "recognition.intention_rnn.weight_hh_l0": (3 * 128, 128),
    "action.state.0.weight": (64, 2, 3, 3),
    "action.state.2.weight": (4, 64, 3, 3),
    "action.state.5.weight": (512, 4 * 169),
}
WHOLE_PICTURE = {
    "picture.convolutions.0.weight": (64, 3, 3, 3),
    "picture.convolutions.2.weight": (64, 64, 3, 3),
    "picture.convolutions.4.weight": (128, 64, 3, 3),
    "picture.convolutions.6.weight": (128, 128, 3, 3),
    "picture.layers.0.weight": (1024, 128 * 16 * 16),
    "picture.layers.2.weight": (1024, 1024),
    "picture.layers.4.weight": (1024, 1024),
    "words.weight": (105, 1024),
    "sentence_rnn.weight_hh_l0": (3 * 1024, 1024),
    "navigation.0.weight": (512, 1024),
    "navigation.4.weight": (512, 512),
    "recognition.0.weight": (512, 1024),
    "recognition.4.weight": (512, 512),
    "policy.weight": (4, 512),
    "answers.weight": (105, 512),
}
SIZES: dict[str, dict[str, tuple[int, ...]]] = {
    "simple_attention": {
        **FRAMEWORK,
        "words.embeddings": (105, 1024),
        "sentence_rnn.weight_hh_l0": (3 * 1024, 1024),
        "filter.weight": (4608, 1024),
    },
    "no_trans_share": {**FRAMEWORK, "words.embeddings": (105, 1024), "answers.weight": (105, 1024)},
    "vis_lstm": WHOLE_PICTURE,
    "multimodal": {**WHOLE_PICTURE, "common.weight": (1024, 2048)},
    "san": {
        **FRAMEWORK,
        "perception.convolutions.3.weight": (1024, 512, 3, 3),
        "words.embeddings": (105, 512),
        "sentence_rnn.weight_hh_l0": (3 * 512, 512),
        "looks.0.scene.weight": (512, 512),
        "looks.1.scene.weight": (512, 512),
    },
}
PARAMETERS = {
    "framework": 3_293_324,
    "simple_attention": 13_344_010,
    "no_trans_share": 3_293_324 + 105 * 1024,
    "vis_lstm": 44_476_590,
    "multimodal": 46_574_766,
    "san": 9_550_090,
}
"""How many each has with 105 words: none that does nothing."""


@pytest.mark.parametrize("name", SIZES)
def test_the_papers_sizes(name: str) -> None:
    with torch.device("meta"):
        shapes = {key: tuple(weight.shape) for key, weight in make_model(name, 105, torch.zeros(1)).named_parameters()}
    assert {key: shapes[key] for key in SIZES[name]} == SIZES[name]


@pytest.mark.parametrize("name", MODEL_NAMES)
def test_how_many_parameters(name: str) -> None:
    with torch.device("meta"):
        model = make_model(name, 105, torch.zeros(1))
    assert sum(weight.numel() for weight in model.parameters()) == PARAMETERS[name]


def test_the_printed_start_is_for_all_models(model: Model) -> None:
    torch.manual_seed(0)
    init_as_printed(model)
    words = model.state_dict()["words.embeddings" if isinstance(model, AttentiveModel) else "words.weight"]
    assert words.std().item() == pytest.approx(1, rel=0.02)
    if not isinstance(model, Agent):
        rnn = model.get_submodule("sentence_rnn")
        size = sum(weight.numel() for weight in rnn.parameters())
        assert model.state_dict()["sentence_rnn.weight_hh_l0"].std().item() == pytest.approx(size**-0.5, rel=0.02)


def test_neighborhoods_are_found_once(tiles: Tensor) -> None:
    around = neighbors(tiles.flatten(1).long() % 3, outside=3)
    once, which = distinct_neighborhoods(around)
    assert torch.equal(once[which].transpose(1, 2), around)
    assert len(torch.unique(once, dim=0)) == len(once)

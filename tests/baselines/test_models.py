"""Every model: the paper's sizes, and what its outputs depend on."""

from dataclasses import replace

import pytest
import torch
from torch import Tensor

from xworld.agent.agent import Agent, AttentionModel
from xworld.agent.init import init_as_printed, init_balanced
from xworld.agent.model import Model
from xworld.agent.sizes import CELLS, PLAN_HIDDEN, PLAN_MAPS
from xworld.baselines.neighborhood import distinct_neighborhoods, neighbors
from xworld.baselines.registry import MODEL_NAMES, make_model
from xworld.baselines.san import SAN
from xworld.baselines.simple_attention import SimpleAttention
from xworld.world.catalogue import Catalogue

COMMANDS = torch.tensor([[13, 44, 41, 66, 2], [13, 44, 41, 66, 2], [13, 44, 70, 0, 0], [9, 0, 0, 0, 0]])
QUESTIONS = torch.tensor([[20, 21, 22, 0, 0], [0, 0, 0, 0, 0], [20, 21, 23, 5, 6], [20, 21, 22, 0, 0]])


@pytest.fixture(scope="module", params=MODEL_NAMES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def model(name: str, catalogue: Catalogue) -> Model:
    torch.manual_seed(0)
    made = make_model(name, 105, torch.from_numpy(catalogue.atlas()), temperature=5.0)
    if isinstance(made, AttentionModel):
        init_balanced(made)
    return made


@pytest.fixture(scope="module")
def tiles(catalogue: Catalogue) -> Tensor:
    count = len(catalogue.atlas())
    return torch.randint(count, (4, 13, 13), generator=torch.Generator().manual_seed(0)).to(torch.int16)


def test_shapes(model: Model, tiles: Tensor) -> None:
    policy, value, scores, *_ = model.respond(
        tiles, COMMANDS, QUESTIONS, embedding_noise=torch.zeros(model.noise_shape)
    )
    assert (policy.shape, value.shape, scores.shape) == ((4, 4), (4,), (4, 105))
    assert (scores[:, 0] == -torch.inf).all()
    assert all(output.isfinite().all() for output in (policy, value, scores[:, 1:]))


def test_one_pass_gives_what_acting_and_answering_give(model: Model, tiles: Tensor) -> None:
    policy, value, scores, *_ = model.respond(tiles, COMMANDS, QUESTIONS)
    torch.testing.assert_close((policy, value), model.act(tiles, COMMANDS), rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(scores, model.answer(tiles, QUESTIONS), rtol=1e-4, atol=1e-4)


def test_questions_may_be_about_other_scenes(model: Model, tiles: Tensor) -> None:
    policy, value, scores, *_ = model.respond(tiles[:2], COMMANDS[:2], QUESTIONS[2:], tiles[2:])
    torch.testing.assert_close((policy, value), model.act(tiles[:2], COMMANDS[:2]), rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(scores, model.answer(tiles[2:], QUESTIONS[2:]), rtol=1e-4, atol=1e-4)


def test_each_scene_by_itself_gives_the_same(model: Model, tiles: Tensor) -> None:
    together = model.respond(tiles, COMMANDS, QUESTIONS)
    alone = [model.respond(tiles[[i]], COMMANDS[[i]], QUESTIONS[[i]]) for i in range(len(tiles))]
    for whole, parts in zip(together[:3], zip(*(each[:3] for each in alone), strict=True), strict=True):
        torch.testing.assert_close(whole, torch.cat(parts), rtol=1e-4, atol=1e-4)


def test_outputs_depend_on_sentences_and_on_scenes(model: Model, tiles: Tensor) -> None:
    before = model.respond(tiles, COMMANDS, QUESTIONS)
    said = model.respond(tiles, COMMANDS.roll(2, 0), QUESTIONS.roll(2, 0))
    seen = model.respond(tiles.roll(2, 0), COMMANDS, QUESTIONS)
    for other in (said, seen):
        for one, two in zip(before[:3], other[:3], strict=True):
            assert (one[0] - two[0]).nan_to_num().abs().max() > 1e-6


@pytest.mark.skipif(not torch.cuda.is_available(), reason="half precision is for GPUs")
@pytest.mark.parametrize("baseline", ["vis_lstm", "multimodal", "san"])
def test_half_precision_changes_outputs_by_little(baseline: str, catalogue: Catalogue, tiles: Tensor) -> None:
    torch.manual_seed(0)
    model = make_model(baseline, 105, torch.from_numpy(catalogue.atlas()), temperature=5.0).cuda()
    arguments = tiles.cuda(), COMMANDS.cuda(), QUESTIONS.cuda()
    single = model.respond(*arguments)[:3]
    double = model.double().respond(*arguments)[:3]
    for one, two in zip(single, double, strict=True):
        one, two = one.double().nan_to_num(neginf=0.0), two.nan_to_num(neginf=0.0)
        assert (one - two).abs().max() < 0.02 * two.abs().max()


def test_empty_sentences_give_finite_gradients(model: Model, tiles: Tensor) -> None:
    nothing = torch.zeros_like(COMMANDS)
    model.zero_grad()
    policy, value, scores, *_ = model.respond(tiles, nothing, nothing)
    (policy.sum() + value.sum() + scores[:, 1:].sum()).backward()  # type: ignore[no-untyped-call]
    assert all(weight.grad is not None and weight.grad.isfinite().all() for weight in model.parameters())
    model.zero_grad()


def test_attention_is_a_distribution_that_drives_the_actions(model: Model, tiles: Tensor) -> None:
    if not isinstance(model, AttentionModel):
        return
    scene, lexicon = model.perceive(tiles), model.words.lexicon()
    attention, logits = model.attend(scene, COMMANDS, lexicon)
    torch.testing.assert_close(model.navigate(scene, attention), model.act(tiles, COMMANDS), rtol=1e-4, atol=1e-5)
    assert attention.shape == (4, 169)
    assert (attention >= -1e-6).all()
    assert (attention.sum(dim=1) <= 1 + 1e-5).all()  # the framework may point beyond the view
    if isinstance(model, SAN):
        first, last = model.attention_logits(scene, COMMANDS, lexicon)
        assert torch.equal(last.softmax(dim=1), attention)
        assert not torch.allclose(first, last)
        torch.testing.assert_close(logits, (torch.stack([first, last]),))


def test_it_studies_what_it_answers_and_its_attention_has_a_sharpness(model: Model, tiles: Tensor) -> None:
    nothing = torch.zeros(len(tiles), CELLS, dtype=torch.bool)
    scores, sharpness = model.study(tiles, QUESTIONS, torch.zeros(model.noise_shape), nothing)
    torch.testing.assert_close(scores, model.answer(tiles, QUESTIONS), rtol=1e-4, atol=1e-4)
    assert sharpness.shape == ()
    assert (sharpness > 0) == isinstance(model, AttentionModel)
    if isinstance(model, SimpleAttention):  # the mean square of logits is at least their variance
        attention, (logits,) = model.attend(model.perceive(tiles), QUESTIONS, model.words.lexicon())
        assert sharpness.item() == pytest.approx(logits.square().mean().item())
        assert sharpness.item() >= attention.log().var(dim=1, correction=0).mean().item() > 0


def test_what_it_studies_is_not_in_hidden_cells(model: Model, tiles: Tensor) -> None:
    """With all cells hidden but one, whatever is in the others no longer matters to a model with attention."""
    shown, noise = 30, torch.zeros(model.noise_shape)
    hidden = torch.ones(len(tiles), CELLS, dtype=torch.bool)
    hidden[:, shown] = False
    if not isinstance(model, AttentionModel):
        torch.testing.assert_close(
            model.study(tiles, QUESTIONS, noise, hidden)[0], model.answer(tiles, QUESTIONS), rtol=1e-4, atol=1e-4
        )
    elif not isinstance(model, Agent):  # whose program moves on from the cell
        scene = replace(model.perceive(tiles), hidden=hidden)
        attention, _ = model.attend(scene, QUESTIONS, model.words.lexicon())
        assert attention[:, shown].tolist() == [1.0] * len(tiles)


FRAMEWORK = {
    "perception.convolutions.0.weight": (64, 3, 3, 3),
    "perception.convolutions.1.weight": (64, 64, 2, 2),
    "perception.convolutions.2.weight": (512, 64, 2, 2),
    "recognition.intention_rnn.weight_hh_l0": (3 * 128, 128),
    "action.state.0.weight": (64, 2, 3, 3),
    "action.state.2.weight": (4, 64, 3, 3),
    "action.state.5.weight": (512, 4 * 169),
}
IMAGE_MODEL = {
    "image.convolutions.0.weight": (64, 3, 3, 3),
    "image.convolutions.1.weight": (64, 64, 3, 3),
    "image.convolutions.2.weight": (128, 64, 3, 3),
    "image.convolutions.3.weight": (128, 128, 3, 3),
    "image.layers.0.weight": (1024, 128 * 16 * 16),
    "image.layers.2.weight": (1024, 1024),
    "image.layers.4.weight": (1024, 1024),
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
    "planner": {
        **{key: shape for key, shape in FRAMEWORK.items() if not key.startswith("action")},
        "action.cell.0.weight": (PLAN_HIDDEN, 2),
        "action.worth.weight": (PLAN_MAPS, PLAN_HIDDEN),
        "action.cost.weight": (PLAN_MAPS, PLAN_HIDDEN),
        "action.policy.0.weight": (PLAN_HIDDEN, PLAN_MAPS),
        "action.value.2.weight": (1, PLAN_HIDDEN),
    },
    "simple_attention": {
        **FRAMEWORK,
        "words.embeddings": (105, 1024),
        "sentence_rnn.weight_hh_l0": (3 * 1024, 1024),
        "filter.weight": (4608, 1024),
    },
    "no_trans_share": {**FRAMEWORK, "words.embeddings": (105, 1024), "answers.weight": (105, 1024)},
    "vis_lstm": IMAGE_MODEL,
    "multimodal": {**IMAGE_MODEL, "common.weight": (1024, 2048)},
    "san": {
        **FRAMEWORK,
        "perception.convolutions.3.weight": (1024, 512, 3, 3),
        "words.embeddings": (105, 512),
        "sentence_rnn.weight_hh_l0": (3 * 512, 512),
        "attention_layers.0.scene.weight": (512, 512),
        "attention_layers.1.scene.weight": (512, 512),
    },
}
PARAMETERS = {
    "planner": 3_293_323 - 878_025 + 5 * PLAN_HIDDEN + 4 * PLAN_HIDDEN * PLAN_MAPS + 2 * (PLAN_MAPS + PLAN_HIDDEN + 1),
    "framework": 3_293_323,
    "simple_attention": 13_344_010,
    "no_trans_share": 3_293_323 + 105 * 1024,
    "vis_lstm": 44_476_590,
    "multimodal": 46_574_766,
    "san": 9_550_090,
}
"""How many each has with 105 words: none that does nothing."""


def test_the_papers_sizes(name: str, model: Model) -> None:
    shapes, expected = (
        {key: tuple(weight.shape) for key, weight in model.named_parameters()},
        SIZES.get(name, FRAMEWORK),
    )
    assert {key: shapes[key] for key in expected} == expected


def test_how_many_parameters(name: str, model: Model) -> None:
    assert sum(weight.numel() for weight in model.parameters()) == PARAMETERS[name]


def test_the_papers_initialization_is_for_all_models(model: Model) -> None:
    torch.manual_seed(0)
    init_as_printed(model)
    words = model.state_dict()["words.embeddings" if isinstance(model, AttentionModel) else "words.weight"]
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

"""Baselines on tile ids compute what their plain descriptions do on pictures: outputs, and every parameter's gradient.

The referee below is written from the papers: dense feature maps by `conv2d` over pixels, one sentence at a time, no
tiles, no sharing. It takes nothing from a model but its parameters, and the action module, which has tests of its own.
"""

from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional

from xworld.agent.dense_reference import DenseReference
from xworld.agent.model import Model
from xworld.baselines.multimodal import Multimodal
from xworld.baselines.no_trans_share import NoTransShare
from xworld.baselines.registry import make_model
from xworld.baselines.san import SAN, NeighborhoodPerception
from xworld.baselines.simple_attention import SimpleAttention
from xworld.baselines.vis_lstm import VisLSTM
from xworld.envs.observation import Observer
from xworld.teacher.simulator import Simulator

SCENES = 3
WORDS = 105
DEVICES = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]
Outputs = tuple[Tensor, Tensor, Tensor]
"""Action logits and values of commands, and answer scores of questions without number 0."""


class Parameters:
    """A model's parameters by name, and layers made of them."""

    def __init__(self, model: Model) -> None:
        self.model, self.named = model, dict(model.named_parameters())

    def __getitem__(self, name: str) -> Tensor:
        return self.named[name]

    def linear(self, name: str, inputs: Tensor) -> Tensor:
        return functional.linear(inputs, self[f"{name}.weight"], self.named.get(f"{name}.bias"))

    def relu(self, names: str, numbers: tuple[int, ...], inputs: Tensor) -> Tensor:
        for number in numbers:
            inputs = self.linear(f"{names}.{number}", inputs).relu()
        return inputs

    def convolve(self, name: str, pictures: Tensor, stride: int = 1, padding: int = 0) -> Tensor:
        weight, bias = self[f"{name}.weight"], self[f"{name}.bias"]
        return functional.conv2d(pictures, weight, bias, stride, padding).relu()

    def read(self, name: str, vectors: list[Tensor]) -> Tensor:
        """(sentences, state) The last state after (words, size) vectors of each sentence, with PyTorch's own cell."""
        rnn = self.model.get_submodule(name)
        assert isinstance(rnn, nn.GRU)
        return torch.stack([rnn(sentence.unsqueeze(0))[1][0, 0] for sentence in vectors])

    def spoken(self, table: Tensor, sentences: Tensor) -> list[Tensor]:
        """The embeddings of the words of each sentence."""
        return [table[sentence[sentence != 0].long()] for sentence in sentences]


def as_pictures(pixels: Tensor) -> Tensor:
    return pixels.permute(0, 3, 1, 2).double() / 255


def see_cells(parameters: Parameters, pictures: Tensor) -> Tensor:
    """(scenes, 512, 13, 13) The first three convolutions of the framework and of SAN."""
    for number, stride in enumerate((3, 2, 2)):
        pictures = parameters.convolve(f"perception.convolutions.{number}", pictures, stride)
    return pictures


def recognize(parameters: Parameters, attended: Tensor, questions: Tensor, table: Tensor) -> Tensor:
    """(questions, words) By the mask of the question's intention."""

    def functionality(words: Tensor) -> Tensor:
        hidden = parameters.linear("words.functionality.0", words).tanh()
        return parameters.linear("words.functionality.2", hidden).tanh()

    spoken = [functionality(words) for words in parameters.spoken(parameters["words.embeddings"], questions)]
    last = parameters.read("recognition.intention_rnn", spoken)
    mask = parameters.linear("words.mask.2", parameters.linear("words.mask.0", last).tanh()).sigmoid()
    return ((mask * attended) @ table.T)[:, 1:]


def environment(parameters: Parameters, features: Tensor) -> Tensor:
    return parameters.linear("perception.environment_filter", features.flatten(2).transpose(1, 2)).squeeze(2)


def simple_attention(model: Model, pixels: Tensor, commands: Tensor, questions: Tensor) -> Outputs:
    assert isinstance(model, SimpleAttention)
    parameters = Parameters(model)
    visual = parameters.convolve("perception.convolutions.3", see_cells(parameters, as_pictures(pixels)))

    def attend(sentences: Tensor) -> Tensor:
        words = parameters.spoken(parameters["words.embeddings"], sentences)
        filters = parameters.linear("filter", parameters.read("sentence_rnn", words))
        maps = []
        for scene, weights in zip(visual, filters, strict=True):
            of_cells = weights.view(9, 512).T.reshape(1, 512, 3, 3)
            scores = functional.conv2d(scene.unsqueeze(0), of_cells, padding=1) / 9
            maps.append(scores.flatten().softmax(dim=0))
        return torch.stack(maps)

    places = parameters["perception.spatial_map"].T.expand(len(visual), -1, -1)
    features = torch.cat([visual.flatten(2), places], dim=1)  # (scenes, 1024, 169)
    attended = (features @ attend(questions).unsqueeze(2)).squeeze(2)
    logits, values = model.action(attend(commands), environment(parameters, visual))
    return logits, values, recognize(parameters, attended, questions, parameters["words.embeddings"])


def no_trans_share(model: Model, pixels: Tensor, commands: Tensor, questions: Tensor) -> Outputs:
    assert isinstance(model, NoTransShare)
    parameters, reference = Parameters(model), DenseReference(model)
    features = reference._feature_map(pixels)
    attended = (features @ reference._attend(features, questions.long()).unsqueeze(2)).squeeze(2)
    scores = recognize(parameters, attended, questions, parameters["answers.weight"])
    return *reference.act(pixels, commands), scores


def san(model: Model, pixels: Tensor, commands: Tensor, questions: Tensor) -> Outputs:
    assert isinstance(model, SAN)
    parameters = Parameters(model)
    visual = parameters.convolve("perception.convolutions.3", see_cells(parameters, as_pictures(pixels)), padding=1)
    seen = parameters.linear("perception.projection", visual.flatten(2).transpose(1, 2))  # (scenes, 169, 512)
    seen = seen + parameters["perception.spatial_map"]

    def attend(sentences: Tensor) -> Tensor:
        query = parameters.read("sentence_rnn", parameters.spoken(parameters["words.embeddings"], sentences))
        for layer in range(2):
            hidden = parameters.linear(f"attention_layers.{layer}.scene", seen)
            hidden = (hidden + parameters.linear(f"attention_layers.{layer}.query", query).unsqueeze(1)).relu()
            attention = parameters.linear(f"attention_layers.{layer}.score", hidden).softmax(dim=1)  # (scenes, 169, 1)
            query = query + (attention * seen).sum(dim=1)
        return attention.squeeze(2)

    attended = (attend(questions).unsqueeze(2) * seen).sum(dim=1)
    logits, values = model.action(attend(commands), environment(parameters, visual))
    return logits, values, recognize(parameters, attended, questions, parameters["words.embeddings"])


def image_embeddings(parameters: Parameters, pixels: Tensor) -> Tensor:
    """(scenes, 64) Without activation; the fixture makes the models narrow."""
    pictures = as_pictures(pixels)
    for number, stride in enumerate((2, 2, 2, 1)):
        pictures = parameters.convolve(f"image.convolutions.{number}", pictures, stride)
    return parameters.linear("image.layers.4", parameters.relu("image.layers", (0, 2), pictures.flatten(1)))


def act_and_answer(parameters: Parameters, for_actions: Tensor, for_answers: Tensor) -> Outputs:
    state = parameters.relu("navigation", (0, 2, 4), for_actions)
    scores = parameters.linear("answers", parameters.relu("recognition", (0, 2, 4), for_answers))
    return parameters.linear("policy", state), parameters.linear("value", state).squeeze(1), scores[:, 1:]


def vis_lstm(model: Model, pixels: Tensor, commands: Tensor, questions: Tensor) -> Outputs:
    assert isinstance(model, VisLSTM)
    parameters = Parameters(model)
    images = image_embeddings(parameters, pixels)

    def embed(sentences: Tensor) -> Tensor:
        words = parameters.spoken(parameters["words.weight"], sentences)
        first = [torch.cat([image.unsqueeze(0), rest]) for image, rest in zip(images, words, strict=True)]
        return parameters.read("sentence_rnn", first)

    return act_and_answer(parameters, embed(commands), embed(questions))


def multimodal(model: Model, pixels: Tensor, commands: Tensor, questions: Tensor) -> Outputs:
    assert isinstance(model, Multimodal)
    parameters = Parameters(model)
    images = image_embeddings(parameters, pixels).relu()

    def embed(sentences: Tensor) -> Tensor:
        read = parameters.read("sentence_rnn", parameters.spoken(parameters["words.weight"], sentences))
        return parameters.linear("common", torch.cat([images, read], dim=1)).relu()

    return act_and_answer(parameters, embed(commands), embed(questions))


LITERAL: dict[str, Callable[[Model, Tensor, Tensor, Tensor], Outputs]] = {
    "simple_attention": simple_attention,
    "no_trans_share": no_trans_share,
    "vis_lstm": vis_lstm,
    "multimodal": multimodal,
    "san": san,
}


def scenes() -> tuple[Tensor, ...]:
    """The atlas, and tiles, pixels, commands and questions of scenes in which a question is asked."""
    simulator = Simulator(4 * SCENES)
    simulator.reset(seeds=np.arange(4 * SCENES))
    asked = np.flatnonzero(simulator.questions.any(axis=1))[:SCENES]
    arrays = simulator.tiles, Observer(simulator, "pixels").observe()["pixels"], simulator.commands, simulator.questions
    return torch.from_numpy(simulator.grammar.catalogue.atlas()), *(torch.from_numpy(array[asked]) for array in arrays)


def assert_close(fast: Tensor | None, slow: Tensor | None, what: str) -> None:
    assert fast is not None, what
    assert slow is not None, what
    difference, size = (fast - slow).norm().item(), slow.norm().item()
    assert size > 0, what
    assert difference <= 1e-8 * size, f"{what}: off by {difference / size:.1e}"


@pytest.mark.usefixtures("narrow_image_models")
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", LITERAL)
def test_outputs_and_all_gradients_agree(name: str, device: str) -> None:
    atlas, tiles, pixels, commands, questions = (tensor.to(device) for tensor in scenes())
    torch.manual_seed(0)
    model = make_model(name, WORDS, atlas, temperature=5.0).to(device, torch.double)
    noise = torch.randn(3, SCENES, dtype=torch.double).to(device)
    outputs, gradients = [], []
    for fast in (True, False):
        if fast:
            policy, value, scores, *_ = model.respond(tiles, commands, questions)
            words = scores[:, 1:]
        else:
            policy, value, words = LITERAL[name](model, pixels, commands, questions)
        outputs.append((policy, value, words))
        model.zero_grad()
        loss = (policy.log_softmax(1)[:, 0] * noise[0] + value * noise[1] + words.log_softmax(1)[:, 7] * noise[2]).sum()
        loss.backward()  # type: ignore[no-untyped-call]
        gradients.append({key: parameter.grad for key, parameter in model.named_parameters()})
    for what, one, other in zip(("policy", "value", "answers"), *outputs, strict=True):
        assert_close(one, other, what)
    for key, slow in gradients[1].items():
        assert_close(gradients[0][key], slow, key)


def test_san_perceives_every_cell_by_itself_as_on_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(NeighborhoodPerception, "forward", NeighborhoodPerception.perceive_cells)
    test_outputs_and_all_gradients_agree("san", "cpu")
    atlas, tiles, _, commands, questions = scenes()
    model = make_model("san", WORDS, atlas)
    with torch.no_grad():
        together = model.respond(tiles, commands, questions)
        apart = model.respond(tiles, commands, questions, question_tiles=tiles)
    for one, other in zip(together, apart, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-5)

"""The fast path computes what the paper's dense network does: outputs and every parameter's gradient."""

import numpy as np
import pytest
import torch
from torch import Tensor

from xworld.agent.agent import Agent
from xworld.agent.dense_reference import DenseReference
from xworld.envs.observation import Observer
from xworld.teacher.simulator import Simulator

SCENES = 8
DEVICES = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]


def scenes(seed: int) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """The atlas, and tiles, pixels, commands and questions of random scenes in which a question is asked."""
    simulator = Simulator(4 * SCENES)
    simulator.reset(seeds=np.arange(seed * 1000, seed * 1000 + 4 * SCENES))
    asked = np.flatnonzero(simulator.questions.any(axis=1))[:SCENES]
    pixels = Observer(simulator, "pixels").observe()["pixels"]
    arrays = (simulator.tiles, pixels, simulator.commands, simulator.questions)
    atlas = torch.from_numpy(simulator.grammar.catalogue.atlas())
    tiles, pictures, commands, questions = (torch.from_numpy(array[asked]) for array in arrays)
    return atlas, tiles, pictures, commands, questions


def assert_close(fast: Tensor, slow: Tensor, tolerance: float, what: str) -> None:
    difference, size = (fast - slow).norm().item(), slow.norm().item()
    assert size > 0, what
    assert difference <= tolerance * size, f"{what}: off by {difference / size:.1e}"


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(("seed", "dtype", "tolerance"), [(0, torch.float32, 1e-4), (1, torch.float64, 1e-8)])
def test_outputs_and_all_gradients_agree(
    device: str, seed: int, dtype: torch.dtype, tolerance: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.backends.cudnn, "allow_tf32", False)  # which is less exact than float32
    if (device, dtype) == ("cuda", torch.float32):
        tolerance = 1e-3  # its kernels multiply half-precision numbers
    atlas, tiles, pixels, commands, questions = (tensor.to(device) for tensor in scenes(seed))
    torch.manual_seed(seed)
    agent = Agent(words=105, atlas=atlas, temperature=5.0).to(device, dtype)
    for parameter in agent.perception.parameters():  # sharper maps than a fresh agent has, so that they matter
        parameter.data *= 1.5
    noise = torch.randn(3, SCENES, dtype=dtype).to(device)
    gradients = []
    outputs = []
    for act, answer, seen in (
        (agent.act, agent.answer, tiles),
        (DenseReference(agent).act, DenseReference(agent).answer, pixels),
    ):
        agent.zero_grad()
        policy, value = act(seen, commands)
        words = answer(seen, questions)[:, 1:]
        outputs.append((policy, value, words))
        loss = (policy.log_softmax(1)[:, 0] * noise[0] + value * noise[1] + words.log_softmax(1)[:, 7] * noise[2]).sum()
        loss.backward()  # type: ignore[no-untyped-call]
        gradients.append({name: parameter.grad for name, parameter in agent.named_parameters()})
    for what, fast, slow in zip(("policy", "value", "answer"), *outputs, strict=True):
        assert_close(fast, slow, tolerance, what)
    for name, slow_gradient in gradients[1].items():
        fast_gradient = gradients[0][name]
        assert fast_gradient is not None, name
        assert slow_gradient is not None, name
        assert_close(fast_gradient, slow_gradient, tolerance, name)

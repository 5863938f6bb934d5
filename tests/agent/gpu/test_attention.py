"""One kernel runs a program on a scene as the plain program does map by map."""

from dataclasses import replace

import pytest
import torch
from torch import Tensor

from kernels import DEVICE, assert_close, assert_same_gradients, leaf
from xworld.agent.gpu.attention import run_in_one_kernel
from xworld.agent.perception import SceneFeatures
from xworld.agent.programmer import Program
from xworld.agent.sizes import CELLS, PROGRAM_STEPS, VISUAL_FEATURES, WORD_EMBEDDING

SCENES, TILES = 3, 7


@pytest.fixture
def program() -> Program:
    torch.manual_seed(0)
    queries, gates = leaf(SCENES, PROGRAM_STEPS, WORD_EMBEDDING), leaf(SCENES, PROGRAM_STEPS)
    return Program(queries, gates, torch.empty(0), torch.empty(0))


@pytest.fixture
def scene() -> SceneFeatures:
    torch.manual_seed(1)
    visual, spatial = 0.1 * leaf(TILES, VISUAL_FEATURES), 0.1 * leaf(CELLS, WORD_EMBEDDING - VISUAL_FEATURES)
    tiles = torch.randint(0, TILES, (SCENES, CELLS), device=DEVICE)
    tiles[0, :120] = 2  # beyond the map, all tiles are the same
    return SceneFeatures(tiles, visual, spatial, visual[:, 0])


def hidden(share: float) -> Tensor:
    cells = torch.rand((SCENES, CELLS), device=DEVICE) < share
    cells[0] = True  # finite even where nothing is left to attend to
    return cells


@pytest.mark.parametrize("share", [None, 0.2])
def test_it_attends_as_the_plain_program_does(program: Program, scene: SceneFeatures, share: float | None) -> None:
    scene = scene if share is None else replace(scene, hidden=hidden(share))
    tiles, cells, gates = (tensor.detach().requires_grad_() for tensor in program._ground(scene, None))
    found = run_in_one_kernel(tiles, cells, gates, scene.tile_ids, scene.hidden)
    trace = program.run(scene)
    assert_close(found, (trace.attention, trace.logits))
    weights = torch.randn_like(found[0])
    gradients = torch.autograd.grad((found[0] * weights).sum(), [tiles, cells, gates])
    expected = torch.autograd.grad((trace.attention * weights).sum(), [program.queries, program.gate_logits])
    again = torch.autograd.grad(program._ground(scene, None), [program.queries, program.gate_logits], gradients)
    assert_close(again, expected, 1e-4)


def test_a_penalty_on_the_logits_has_gradients_too(program: Program, scene: SceneFeatures) -> None:
    grounding = program._ground(scene, None)
    found, trace = run_in_one_kernel(*grounding, scene.tile_ids, None), program.run(scene)
    outputs = found[0], found[1].square()
    assert_same_gradients(outputs, (trace.attention, trace.logits.square()), [program.queries], 1e-4)

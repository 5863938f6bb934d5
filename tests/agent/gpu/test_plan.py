"""One kernel plans as the plain planner does step by step."""

import pytest
import torch

from kernels import DEVICE, assert_close, assert_same_gradients, leaf
from xworld.agent.gpu.plan import plan_in_one_kernel
from xworld.agent.planner import Planner, _scale, spread
from xworld.agent.sizes import CELLS, PLAN_MAPS, PLAN_STEPS, VIEW

TF32 = 5e-3


@pytest.mark.parametrize("scenes", [1, 3, 7])
def test_it_plans_as_the_plain_planner_does(scenes: int) -> None:
    torch.manual_seed(scenes)
    planner = Planner().to(DEVICE)
    attention, environment = leaf(scenes, CELLS), leaf(scenes, CELLS)
    layers = planner.cell, planner.worth, planner.cost
    found = plan_in_one_kernel(*_scale(attention.softmax(dim=1), environment), *layers)
    plans = spread(*planner.judge(attention.softmax(dim=1), environment), PLAN_STEPS)[-1]
    expected = torch.stack([plans[:, CELLS // 2 + step] for step in (0, -VIEW, VIEW, -1, 1)])
    assert found.shape == (5, scenes, PLAN_MAPS)
    assert_close([found], [expected])
    leaves = [attention, environment, *(weight for layer in layers for weight in layer.parameters())]
    assert_same_gradients([found], [expected], leaves, TF32)

"""Action on many scenes is computed in parts."""

import torch

from xworld.agent.action import Action
from xworld.agent.sizes import CELLS


def test_parts_of_a_batch_give_the_same() -> None:
    action = Action().double()
    attention, environment = torch.rand(2, 260, CELLS, dtype=torch.float64)
    together, _ = action(attention, environment)
    torch.testing.assert_close(together[:5], action(attention[:5], environment[:5])[0])
    torch.testing.assert_close(together[-5:], action(attention[-5:], environment[-5:])[0])

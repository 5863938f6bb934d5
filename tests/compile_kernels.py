"""Runs every kernel once, so that all machine code is in Numba's cache: `python compile_kernels.py`."""

import torch

from xworld import XWorldEnv
from xworld.agent.planner import Planner
from xworld.agent.sizes import CELLS
from xworld.teacher.oracle import expert_actions, possible_commands
from xworld.teacher.simulator import Simulator

if __name__ == "__main__":
    env = XWorldEnv()
    env.reset(seed=0, options={"command_type": "nav_obj"})
    env.step(0)
    simulator = Simulator(1)
    simulator.reset(seeds=[0])
    expert_actions(simulator)
    possible_commands(simulator)
    logits, _ = Planner()(*torch.rand(2, 1, CELLS))
    logits.sum().backward()

"""Action: from where to go and what is in the way to a move and a value."""

import torch
from torch import Tensor, nn

from xworld.agent.sizes import ACTION_CHANNELS, ACTION_HIDDEN, ACTIONS, CELLS, VIEW

_AT_A_TIME = 256
"""Scenes that a CPU takes at a time: memory for the 64 maps of each of more would be asked of the system anew for every
batch."""


class Action(nn.Module):
    """A small network over two maps: the attention and the environment map."""

    def __init__(self) -> None:
        super().__init__()
        first, second = ACTION_CHANNELS
        self.state = nn.Sequential(
            nn.Conv2d(2, first, 3, padding=1),
            nn.ReLU(inplace=True),
            nn.Conv2d(first, second, 3, padding=1),
            nn.ReLU(),
            nn.Flatten(),
            nn.Linear(second * CELLS, ACTION_HIDDEN),
            nn.ReLU(),
            nn.Linear(ACTION_HIDDEN, ACTION_HIDDEN),
            nn.ReLU(),
            nn.Linear(ACTION_HIDDEN, ACTION_HIDDEN),
            nn.ReLU(),
        )
        self.policy = nn.Linear(ACTION_HIDDEN, ACTIONS)
        self.value = nn.Linear(ACTION_HIDDEN, 1)

    def forward(self, attention: Tensor, environment: Tensor) -> tuple[Tensor, Tensor]:
        """(scenes, 4) action logits and (scenes,) values."""
        maps = torch.stack([attention, environment], dim=1).view(-1, 2, VIEW, VIEW)
        if maps.is_cuda:
            state = self.state(maps)
        else:
            state = torch.cat([self.state(part) for part in torch.split(maps, _AT_A_TIME)])
        return self.policy(state), self.value(state).squeeze(1)

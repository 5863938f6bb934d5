"""Action: from the attention map and the environment map to a move and a value."""

from abc import ABC, abstractmethod

import torch
from torch import Tensor, nn

from xworld.agent.sizes import ACTION_CHANNELS, ACTION_HIDDEN, ACTIONS, CELLS, VIEW

_CPU_BATCH = 256
"""Scenes per pass on a CPU; larger passes reallocate activations (64 maps per scene) at every call."""


class Navigator(nn.Module, ABC):
    """Decides on a move, given where to go and where obstacles are."""

    @abstractmethod
    def forward(self, attention: Tensor, environment: Tensor) -> tuple[Tensor, Tensor]:
        """(scenes, 4) action logits and (scenes,) values, from two maps of (scenes, 169)."""


class Action(Navigator):
    """The paper's: a small convolutional network over the two maps, with a policy head and a value head."""

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
            state = torch.cat([self.state(part) for part in torch.split(maps, _CPU_BATCH)])
        return self.policy(state), self.value(state).squeeze(1)

"""Walking: the agent acts in all worlds for some steps, and what it saw, heard and earned is kept."""

from dataclasses import dataclass, fields

import numpy as np
import torch
from torch import Tensor

from xworld.agent.agent import Agent
from xworld.learning.losses import advantages_and_returns
from xworld.teacher.school import School


@dataclass
class Rollout:
    """All that learning needs, as tensors of (steps, worlds, ...)."""

    tiles: Tensor
    commands: Tensor
    questions: Tensor
    answers: Tensor
    actions: Tensor
    log_policy: Tensor
    advantages: Tensor
    returns: Tensor

    def flat(self) -> "Rollout":
        """Steps and worlds as one: (samples, ...)."""
        return Rollout(*(getattr(self, field.name).flatten(0, 1) for field in fields(self)))

    def pick(self, samples: Tensor) -> "Rollout":
        """Some samples of a flat rollout."""
        return Rollout(*(getattr(self, field.name)[samples] for field in fields(self)))


@dataclass(frozen=True)
class Walk:
    """How a rollout went, for the log."""

    sessions: int
    successes: int
    earned: float
    successes_by_command: tuple[int, ...]
    sessions_by_command: tuple[int, ...]


def walk(
    agent: Agent, school: School, steps: int, discount: float, trace: float, generator: torch.Generator
) -> tuple[Rollout, Walk]:
    """Act in every world for some steps; sessions that end are followed by the next."""
    device = agent.atlas.device
    seen: list[tuple[Tensor, ...]] = []
    ended: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    for _ in range(steps):
        shown = _to_device(device, school.tiles, school.commands, school.questions, school.lessons["answer"].copy())
        actions, log_policy, values = _choose(agent, shown[0], shown[1], generator)
        rewards, reached, late = school.step(actions.cpu().numpy())
        gains, ends = _to_device(device, rewards.astype(np.float32), (reached | late).astype(np.float32))
        seen.append((*shown, actions, log_policy, values, gains, ends))
        ended.append((reached, late, school.final_lessons.copy()))
    tiles, commands, questions, answers, taken, log_policies, values, earned, over = (
        torch.stack(parts) for parts in zip(*seen, strict=True)
    )
    last = _to_device(device, school.tiles, school.commands)
    with torch.no_grad():
        _, last_values = agent.act(*last)
    advantages, returns = advantages_and_returns(earned, values, over, last_values, discount, trace)
    rollout = Rollout(tiles, commands, questions, answers, taken, log_policies, advantages, returns)
    return rollout, _sum_up(ended)


@torch.no_grad()
def _choose(agent: Agent, tiles: Tensor, commands: Tensor, generator: torch.Generator) -> tuple[Tensor, ...]:
    """Draw actions from the policy."""
    logits, values = agent.act(tiles, commands)
    log_policy = logits.log_softmax(dim=1)
    actions = torch.multinomial(log_policy.exp(), 1, generator=generator)
    return actions.squeeze(1), log_policy.gather(1, actions).squeeze(1), values


def _to_device(device: torch.device, *arrays: np.ndarray) -> tuple[Tensor, ...]:
    return tuple(torch.from_numpy(array).to(device, non_blocking=True) for array in arrays)


def _sum_up(ended: list[tuple[np.ndarray, np.ndarray, np.ndarray]]) -> Walk:
    reached = np.concatenate([reached[reached | late] for reached, late, _ in ended])
    lessons = np.concatenate([lessons[reached | late] for reached, late, lessons in ended])
    kinds = lessons["command_type"]
    return Walk(
        sessions=len(reached),
        successes=int(reached.sum()),
        earned=float(lessons["earned"].sum()),
        successes_by_command=tuple(np.bincount(kinds[reached], minlength=4).tolist()),
        sessions_by_command=tuple(np.bincount(kinds, minlength=4).tolist()),
    )

"""Scenes a second: the agent's fast path on tile ids beside the paper's dense way on pixels, in alternating rounds.

There is one agent with one set of weights. The two ways differ in how they come to its outputs, and in nothing else.
"""

import statistics
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from xworld.agent.agent import Agent
from xworld.agent.dense_reference import DenseReference
from xworld.bench.rate import calls_a_second
from xworld.bench.samples import Samples
from xworld.training.losses import clipped_policy_loss, recognition_loss

Work = Literal["training", "acting"]
Outputs = tuple[Tensor, Tensor, Tensor]
"""Action logits, values and answer scores."""

FAST_CHUNK = {"cpu": 1024, "cuda": 4096}
DENSE_CHUNK = {"cpu": 32, "cuda": 256}
"""Scenes that each takes at a time, by device, as is fastest for it: what lies between the layers of more than that
fits into no cache, and its memory is asked of the system anew for every step."""
MOST_DENSE: dict[Work, int] = {"training": 256, "acting": 4096}
"""Scenes of a batch that the dense reference is timed on: a step on 4,096 would take it a minute or more."""
_CLIP = 0.2
"""How far the policy may move; no figure depends on it, nor on the next."""
_ENTROPY = 0.01
"""Weight of the policy's entropy."""


@dataclass(frozen=True)
class Way:
    """A way to run the agent, and how many scenes it takes at a time."""

    act: Callable[[Samples], object]
    respond: Callable[[Samples], Outputs]
    chunk: int


@dataclass(frozen=True)
class AgentComparison:
    """Scenes a second in each round, by the fast path and by the dense reference."""

    work: Work
    batch: int
    fast: tuple[float, ...]
    dense: tuple[float, ...]

    @property
    def ratio(self) -> float:
        """How many times faster the fast path is: the median over rounds of the ratio within a round."""
        return statistics.median(quick / slow for quick, slow in zip(self.fast, self.dense, strict=True))

    @property
    def dense_timed(self) -> int:
        """How many scenes of the batch the dense reference was timed on."""
        return min(self.batch, MOST_DENSE[self.work])


def compare_ways(
    agent: Agent,
    samples: Samples,
    work: Work,
    rounds: int,
    seconds: float,
    report: Callable[[str], None] = lambda line: None,
) -> AgentComparison:
    """Measure both ways in turn, so that both meet the machine in the same mood."""
    few = samples.first(min(len(samples), MOST_DENSE[work]))
    fast_work = prepare(agent, fast_way(agent), samples, work)
    dense_work = prepare(agent, dense_way(agent), few, work)
    fast, dense = [], []
    for round_number in range(1, rounds + 1):
        fast.append(len(samples) * calls_a_second(fast_work, seconds))
        dense.append(len(few) * calls_a_second(dense_work, seconds))
        report(
            f"{work}, batch {len(samples):,}, round {round_number} of {rounds}: "
            f"{fast[-1]:,.0f} beside {dense[-1]:,.0f} scenes/s"
        )
    return AgentComparison(work, len(samples), tuple(fast), tuple(dense))


def fast_way(agent: Agent) -> Way:
    """What training and walking use: scenes as tile ids."""
    return Way(
        act=lambda samples: agent.act(samples.tiles, samples.commands),
        respond=lambda samples: agent.respond(samples.tiles, samples.commands, samples.questions)[:3],
        chunk=FAST_CHUNK[agent.atlas.device.type],
    )


def dense_way(agent: Agent) -> Way:
    """What the paper writes down: scenes as whole pictures."""
    reference = DenseReference(agent)
    return Way(
        act=lambda samples: reference.act(samples.pixels, samples.commands),
        respond=lambda samples: (
            *reference.act(samples.pixels, samples.commands),
            reference.answer(samples.pixels, samples.questions),
        ),
        chunk=DENSE_CHUNK[agent.atlas.device.type],
    )


def prepare(agent: Agent, way: Way, samples: Samples, work: Work) -> Callable[[int], None]:
    """The work as a call that returns when the device is done with it, warmed up."""
    parts = list(samples.split(way.chunk))
    # A rate of 0 is the same work, and leaves the same weights to every round.
    optimizer = torch.optim.AdamW(agent.parameters(), lr=0.0, fused=True)

    def run(parts: list[Samples]) -> None:
        if work == "training":
            train(way, parts, optimizer)
        else:
            act(way, parts)
        if samples.tiles.is_cuda:
            torch.cuda.synchronize()

    run(parts[:1])
    return lambda turn: run(parts)


def train(way: Way, parts: list[Samples], optimizer: torch.optim.Optimizer) -> None:
    """One step of the optimizer on the mean loss over all parts, whose gradients add up.

    The same loss whatever the parts, but for advantages: they are normalized within a part.
    """
    total = sum(len(part) for part in parts)
    optimizer.zero_grad()
    for part in parts:
        (loss(way.respond(part), part) * (len(part) / total)).backward()  # type: ignore[no-untyped-call]
    optimizer.step()


@torch.no_grad()
def act(way: Way, parts: list[Samples]) -> None:
    """Policies and values, and nothing to learn from."""
    for part in parts:
        way.act(part)


def loss(outputs: Outputs, samples: Samples) -> Tensor:
    """What training minimizes: for walking, for the value of where one stands, and for answering."""
    logits, values, scores = outputs
    policy = clipped_policy_loss(
        logits, values, samples.actions, samples.old_log, samples.advantages, samples.returns, _CLIP
    )
    answering = recognition_loss(scores, samples.answers)
    return policy.surrogate + policy.value - _ENTROPY * policy.entropy + answering

"""Scenes per second of the agent: the fast path on tile ids beside the paper's dense network on pixels.

Both are the same agent with the same weights, and compute the same outputs in different ways.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import Literal

import numpy as np
import torch
from torch import Tensor

from xworld.agent.agent import Agent
from xworld.agent.dense_reference import DenseReference
from xworld.bench.timing import Comparison, calls_per_second, compare
from xworld.teacher.simulator import Simulator
from xworld.training.losses import actor_critic_loss, recognition_loss
from xworld.world.cells import ACTIONS
from xworld.world.view import VIEW_PIXELS

Work = Literal["training", "acting"]
Outputs = tuple[Tensor, Tensor, Tensor]
"""Action logits, values and answer scores."""

FAST_CHUNK = {"cpu": 1024, "cuda": 4096}
DENSE_CHUNK = {"cpu": 32, "cuda": 256}
"""Scenes per forward pass, by device, chosen as the fastest for each: the activations of larger batches fit into no
cache and are reallocated at every step."""
MAX_DENSE: dict[Work, int] = {"training": 256, "acting": 4096}
"""Scenes of a batch that the dense reference is timed on: one step on 4,096 would take it a minute or more."""
_ENTROPY_COEF = 0.01
"""A setting of the loss; no measurement depends on it."""


@dataclass(frozen=True)
class Samples:
    """Scenes with a question, both as tile ids and as pixels, and the experience that the loss needs."""

    tiles: Tensor
    """(samples, 13, 13)"""
    pixels: Tensor
    """(samples, 156, 156, 3)"""
    commands: Tensor
    """(samples, 12)"""
    questions: Tensor
    """(samples, 12)"""
    answers: Tensor
    actions: Tensor
    behavior: Tensor
    """The probability with which each action was taken."""
    td_errors: Tensor

    def __len__(self) -> int:
        return len(self.tiles)

    def first(self, count: int) -> "Samples":
        """The first samples only."""
        return next(self.split(count))

    def split(self, size: int) -> Iterator["Samples"]:
        """All samples in chunks of this size."""
        for parts in zip(*(getattr(self, field.name).split(size) for field in fields(self)), strict=True):
            yield Samples(*parts)


def gather_samples(count: int, device: torch.device, seed: int = 0) -> Samples:
    """Take scenes with a question from random walks. Advantages and returns are noise: they do not change the work."""
    rng = np.random.default_rng(seed)
    simulator = Simulator(2 * count)  # in some worlds there is nothing to ask
    simulator.reset(range(seed, seed + len(simulator)))
    for _ in range(8):
        simulator.step(rng.integers(len(ACTIONS), size=len(simulator)))
    asked = np.flatnonzero(simulator.questions.any(axis=1))[:count]
    tiles = simulator.tiles[asked]  # (samples, 13, 13)
    cells = simulator.grammar.catalogue.atlas()[tiles]  # (samples, 13, 13, 12, 12, 3)
    arrays = (
        tiles,
        cells.swapaxes(2, 3).reshape(count, VIEW_PIXELS, VIEW_PIXELS, 3),
        simulator.commands[asked],
        simulator.questions[asked],
        simulator.sessions["answer"][asked].astype(np.int64),
        rng.integers(len(ACTIONS), size=count),
        np.full(count, 1 / len(ACTIONS), np.float32),  # a random walk takes all actions equally often
        rng.standard_normal(count, np.float32),
    )
    return Samples(*(torch.from_numpy(array).to(device) for array in arrays))


@dataclass(frozen=True)
class ForwardPath:
    """One way to compute the agent's outputs, and its chunk size."""

    act: Callable[[Samples], object]
    respond: Callable[[Samples], Outputs]
    chunk: int


def fast_path(agent: Agent) -> ForwardPath:
    """The path that training and acting use: scenes as tile ids."""
    return ForwardPath(
        act=lambda samples: agent.act(samples.tiles, samples.commands),
        respond=lambda samples: agent.respond(samples.tiles, samples.commands, samples.questions)[:3],
        chunk=FAST_CHUNK[agent.atlas.device.type],
    )


def dense_path(agent: Agent) -> ForwardPath:
    """The network as the paper describes it: scenes as pixels."""
    reference = DenseReference(agent)
    return ForwardPath(
        act=lambda samples: reference.act(samples.pixels, samples.commands),
        respond=lambda samples: (
            *reference.act(samples.pixels, samples.commands),
            reference.answer(samples.pixels, samples.questions),
        ),
        chunk=DENSE_CHUNK[agent.atlas.device.type],
    )


def compare_paths(
    agent: Agent, samples: Samples, work: Work, rounds: int, seconds: float, report: Callable[[str], None]
) -> Comparison:
    """Scenes per second of both paths; the dense one is timed on at most `MAX_DENSE` scenes."""
    few = samples.first(min(len(samples), MAX_DENSE[work]))
    fast = prepare(agent, fast_path(agent), samples, work)
    dense = prepare(agent, dense_path(agent), few, work)
    return compare(
        lambda: len(samples) * calls_per_second(fast, seconds),
        lambda: len(few) * calls_per_second(dense, seconds),
        rounds, f"{work}, batch {len(samples):,}", "scenes/s", report,
    )  # fmt: skip


def prepare(agent: Agent, path: ForwardPath, samples: Samples, work: Work) -> Callable[[int], None]:
    """The work as a function that returns when the device has finished; it is already warmed up."""
    chunks = list(samples.split(path.chunk))
    # A learning rate of 0 costs the same and leaves the weights as they are for every round.
    optimizer = torch.optim.AdamW(agent.parameters(), lr=0.0, fused=True)

    def run(chunks: list[Samples]) -> None:
        if work == "training":
            train(path, chunks, optimizer)
        else:
            with torch.no_grad():
                for chunk in chunks:
                    path.act(chunk)
        if samples.tiles.is_cuda:
            torch.cuda.synchronize()

    run(chunks[:1])
    return lambda turn: run(chunks)


def train(path: ForwardPath, chunks: list[Samples], optimizer: torch.optim.Optimizer) -> None:
    """One optimizer step on the mean loss over all chunks, with accumulated gradients."""
    total = sum(len(chunk) for chunk in chunks)
    optimizer.zero_grad()
    for chunk in chunks:
        (loss(path.respond(chunk), chunk) * (len(chunk) / total)).backward()  # type: ignore[no-untyped-call]
    optimizer.step()


def loss(outputs: Outputs, samples: Samples) -> Tensor:
    """The training loss: policy, value, entropy and answers."""
    logits, values, scores = outputs
    commands = actor_critic_loss(logits, values, samples.actions, samples.td_errors, samples.behavior)
    answering = recognition_loss(scores, samples.answers)
    return commands.policy + commands.value - _ENTROPY_COEF * commands.entropy + answering

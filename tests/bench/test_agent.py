"""Both paths of the agent do the same work; how fast they are depends on the machine."""

from collections.abc import Callable, Iterator

import pytest
import torch
from torch import Tensor

from xworld.agent.agent import Agent
from xworld.bench import agent as bench
from xworld.bench.agent import (
    ForwardPath,
    Samples,
    Work,
    compare_paths,
    dense_path,
    fast_path,
    gather_samples,
    loss,
    train,
)
from xworld.training.pretrained import load_model


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    """On a busy machine, two threads would spend their time waiting for each other."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="module")
def agent() -> Agent:
    return load_model()[0]


@pytest.fixture(scope="module")
def samples() -> Samples:
    return gather_samples(4, torch.device("cpu"))


def paths(agent: Agent) -> Iterator[ForwardPath]:
    yield fast_path(agent)
    yield dense_path(agent)


def gradients(agent: Agent, path: ForwardPath, parts: list[Samples]) -> dict[str, Tensor]:
    train(path, parts, torch.optim.SGD(agent.parameters(), lr=0.0))
    return {name: weight.grad.clone() for name, weight in agent.named_parameters() if weight.grad is not None}


def test_both_paths_have_the_same_loss(agent: Agent, samples: Samples) -> None:
    fast, dense = (loss(path.respond(samples), samples).item() for path in paths(agent))
    assert fast == pytest.approx(dense, rel=1e-4)


def test_both_paths_take_the_same_step(agent: Agent, samples: Samples) -> None:
    fast, dense = (gradients(agent, path, [samples]) for path in paths(agent))
    assert fast.keys() == dense.keys() == dict(agent.named_parameters()).keys()
    for name in fast:
        # The planner looks at differences between obstacles only, so one bias has no gradient but for rounding.
        assert (fast[name] - dense[name]).norm() <= 1e-3 * dense[name].norm() + 1e-5, name


def test_chunks_add_up_to_the_gradient_of_the_mean_loss(agent: Agent, samples: Samples) -> None:
    once, twice = (gradients(agent, dense_path(agent), parts) for parts in ([samples], [samples, samples]))
    for name in once:
        assert torch.allclose(once[name], twice[name], rtol=1e-4, atol=1e-7), name


def test_samples_are_scenes_in_which_something_is_asked(samples: Samples, agent: Agent) -> None:
    assert samples.questions.any(dim=1).all()
    assert (samples.answers > 0).all()
    cell = samples.pixels[3, 12 * 6 : 12 * 7, 12 * 5 : 12 * 6]  # the cell to the left of the agent
    assert torch.equal(cell, agent.atlas[samples.tiles[3, 6, 5].long()])
    assert [len(part) for part in samples.split(3)] == [3, 1]


def test_the_dense_reference_is_timed_on_a_part_where_the_whole_takes_minutes(
    agent: Agent, samples: Samples, monkeypatch: pytest.MonkeyPatch
) -> None:
    timed, lines = list[int](), list[str]()
    real = bench.prepare

    def prepare(agent: Agent, path: ForwardPath, samples: Samples, work: Work) -> Callable[[int], None]:
        timed.append(len(samples))
        return real(agent, path, samples, work)

    monkeypatch.setattr(bench, "prepare", prepare)
    monkeypatch.setitem(bench.MAX_DENSE, "training", 2)
    result = compare_paths(agent, samples, "training", rounds=2, seconds=0.01, report=lines.append)
    assert timed == [4, 2]
    assert len(result.ours) == len(result.theirs) == 2
    assert [line.split(":")[0] for line in lines] == [f"training, batch 4, round {number} of 2" for number in (1, 2)]

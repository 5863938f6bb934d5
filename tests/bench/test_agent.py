"""`xworld bench agent`: both ways do the same work; the figures themselves are for people."""

from collections.abc import Iterator

import pytest
import torch
from torch import Tensor

from xworld.agent.agent import Agent
from xworld.bench import agent as bench
from xworld.bench.agent import AgentComparison, Way, compare_ways, dense_way, fast_way, loss, train
from xworld.bench.samples import Samples, gather_samples
from xworld.cli import bench_agent
from xworld.cli.main import main
from xworld.training.pretrained import load_agent


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    """On a machine that is busy, two threads spend their time waiting for each other."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="module")
def agent() -> Agent:
    return load_agent()[0]


@pytest.fixture(scope="module")
def samples() -> Samples:
    return gather_samples(4, torch.device("cpu"))


def ways(agent: Agent) -> Iterator[Way]:
    yield fast_way(agent)
    yield dense_way(agent)


def gradients(agent: Agent, way: Way, parts: list[Samples]) -> dict[str, Tensor]:
    train(way, parts, torch.optim.SGD(agent.parameters(), lr=0.0))
    return {name: weight.grad.clone() for name, weight in agent.named_parameters() if weight.grad is not None}


def test_both_ways_have_the_same_loss(agent: Agent, samples: Samples) -> None:
    fast, dense = (loss(way.respond(samples), samples).item() for way in ways(agent))
    assert fast == pytest.approx(dense, rel=1e-4)


def test_both_ways_take_the_same_step(agent: Agent, samples: Samples) -> None:
    fast, dense = (gradients(agent, way, [samples]) for way in ways(agent))
    assert fast.keys() == dense.keys() == dict(agent.named_parameters()).keys()
    for name in fast:
        assert (fast[name] - dense[name]).norm() <= 1e-3 * dense[name].norm(), name


def test_parts_add_up_to_the_gradient_of_the_mean_loss(agent: Agent, samples: Samples) -> None:
    once, twice = (gradients(agent, dense_way(agent), parts) for parts in ([samples], [samples, samples]))
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
    monkeypatch.setitem(bench.MOST_DENSE, "training", 2)
    result = compare_ways(agent, samples, "training", rounds=2, seconds=0.01)
    assert (result.batch, result.dense_timed, len(result.fast), len(result.dense)) == (4, 2, 2, 2)


def test_the_ratio_is_the_median_over_rounds() -> None:
    assert AgentComparison("acting", 16, (10.0, 30.0, 50.0), (1.0, 2.0, 2.0)).ratio == 15.0


def test_a_short_run_shows_ratios_in_80_columns(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(bench_agent, "BATCHES", (2, 4))
    monkeypatch.setitem(bench.MOST_DENSE, "training", 2)
    assert main(["bench", "agent", "--rounds", "2", "--seconds", "0.01"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines[1:9]] == [
        f"{work}, batch {batch}, round {number} of 2"
        for work in ("training", "acting")
        for batch in (2, 4)
        for number in (1, 2)
    ]
    assert sum(line.endswith(" x") for line in lines) == 4
    assert "dense, training step at 4: timed on 2 of the scenes, and scaled up" in lines
    assert all(len(line) <= 80 for line in lines[:-1])

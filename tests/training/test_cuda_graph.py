"""CudaGraphed work: each call does it exactly once, whether it is done, recorded or replayed."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext

import pytest
import torch
from torch import Tensor

from xworld.training import cuda_graph
from xworld.training.cuda_graph import CudaGraphed

CPU, CUDA = torch.device("cpu"), torch.device("cuda")
CALLS = 8
"""Some of each kind: before the recording, the recording itself, and replays."""
on_a_gpu = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU to record on")


class Sum:
    """Work that shows how often it was done: it adds what it is given to all that came before."""

    def __init__(self, device: torch.device) -> None:
        self.total = torch.zeros(3, device=device)
        self.tape: list[Callable[[], None]] | None = None
        """Where the work is put down instead of being done, while there is one."""

    def __call__(self, numbers: Tensor) -> tuple[Tensor, Tensor]:
        outputs = torch.empty_like(self.total), torch.empty_like(numbers)
        if self.tape is None:
            self._do(numbers, *outputs)
        else:
            self.tape.append(lambda: self._do(numbers, *outputs))
        return outputs

    def _do(self, numbers: Tensor, total: Tensor, double: Tensor) -> None:
        self.total.add_(numbers)
        total.copy_(self.total)
        double.copy_(2 * numbers)


def check_all_calls(captured: CudaGraphed, device: torch.device) -> None:
    """Every call gets what is of its own inputs, and keeps it when later ones come."""
    outputs = [captured(torch.full((3,), float(call), device=device)) for call in range(1, CALLS + 1)]
    for call, (total, double) in enumerate(outputs, start=1):
        assert total.tolist() == [call * (call + 1) / 2] * 3
        assert double.tolist() == [2.0 * call] * 3


@pytest.mark.parametrize(("device", "enabled"), [(CPU, True), (CPU, False), (CUDA, False)])
def test_where_nothing_is_recorded_the_work_itself_is_done(device: torch.device, enabled: bool) -> None:
    captured = CudaGraphed(Sum(CPU), device, enabled)
    check_all_calls(captured, CPU)
    assert captured(torch.ones(1))[1].shape == (1,)  # and shapes may change


class Puppet:
    """A stream and a graph without a GPU: what is recorded is put on a tape, and a replay plays it."""

    device = CUDA

    def __init__(self, work: Sum, monkeypatch: pytest.MonkeyPatch) -> None:
        self.work, self.happened = work, list[str]()
        self.tape: list[Callable[[], None]] = []
        monkeypatch.setattr(cuda_graph, "_new_stream", lambda _: self)
        monkeypatch.setattr(torch.cuda, "current_stream", lambda _: self)
        monkeypatch.setattr(torch.cuda, "stream", lambda _: nullcontext())
        monkeypatch.setattr(torch.cuda, "CUDAGraph", lambda: self)
        monkeypatch.setattr(torch.cuda, "graph", self.record)

    def wait_stream(self, _: object) -> None:
        self.happened.append("wait")

    @contextmanager
    def record(self, graph: "Puppet", stream: "Puppet") -> Iterator[None]:
        self.happened.append("record")
        self.work.tape = graph.tape
        yield
        self.work.tape = None

    def replay(self) -> None:
        self.happened.append("replay")
        for work in self.tape:
            work()


def test_work_is_done_on_the_side_thrice_then_recorded_once_and_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    work = Sum(CPU)
    puppet = Puppet(work, monkeypatch)
    check_all_calls(CudaGraphed(work, CUDA), CPU)
    assert puppet.happened == ["wait", "wait"] * 3 + ["record"] + ["replay"] * (CALLS - 3)
    assert len(puppet.tape) == 1


def test_another_shape_than_the_recorded_one_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    work = Sum(CPU)
    Puppet(work, monkeypatch)
    captured = CudaGraphed(work, CUDA)
    check_all_calls(captured, CPU)
    with pytest.raises(ValueError, match=r"recorded for shape \(3,\), called with \(1,\)"):
        captured(torch.ones(1))


@on_a_gpu
def test_on_a_gpu_every_call_does_the_work_once() -> None:
    captured = CudaGraphed(Sum(CUDA), CUDA)
    check_all_calls(captured, CUDA)
    assert captured._graph is not None
    with pytest.raises(ValueError, match=r"recorded for shape \(3,\), called with \(1,\)"):
        captured(torch.ones(1, device=CUDA))


def learn(device: torch.device, captured: bool) -> Tensor:
    """The weights of a layer after as many steps of the optimizer as there are calls, each with numbers of its own."""
    torch.manual_seed(0)
    layer, numbers = torch.nn.Linear(4, 2), torch.randn(CALLS, 16, 4)
    layer.to(device)
    optimizer = torch.optim.AdamW(layer.parameters(), lr=0.01, capturable=device.type == "cuda", fused=True)

    def step(batch: Tensor) -> tuple[Tensor, ...]:
        optimizer.zero_grad()
        loss = layer(batch).square().mean()
        loss.backward()
        optimizer.step()
        return (loss.detach(),)

    work = CudaGraphed(step, device) if captured else step
    for batch in numbers:
        work(batch.to(device))
    return layer.weight.detach().cpu()


@pytest.mark.parametrize("device", [CPU, pytest.param(CUDA, marks=on_a_gpu)], ids=str)
def test_learning_with_recordings_comes_to_the_same(device: torch.device) -> None:
    torch.testing.assert_close(learn(device, captured=True), learn(CPU, captured=False), rtol=1e-4, atol=1e-5)

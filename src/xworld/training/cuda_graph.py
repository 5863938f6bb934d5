"""Work on a GPU recorded once and replayed: a replay starts hundreds of kernels for the price of one."""

from collections.abc import Callable

import torch
from torch import Tensor

_EAGER_CALLS = 3
"""Calls before the recording, in which libraries choose their kernels and optimizers make their state."""

Work = Callable[..., tuple[Tensor, ...]]


class CudaGraphed:
    """A function of tensors whose shapes never change. Every call does its work exactly once.

    >>> double = CudaGraphed(lambda numbers: (2 * numbers,), torch.device("cpu"))
    >>> double(torch.arange(3))
    (tensor([0, 2, 4]),)
    """

    def __init__(self, work: Work, device: torch.device, enabled: bool = True) -> None:
        self._work = work
        self._recording: _Recording | None = None
        self._calls_left = _EAGER_CALLS
        self._stream = _new_stream(device) if enabled and device.type == "cuda" else None

    def __call__(self, *inputs: Tensor) -> tuple[Tensor, ...]:
        """Do the work."""
        if self._stream is None:
            return self._work(*inputs)
        if self._recording is None and self._calls_left:
            self._calls_left -= 1
            return self._on_the_side(*inputs)
        self._recording = self._recording or _Recording(self._work, inputs, self._stream)
        return self._recording.replay(inputs)

    def _on_the_side(self, *inputs: Tensor) -> tuple[Tensor, ...]:
        """Work on the stream of the recording: autograd remembers on which stream a parameter was first used."""
        assert self._stream is not None
        around = torch.cuda.current_stream(self._stream.device)
        self._stream.wait_stream(around)
        with torch.cuda.stream(self._stream):
            outputs = self._work(*inputs)
        around.wait_stream(self._stream)
        return outputs


class _Recording:
    """The kernels of one call, reading from and writing to memory of their own."""

    def __init__(self, work: Work, inputs: tuple[Tensor, ...], stream: torch.cuda.Stream) -> None:
        self._inputs = tuple(torch.empty_like(tensor) for tensor in inputs)
        self._fill(inputs)
        self._graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self._graph, stream=stream):
            self._outputs = work(*self._inputs)

    def replay(self, inputs: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        self._fill(inputs)
        self._graph.replay()
        return tuple(output.clone() for output in self._outputs)

    def _fill(self, inputs: tuple[Tensor, ...]) -> None:
        for own, given in zip(self._inputs, inputs, strict=True):
            if own.shape != given.shape:
                raise ValueError(f"recorded for shape {tuple(own.shape)}, called with {tuple(given.shape)}")
            own.copy_(given, non_blocking=True)


def _new_stream(device: torch.device) -> torch.cuda.Stream:
    return torch.cuda.Stream(device)  # type: ignore[no-untyped-call]

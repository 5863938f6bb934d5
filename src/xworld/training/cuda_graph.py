"""CUDA graphs: work recorded once and replayed, which launches hundreds of kernels for the price of one."""

from collections.abc import Callable

import torch
from torch import Tensor

_WARMUP_CALLS = 3
"""Warm-up calls before the recording, in which libraries choose kernels and optimizers create their state."""

Work = Callable[..., tuple[Tensor, ...]]


class CudaGraphed:
    """A function of tensors with fixed shapes; on a CPU a plain call. Every call does the work exactly once.

    >>> double = CudaGraphed(lambda numbers: (2 * numbers,), torch.device("cpu"))
    >>> double(torch.arange(3))
    (tensor([0, 2, 4]),)
    """

    def __init__(self, work: Work, device: torch.device, enabled: bool = True) -> None:
        self._work = work
        self._recording: _Recording | None = None
        self._warmup_left = _WARMUP_CALLS
        self._stream = _new_stream(device) if enabled and device.type == "cuda" else None

    def __call__(self, *inputs: Tensor) -> tuple[Tensor, ...]:
        """Do the work."""
        if self._stream is None:
            return self._work(*inputs)
        if self._recording is None and self._warmup_left:
            self._warmup_left -= 1
            return self._warm_up(*inputs)
        self._recording = self._recording or _Recording(self._work, inputs, self._stream)
        return self._recording.replay(inputs)

    def _warm_up(self, *inputs: Tensor) -> tuple[Tensor, ...]:
        """Work on the recording's stream: autograd remembers on which stream a parameter was first used."""
        assert self._stream is not None
        current = torch.cuda.current_stream(self._stream.device)
        self._stream.wait_stream(current)
        with torch.cuda.stream(self._stream):
            outputs = self._work(*inputs)
        current.wait_stream(self._stream)
        return outputs


class _Recording:
    """The kernels of one call, with static inputs and outputs."""

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

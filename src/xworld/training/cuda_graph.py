"""Work on a GPU, recorded once as a CUDA graph and replayed."""

from collections.abc import Callable

import torch
from torch import Tensor

_WARMUP_CALLS = 3
"""Warm-up calls before the recording, in which libraries choose kernels and optimizers create their state."""


class CudaGraphed:
    """A function of tensors with fixed shapes, recorded once as a CUDA graph and replayed; on a CPU a plain call.

    A replay launches hundreds of kernels for the price of one. Every call does the work exactly once.
    """

    def __init__(self, work: Callable[..., tuple[Tensor, ...]], device: torch.device, enabled: bool = True) -> None:
        self._work, self._warmup_left = work, _WARMUP_CALLS
        self._stream = _new_stream(device) if enabled and device.type == "cuda" else None
        self._graph: torch.cuda.CUDAGraph | None = None
        self._inputs: tuple[Tensor, ...] = ()
        self._outputs: tuple[Tensor, ...] = ()

    def __call__(self, *inputs: Tensor) -> tuple[Tensor, ...]:
        """Do the work."""
        if self._stream is None:
            return self._work(*inputs)
        if self._warmup_left:
            self._warmup_left -= 1
            return self._warm_up(self._stream, *inputs)
        self._graph = self._graph or self._record(self._stream, *inputs)
        for own, given in zip(self._inputs, inputs, strict=True):
            if own.shape != given.shape:
                raise ValueError(f"recorded for shape {tuple(own.shape)}, called with {tuple(given.shape)}")
            own.copy_(given, non_blocking=True)
        self._graph.replay()
        return tuple(output.clone() for output in self._outputs)

    def _warm_up(self, stream: torch.cuda.Stream, *inputs: Tensor) -> tuple[Tensor, ...]:
        """Work on the recording's stream: autograd remembers on which stream a parameter was first used."""
        current = torch.cuda.current_stream(stream.device)
        stream.wait_stream(current)
        with torch.cuda.stream(stream):
            outputs = self._work(*inputs)
        current.wait_stream(stream)
        return outputs

    def _record(self, stream: torch.cuda.Stream, *inputs: Tensor) -> torch.cuda.CUDAGraph:
        """The kernels of one call, with static inputs and outputs."""
        self._inputs = tuple(tensor.clone() for tensor in inputs)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=stream):
            self._outputs = self._work(*self._inputs)
        return graph


def _new_stream(device: torch.device) -> torch.cuda.Stream:
    return torch.cuda.Stream(device)  # type: ignore[no-untyped-call]

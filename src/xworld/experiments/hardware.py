"""How many jobs a machine bears at once."""

import multiprocessing
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor

GPU_MEMORY = 4 * 2**30
"""Bytes of a GPU's memory that a job may need."""
CORES = 2
"""Cores that a job keeps busy."""


def free_gpu_memory() -> list[int]:
    """Free bytes of every GPU. Asked in a process of its own: whoever asks takes half a gigabyte until it ends."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
        return process.submit(_free_gpu_memory).result()


def _free_gpu_memory() -> list[int]:
    import torch

    return [torch.cuda.mem_get_info(number)[0] for number in range(torch.cuda.device_count())]


def jobs_at_once(cores: int, gpus: Sequence[int]) -> int:
    """How many jobs a machine bears, from its cores and the free memory of its GPUs, if they are to be used.

    >>> jobs_at_once(16, [139 * 2**30]), jobs_at_once(16, [10 * 2**30]), jobs_at_once(4, []), jobs_at_once(1, [])
    (8, 2, 2, 1)
    """
    by_cores = max(1, cores // CORES)
    return min(by_cores, len(seats(gpus))) if gpus else by_cores


def seats(gpus: Sequence[int]) -> list[int]:
    """The number of the GPU for one job after the other: in turn, as long as its free memory has room for one more.

    Where none has any room, each is tried with one job.

    >>> seats([9 * 2**30, 2**30, 13 * 2**30]), seats([2**30, 2**30])
    ([0, 2, 0, 2, 2], [0, 1])
    """
    room = [free // GPU_MEMORY for free in gpus]
    taken = [gpu for turn in range(max(room, default=0)) for gpu, jobs in enumerate(room) if turn < jobs]
    return taken or list(range(len(gpus)))

"""The device to compute on. Torch takes a second to load, and is loaded only when needed."""

import os
from typing import TYPE_CHECKING, Literal, get_args

from xworld.world.checks import SettingsError, check_choice

if TYPE_CHECKING:
    import torch

DeviceName = Literal["auto", "cuda", "cpu"]


def choose_device(name: str = "auto") -> "torch.device":
    """The device named auto, cuda or cpu; auto is a GPU if there is one. Under torchrun each process has its own."""
    import torch

    check_choice("device", name, get_args(DeviceName))
    if name == "cuda" and not torch.cuda.is_available():
        raise SettingsError("--device cuda: PyTorch sees no GPU here; leave the option out to compute on the CPU")
    if name == "cpu" or not torch.cuda.is_available():
        return torch.device("cpu")
    device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))
    torch.cuda.set_device(device)
    return device


def describe_device(device: "torch.device") -> str:
    """A description of the device.

    >>> import torch
    >>> describe_device(torch.device("cpu")).startswith("CPU with ")
    True
    """
    import torch

    if device.type == "cuda":
        return torch.cuda.get_device_name(device)
    threads = torch.get_num_threads()
    return f"CPU with {threads} {'thread' if threads == 1 else 'threads'}"

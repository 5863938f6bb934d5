"""Copies of training states."""

from xworld.training.trainer import State


def copy_state(state: State) -> State:
    """A copy that does not change when its trainer goes on."""
    tensors, arrays, record = state
    return (
        {name: tensor.clone() for name, tensor in tensors.items()},
        {name: array.copy() for name, array in arrays.items()},
        record,
    )

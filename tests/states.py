"""Training states, kept while training goes on."""

from xworld.training.trainer import State


def copy_state(state: State) -> State:
    """A state that does not change with the trainer whose state it is."""
    tensors, arrays, record = state
    return (
        {name: tensor.clone() for name, tensor in tensors.items()},
        {name: array.copy() for name, array in arrays.items()},
        record,
    )

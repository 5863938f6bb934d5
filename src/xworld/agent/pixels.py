"""Pictures as the models take them: the distinct patches of a picture, and which of them is in each cell."""

import numpy as np
from numpy.typing import NDArray

from xworld.agent.sizes import VIEW


def distinct_patches(pixels: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """(patches, 12, 12, 3) distinct patches of (scenes, 156, 156, 3) pictures, and (scenes, 13, 13) which is where.

    Nothing is assumed about the pictures: a patch need not be one of a catalogue.

    >>> patches, cells = distinct_patches(np.zeros((2, 156, 156, 3), np.uint8))
    >>> patches.shape, cells.shape
    ((1, 12, 12, 3), (2, 13, 13))
    """
    scenes, size = len(pixels), pixels.shape[1] // VIEW
    cells = pixels.reshape(scenes, VIEW, size, VIEW, size, 3).swapaxes(2, 3).reshape(scenes * VIEW * VIEW, -1)
    words = np.ascontiguousarray(cells).view(np.uint64)
    # A random sum of a patch's words is a code by which patches are found equal: 54 numbers become one.
    factors = np.random.default_rng(0).integers(2**64 - 1, size=words.shape[1], dtype=np.uint64)
    _, first, which = np.unique((words * factors).sum(axis=1), return_index=True, return_inverse=True)
    return cells[first].reshape(-1, size, size, 3), which.reshape(scenes, VIEW, VIEW)

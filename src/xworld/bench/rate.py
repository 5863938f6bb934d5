"""How often something can be done."""

import time
from collections.abc import Callable


def calls_a_second(action: Callable[[int], object], seconds: float) -> float:
    """Call an action with 0, 1, 2, ... for so long, and say how many calls a second that made."""
    begun, turn = time.perf_counter(), 0
    while (passed := time.perf_counter() - begun) < seconds:
        action(turn)
        turn += 1
    return turn / passed

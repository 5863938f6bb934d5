"""A door from Python to the kernels that have none."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def compiled(kernel: Kernel) -> Kernel:
    """The kernel, to be called from a test."""

    @njit(_nrt=False)  # type: ignore[untyped-decorator]
    def call(*arguments: Any) -> Any:
        return kernel(*arguments)

    return cast(Kernel, call)

"""Kernels have no wrapper for Python; tests call them through this one."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def compiled(kernel: Kernel) -> Kernel:
    """A function that calls the kernel."""

    @njit(_nrt=False)  # type: ignore[untyped-decorator]
    def call(*arguments: Any) -> Any:
        return kernel(*arguments)

    return cast(Kernel, call)

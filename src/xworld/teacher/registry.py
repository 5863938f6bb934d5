"""The types of sentence that there are, each with the kernel that makes its offers: built-in ones, then your own."""

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, Generic, TypeVar, overload

from xworld.teacher.subtask import Subtask

Kind = TypeVar("Kind", bound=Subtask)


class Registry(Sequence[Kind], Generic[Kind]):
    """All types of command, or of question. The number of a type is its place; added types come last."""

    def __init__(self, *modules: ModuleType) -> None:
        self.names: list[str] = []
        """The name of each type; this list grows with the registry."""
        self.proposers: list[Callable[..., None]] = []
        """The kernel of each type, which makes its offers."""
        self._types: list[Kind] = []
        for module in modules:
            self.add(module.SUBTASK, module.propose)
        self._built_in = len(modules)

    def add(self, subtask: Kind, propose: Callable[..., None]) -> None:
        """Add a type; `extension.load_extension` does so for a file, after it has checked it."""
        self._types.append(subtask)
        self.names.append(subtask.name)
        self.proposers.append(propose)

    @property
    def added(self) -> tuple[str, ...]:
        """The names of the types that are not built in."""
        return tuple(self.names[self._built_in :])

    @overload
    def __getitem__(self, number: int) -> Kind: ...

    @overload
    def __getitem__(self, number: slice) -> list[Kind]: ...

    def __getitem__(self, number: Any) -> Any:
        return self._types[number]

    def __len__(self) -> int:
        return len(self._types)

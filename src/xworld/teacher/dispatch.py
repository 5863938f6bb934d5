"""From the number of a type to its kernel: two kernels that are generated from the registries.

Other kernels call them as attributes of this module, which the compiler reads when the first simulator runs.
"""

from collections.abc import Callable
from typing import Any

from xworld.teacher.commands import COMMANDS
from xworld.teacher.questions import QUESTIONS
from xworld.teacher.registry import Registry
from xworld.world.kernel import generated_kernel


def _choose_among(registry: Registry[Any], context: str) -> Callable[..., None]:
    """A kernel that lets one type, by its number, make its offers: an `if` for each."""
    branches = [f"    if subtask == {number}: return propose_{number}({context})" for number in range(len(registry))]
    namespace: dict[str, Any] = {f"propose_{number}": propose for number, propose in enumerate(registry.proposers)}
    namespace["__name__"] = __name__  # the cache of kernels imports the module of each when it is read
    exec("\n".join([f"def propose(subtask, {context}):", *branches]), namespace)
    return generated_kernel(namespace["propose"])


def remake() -> None:
    """Generate both kernels again, after a type was added."""
    global propose_command, propose_question
    propose_command = _choose_among(COMMANDS, "world, choice, speech, reach")
    propose_question = _choose_among(QUESTIONS, "world, choice, speech")


propose_command: Callable[..., None]
propose_question: Callable[..., None]
remake()

"""Checks of an extension: what would leave a sentence ambiguous, unreadable or too long is refused."""

import re
from collections.abc import Iterable
from inspect import signature

from xworld.teacher.commands import COMMANDS
from xworld.teacher.grammar import subtasks
from xworld.teacher.questions import QUESTIONS
from xworld.teacher.subtask import SLOTS, Command, Question
from xworld.teacher.vocabulary import CLOSING_MARKS, SENTENCE_LENGTH
from xworld.world.catalogue import COLORS
from xworld.world.cells import DIRECTIONS
from xworld.world.checks import SettingsError
from xworld.world.kernel import is_kernel, undecorated

MAX_QUESTIONS = 62
"""The types of question that still apply are the bits of an integer."""

_CONTEXT = {Command: ("world", "choice", "speech", "reach"), Question: ("world", "choice", "speech")}
_WORD = re.compile(r"[a-z]+")
_SLOT = re.compile(r"{(\w+)}")


def check_extension(origin: str, subtask: object, propose: object) -> None:
    """Refuse what is wrong with a type of sentence; the error names its file, or the type itself."""
    try:
        if not isinstance(subtask, Command | Question):
            raise SettingsError("expected SUBTASK = Command(...) or SUBTASK = Question(...)")
        _check_propose(propose, _CONTEXT[type(subtask)])
        _check_name(subtask.name)
        _check_forms(subtask)
        _check_words(subtask.answers, "answer")
        if len(QUESTIONS) >= MAX_QUESTIONS and isinstance(subtask, Question):
            raise SettingsError(f"there are {MAX_QUESTIONS} types of question already, the most that there can be")
    except SettingsError as error:
        raise SettingsError(f"{origin}: {error}") from None


def _check_propose(propose: object, context: tuple[str, ...]) -> None:
    wanted = f"@kernel and def propose({', '.join(context)})"
    if not is_kernel(propose):
        raise SettingsError(f"expected {wanted}")
    given = tuple(signature(undecorated(propose)).parameters)
    if len(given) != len(context):
        raise SettingsError(f"propose takes {', '.join(given) or 'nothing'}: expected {wanted}")


def _check_name(name: str) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise SettingsError(f"the name {name!r}: expected small letters, digits and underscores, such as 'nav_far_obj'")
    if name in (*COMMANDS.names, *QUESTIONS.names):
        raise SettingsError(f"the name {name!r} is taken; there are {', '.join((*COMMANDS.names, *QUESTIONS.names))}")


def _check_forms(subtask: Command | Question) -> None:
    if not subtask.forms:
        raise SettingsError("no template, or no phrase for one: expected at least one way to say it")
    taken = {form: other.name for other in subtasks() for form in other.forms}
    for form in subtask.forms:
        try:
            _check_form(form, subtask.slots)
            if form in taken:
                raise SettingsError(f"{taken[form]} is worded like this")
            taken[form] = "another form"
        except SettingsError as error:
            raise SettingsError(f"{form!r}: {error}") from None


def _check_form(form: str, slots: tuple[str, ...]) -> None:
    *tokens, mark = form.split() or [""]
    if mark not in CLOSING_MARKS:
        raise SettingsError("expected a full stop or a question mark at the end, after a space")
    if len(tokens) + 1 > SENTENCE_LENGTH:
        raise SettingsError(f"{len(tokens) + 1} words and marks: expected at most {SENTENCE_LENGTH}")
    found = [match[1] for token in tokens if (match := _SLOT.fullmatch(token))]
    if unknown := set(found) - set(SLOTS):
        raise SettingsError(f"no slot {{{min(unknown)}}}; there are {', '.join(f'{{{slot}}}' for slot in SLOTS)}")
    if sorted(found) != sorted(slots):
        raise SettingsError(f"expected the slots of the first form, each once: {', '.join(slots) or 'none'}")
    nouns = [slot for slot in found if slot in ("object", "second")]
    if nouns not in ([], ["object"], ["object", "second"]):
        raise SettingsError("expected {object} before {second}")
    _check_words([token for token in tokens if not _SLOT.fullmatch(token)], "word")
    if named := [token for token in tokens if token in (*DIRECTIONS, *COLORS)]:
        raise SettingsError(f"{named[0]!r} belongs into a slot, {{location}} or {{color}}")


def _check_words(words: Iterable[str], kind: str) -> None:
    for word in words:
        if not _WORD.fullmatch(word):
            raise SettingsError(f"{kind} {word!r}: expected small letters")

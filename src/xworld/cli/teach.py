"""`xworld teach`: show an agent a new thing, tell it the name, and see whether it obeys."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text
from tyro.conf import Positional

from xworld.cli.evaluate import find_agent

if TYPE_CHECKING:  # torch takes a second to load, and other commands do without it
    from xworld.evaluation.rate import Rate
    from xworld.word_learning import ForgettingReport, TaughtAgent, TeachingProgress

_BAR = 24
_SEEDS = 2**63


@dataclass(frozen=True)
class Teach:
    """Teach an agent a new word: a picture is shown, its name is the answer to questions and occurs nowhere else.

    Then the agent is tested with commands that name it, and in everything that it could before: on maps without the
    new thing, and on maps where it lies among others.
    """

    word: Positional[str]
    """A name that the agent has never heard, such as zebra: letters from a to z."""
    icon: Path
    """A picture of the thing: PNG, JPEG, GIF, WebP or BMP. The agent sees it at 12 x 12 pixels."""
    color: Literal["", "red", "green", "blue", "yellow"] = ""
    """Its color, if that has a word."""
    agent: str | None = None
    """A file with an agent's weights, also one that was taught a word before; without, the one of the package."""
    out: Path | None = None
    """Where the taught agent goes; without, <word>.safetensors. A file that is there already is left alone."""
    seed: int = 0
    """The seed of the teacher's questions."""
    sessions: int = 200
    """Test sessions of each type of command with the new word; ten times as many in all without it, and beside it."""

    def run(self) -> int:
        """Teach, test, print a table, and save."""
        if not 0 <= self.seed < _SEEDS:
            raise ValueError(f"--seed {self.seed}: expected a whole number from 0 to 2**63 - 1")
        if self.sessions < 1:
            raise ValueError(f"--sessions {self.sessions}: expected at least one")
        from xworld.training.pretrained import PRETRAINED, load_agent
        from xworld.word_learning import (
            check_word,
            evaluate_distractor,
            evaluate_forgetting,
            evaluate_word,
            load_catalogue,
            read_image,
            save_taught,
            teach,
        )

        file = find_agent(self.agent, PRETRAINED)
        catalogue = load_catalogue(file)
        out = self.out or Path(f"{check_word(self.word, catalogue)}.safetensors")
        _refuse_existing(out)
        agent, provenance = load_agent(file, catalogue, model="framework")
        picture, console = read_image(_read(self.icon)), Console(highlight=False)
        with Live(console=console, auto_refresh=False) as live:
            taught = teach(
                agent,
                catalogue,
                self.word,
                picture,
                self.color,
                self.seed,
                report=lambda progress: live.update(_line(self.word, progress), refresh=console.is_terminal),
            )
        with console.status("testing"):
            success, rest = evaluate_word(taught, self.sessions), evaluate_forgetting(taught, 10 * self.sessions)
            beside = evaluate_distractor(taught, 10 * self.sessions)
        _show(taught, success, rest, beside, console)
        _refuse_existing(out)
        save_taught(out, taught, provenance)
        console.print(
            Text(f"\n{out}  {out.stat().st_size / 1e6:.1f} MB; xworld evaluate {out} tests it"), soft_wrap=True
        )
        return 0


def make_table(word: str, success: "dict[str, Rate]", rest: "ForgettingReport", beside: "ForgettingReport") -> Table:
    """Success with the new word, and of all else before, after and beside it, by type of command and of question."""
    table = Table("%", box=None, pad_edge=False)
    for title in (f"'{word}'", "others before", "others after", "beside it"):
        table.add_column(title, justify="right")
    before, after, there = (report.success | report.recognition for report in (rest.before, rest.after, beside.after))
    for name in before:
        rates = (success.get(name), before[name], after[name], there.get(name))
        table.add_row(name, *map(_cell, rates), end_section=name == list(rest.before.success)[-1])
    return table


def _show(
    taught: "TaughtAgent",
    success: "dict[str, Rate]",
    rest: "ForgettingReport",
    beside: "ForgettingReport",
    console: Console,
) -> None:
    console.print()
    console.print(make_table(taught.word, success, rest, beside))
    name, points = rest.largest_drop
    lost = f"{name} fell most, by {points:.2f} points" if points > 0 else "nothing else fell"
    console.print(
        f"\n{taught.questions:,} questions; {taught.word!r} was the answer to some, and a part of none. No commands.\n"
        f"First column: success with commands that name it. {taught.seconds:.1f} s; {lost}.\n"
        f"{_say_beside(taught, beside)}",
        soft_wrap=True,
    )


def _say_beside(taught: "TaughtAgent", beside: "ForgettingReport") -> str:
    from xworld.word_learning import stand_in_tile

    instead, now = (
        f"{100 * report.overall.value:.2f} % of commands and {100 * report.overall_recognition.value:.2f} % of answers"
        for report in (beside.before, beside.after)
    )
    known = taught.base_catalogue.describe_tile(stand_in_tile(taught))
    return (
        f"Last column: all that does not name it, on maps where it lies. In all {now};\n"
        f"before, on the same maps with something known in its place ({known}), {instead}."
    )


def _line(word: str, progress: "TeachingProgress") -> Text:
    """How far it is; `right` is of the questions to which the new word is the answer, and of no others."""
    done = round(_BAR * progress.progress)
    return Text(
        f"{'━' * done}{'╌' * (_BAR - done)} {progress.questions:,} questions, "
        f"{word.strip().lower()!r} named rightly {100 * progress.accuracy:.0f} %, {progress.seconds:.1f} s"
    )


def _cell(rate: "Rate | None") -> str:
    return "" if rate is None or not rate.trials else f"{100 * rate.value:.2f}"


def _read(icon: Path) -> bytes:
    from xworld.word_learning.new_object import MAX_BYTES

    try:
        with icon.open("rb") as file:
            return file.read(MAX_BYTES + 1)  # one more than is accepted is enough to refuse it
    except OSError as error:
        raise ValueError(f"--icon {icon}: no picture can be read there ({error.strerror})") from error


def _refuse_existing(out: Path) -> None:
    if out.exists():
        raise ValueError(f"--out {out}: there is such a file already; name another or move it away")

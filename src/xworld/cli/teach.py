"""`xworld teach`: show an agent a new thing, tell it the name, and test whether it follows commands with it."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Table
from tyro.conf import Positional

from xworld.baselines.registry import FRAMEWORKS
from xworld.cli.display import number_table, percent, say
from xworld.cli.options import check_new_file
from xworld.world.checks import check_whole

if TYPE_CHECKING:  # torch takes a second to load, and other commands do without it
    from xworld.evaluation.rate import Rate
    from xworld.word_learning import ForgettingReport, TaughtAgent, TeachingProgress


@dataclass(frozen=True)
class TeachCommand:
    """Teach an agent a new word: it sees a picture, and hears the name only as the answer to questions.

    Then it is tested with commands that name the new thing, and in everything that it could do before: on maps without
    the new thing, and on maps where it lies among others.
    """

    word: Positional[str]
    """A name that the agent has never heard, such as zebra: letters from a to z."""
    icon: Path
    """A picture of the thing: PNG, JPEG, GIF, WebP or BMP. The agent sees it at 12 x 12 pixels."""
    color: str | None = None
    """Its color, if that has a word: green, red, blue, yellow, or another one that the pack names."""
    agent: str = "Standard"
    """A bundled agent, by the condition it was trained under (Standard, NWNavRec), or a file with weights; it may have
    been taught other words before."""
    pack: Path | None = None
    """Folder of the icon pack that the agent was trained with; without one, the built-in pack."""
    out: Path | None = None
    """Where to save the taught agent; by default <word>.safetensors. An existing file is not overwritten."""
    seed: int = 0
    """The seed of the teacher's questions."""
    sessions: int = 200
    """Test sessions of each type of command with the new word; ten times as many in all without it, and beside it."""

    def run(self) -> int:
        """Teach, test, print a table, and save."""
        check_whole("--seed", self.seed, 0)
        check_whole("--sessions", self.sessions, 1)
        from xworld.training.pretrained import find_weights, load_model
        from xworld.word_learning import check_word, load_catalogue, read_image, save_taught, teach

        file = find_weights(self.agent)
        catalogue = load_catalogue(file, self.pack)
        out = self.out or Path(f"{check_word(self.word, catalogue)}.safetensors")
        check_new_file("--out", out)
        agent, provenance = load_model(file, catalogue, models=FRAMEWORKS)
        picture, console = read_image(_read(self.icon)), Console(highlight=False)
        columns = BarColumn(24), TextColumn("{task.description}")
        with Progress(*columns, console=console, auto_refresh=False) as live:
            task = live.add_task("", total=1)

            def show(progress: "TeachingProgress") -> None:
                line = _progress_line(self.word, progress)
                live.update(task, completed=progress.progress, description=line, refresh=console.is_terminal)

            taught = teach(agent, catalogue, self.word, picture, self.color or "", self.seed, report=show)
        _test(taught, self.sessions, console)
        check_new_file("--out", out)
        save_taught(out, taught, provenance)
        say(console, f"\n{out}  {out.stat().st_size / 1e6:.1f} MB; to test it: xworld evaluate {out}")
        return 0


def _test(taught: "TaughtAgent", sessions: int, console: Console) -> None:
    from xworld.word_learning import evaluate_distractor, evaluate_forgetting, evaluate_word

    with console.status("testing"):
        success, rest = evaluate_word(taught, sessions), evaluate_forgetting(taught, 10 * sessions)
        beside = evaluate_distractor(taught, 10 * sessions)
    name, points = rest.largest_drop
    lost = f"{name} lost most, {points:.2f} points" if points > 0 else "nothing else lost anything"
    console.print("", make_table(taught.word, success, rest, beside))
    console.print(
        f"\nTaught in {taught.questions:,} questions and {taught.seconds:.1f} s, without commands; {taught.word!r} "
        f"was an answer, never part of a question.\n"
        f"First column: success with commands that name it. Others before and after: {lost}.\n"
        f"{_describe_beside(taught, beside)}",
        soft_wrap=True,
    )


def make_table(word: str, success: "dict[str, Rate]", rest: "ForgettingReport", beside: "ForgettingReport") -> Table:
    """Success with the new word, and of all else before, after and beside it, by type of command and question."""
    table = number_table("%", f"'{word}'", "others before", "others after", "beside it")
    before, after, there = (report.success | report.recognition for report in (rest.before, rest.after, beside.after))
    for name in before:
        rates = (success.get(name), before[name], after[name], there.get(name))
        table.add_row(name, *map(percent, rates), end_section=name == list(rest.before.success)[-1])
    return table


def _describe_beside(taught: "TaughtAgent", beside: "ForgettingReport") -> str:
    before, after = (
        f"{100 * report.overall.value:.2f} % of commands and {100 * report.overall_recognition.value:.2f} % of answers"
        for report in (beside.before, beside.after)
    )
    known = taught.base_catalogue.describe_tile(taught.stand_in_tile)
    return (
        f"Last column: everything that does not name it, on maps where it lies. Overall {after};\n"
        f"before, on the same maps with a known thing in its place ({known}), {before}."
    )


def _progress_line(word: str, progress: "TeachingProgress") -> str:
    """The rate counts only questions whose answer is the new word."""
    named = f"{word.strip().lower()!r} named correctly {100 * progress.accuracy:.0f} %"
    return f"{progress.questions:,} questions, {named}, {progress.seconds:.1f} s"


def _read(icon: Path) -> bytes:
    from xworld.word_learning.new_object import MAX_BYTES

    try:
        with icon.open("rb") as file:
            return file.read(MAX_BYTES + 1)  # one byte more than allowed is enough to refuse it
    except OSError as error:
        raise ValueError(f"--icon {icon}: no picture can be read there ({error.strerror})") from error

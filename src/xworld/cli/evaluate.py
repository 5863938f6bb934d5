"""`xworld evaluate`: how good an agent is, in test sessions that it has never seen."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from rich.console import Console
from rich.table import Table
from tyro.conf import Positional, arg

from xworld.cli.display import number_table, percent, say
from xworld.cli.options import check_new_file, check_new_folder
from xworld.evaluation.rate import Rate
from xworld.evaluation.splits import SplitName
from xworld.teacher.holdout import Holdout
from xworld.teacher.settings import TeacherSettings
from xworld.training.configs import from_json
from xworld.training.device import choose_device
from xworld.world.checks import SettingsError, check_whole

if TYPE_CHECKING:  # torch takes a second to load, and other commands do without it
    from xworld.agent.model import Model
    from xworld.evaluation.failures import FailureReport
    from xworld.evaluation.report import EvaluationReport
    from xworld.world.catalogue import Catalogue


@dataclass(frozen=True)
class EvaluateCommand:
    """Test an agent at full difficulty with the greedy policy, a quarter of the sessions for each type of command.

    If words or combinations were held out of its training, rows with a star show its success with commands that it
    never heard, each in a tenth as many sessions.
    """

    agent: Positional[str] = "Standard"
    """A bundled agent, by the condition it was trained under (Standard, NWNavRec), or a file with weights."""
    pack: Path | None = None
    """Folder of the icon pack that the agent was trained with; without one, the built-in pack."""
    sessions: int = 10_000
    """Test sessions in all."""
    split: SplitName = "validation"
    """Sessions to test in: those of validation for every choice, those of test for what you report."""
    own_worlds: bool = False
    """Test in the kind of worlds that the agent was trained in, instead of the full ones."""
    minimal_pairs: bool = False
    """Test also in pairs of sessions that differ in one noun, a tenth as many of each type: does the noun matter?"""
    nouns: bool = False
    """Show also the success of commands with each noun, by type of command, the worst noun first."""
    failures: Annotated[tuple[()] | tuple[Path] | None, arg(metavar="[FOLDER]")] = None
    """Show also why sessions failed and, given a new folder, draw one of each cause there; the agent comes before."""
    json: Path | None = None
    """Write the numbers to this file too; an existing file is not overwritten."""

    def run(self) -> int:
        """Test and print a table."""
        check_whole("--sessions", self.sessions, 4)
        check_new_file("--json", self.json)
        folder = self.failures[0] if self.failures else None
        if folder is not None:
            check_new_folder("--failures", folder)
            from xworld.figures.failures import draw_failures  # if Matplotlib is missing, this says so before the test
        from xworld.evaluation.zero_shot import holdout_of
        from xworld.training.pretrained import PRETRAINED, find_weights, load_model
        from xworld.word_learning import load_catalogue

        file = find_weights(self.agent)
        catalogue = load_catalogue(file, self.pack)
        agent, provenance = load_model(file, catalogue)
        for made in (self.json and self.json.parent, folder):  # not after the test, where its result would be lost
            if made is not None:
                made.mkdir(parents=True, exist_ok=True)
        holdout, console = holdout_of(provenance), Console(highlight=False)
        title = "bundled agent" if file in PRETRAINED.values() else file
        console.print(f"{title}: {_origin(provenance, catalogue.added_classes)}")
        if holdout != Holdout("Standard"):
            console.print(str(holdout))
        device, start = choose_device(), time.perf_counter()
        report = self._test(agent.to(device), provenance, holdout, catalogue)
        for table in make_tables(report):
            console.print("", table)
        seconds = time.perf_counter() - start
        console.print(f"\n{report.overall.trials:,} {report.split} sessions, {seconds:.0f} s on {device.type}")
        if self.json is not None:
            self.json.write_text(json.dumps(report.as_json(holdout), indent=1) + "\n")
        if folder is not None and report.failures is not None:
            _save(draw_failures(report.failures, catalogue), folder, console)
        return 0

    def _test(
        self, agent: "Model", provenance: dict[str, Any], holdout: Holdout, catalogue: "Catalogue"
    ) -> "EvaluationReport":
        from xworld.evaluation.success import evaluate

        settings = teacher_of(provenance) if self.own_worlds else TeacherSettings()
        test = self.sessions, self.split, catalogue, settings
        pairs, failures = self.minimal_pairs, self.failures is not None
        return evaluate(agent, *test, self.nouns, holdout, minimal_pairs=pairs, failures=failures)


def _save(pictures: dict[str, bytes], folder: Path, console: Console) -> None:
    for name, picture in pictures.items():
        (folder / name).write_bytes(picture)
        say(console, f"{folder / name}  {len(picture) / 1000:,.0f} kB")


def teacher_of(provenance: dict[str, Any]) -> TeacherSettings:
    """The settings of the worlds in which an agent was trained."""
    if "config" not in provenance:
        raise SettingsError("--own-worlds: the file does not say in which worlds its agent was trained")
    return from_json(provenance["config"]).teacher


def make_tables(report: "EvaluationReport") -> Iterator[Table]:
    """The rates of all tests that were made."""
    yield _rate_table(report)
    if report.minimal_pairs:
        rows = [
            (name, *_cells(rates.told_apart), percent(rates.both), percent(rates.single))
            for name, rates in report.minimal_pairs.items()
        ]
        yield number_table("minimal pairs, %", "pairs", "told apart", "95 % interval", "both", "each", rows=rows)
    if report.nouns:
        table = number_table("noun, %", *report.success, "sessions")
        for noun, by_type in report.nouns.items():
            cells = (percent(by_type.get(command), 1) for command in report.success)
            table.add_row(noun, *cells, f"{sum(rate.trials for rate in by_type.values()):,}")
        yield table
    if report.failures is not None:
        yield from _failure_tables(report.failures)


def _failure_tables(failures: "FailureReport") -> Iterator[Table]:
    """How many sessions failed for each cause, and at each length of the shortest path."""
    from xworld.evaluation.failures import CAUSES

    commands = next(iter(failures.causes.values()))
    table = number_table("why it failed", *commands, "all", "%")
    for cause, rates in failures.causes.items():
        share = failures.share(cause)
        table.add_row(CAUSES[cause], *(f"{rate.hits:,}" for rate in rates.values()), f"{share.hits:,}", percent(share))
    table.caption, table.caption_justify = "%: of all sessions", "left"
    yield table
    rows = [(name, f"{rate.hits:,}", *_cells(rate)) for name, rate in failures.lengths.items()]
    yield number_table("steps of the shortest path", "failed", "of", "%", "95 % interval", rows=rows)


def _rate_table(report: "EvaluationReport") -> Table:
    table = number_table("", "of", "%", "95 % interval")
    for name, rate in report.success.items():
        table.add_row(name, *_cells(rate))
    table.add_row("[bold]success overall[/]", *_cells(report.overall))
    for name, rate in report.starred.items():
        table.add_row(f"*{name}", *_cells(rate))
    table.add_row("path efficiency", "", f"{100 * report.path_efficiency:.1f}", "", end_section=True)
    for name, rate in report.recognition.items():
        table.add_row(name, *_cells(rate))
    table.add_row("[bold]recognition overall[/]", *_cells(report.overall_recognition))
    table.caption = (
        "path efficiency: steps of the shortest paths\nround all objects / steps taken, in sessions\n"
        "that succeeded; an agent that also walks over\nobjects may pass 100"
    )
    table.caption_justify = "left"
    return table


def _cells(rate: Rate) -> tuple[str, str, str]:
    interval = f"{100 * rate.low:.2f} to {100 * rate.high:.2f}" if rate.trials else ""
    return f"{rate.trials:,}", percent(rate), interval


def _origin(provenance: dict[str, object], taught: tuple[str, ...]) -> str:
    keys = "model", "condition", "seed", "global_step", "hardware"
    known = (f"{key} {provenance[key]}" for key in keys if key in provenance)
    return ", ".join([*known, *(f"taught {word!r}" for word in taught)])

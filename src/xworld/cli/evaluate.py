"""`xworld evaluate`: how good an agent is, in test sessions that it has never seen."""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from tyro.conf import Positional

from xworld.evaluation import TEST_SEED
from xworld.evaluation.rate import Rate
from xworld.teacher.holdout import CONDITIONS, Holdout
from xworld.teacher.settings import SettingsError, TeacherSettings
from xworld.training.configs import from_json
from xworld.training.device import choose_device

if TYPE_CHECKING:  # torch takes a second to load, and other commands do without it
    from xworld.evaluation.rate import PairRates
    from xworld.evaluation.report import EvaluationReport, NounRates

_TO_THE_POINT = 10
"""Each starred row and each row of minimal_pairs has this part of the sessions: 1,000 of 10,000."""


@dataclass(frozen=True)
class Evaluate:
    """Test an agent at full difficulty with the greedy policy, a quarter of the sessions for each type of command.

    Where words or combinations were held out of its training, starred rows show its success with commands that it
    never heard, each in a tenth as many sessions.
    """

    agent: Positional[str | None] = None
    """A file with an agent's weights, or the condition under which one of the package was trained; without, Standard.
    """
    sessions: int = 10_000
    """Test sessions in all."""
    seed: int = TEST_SEED
    """The seed of the first session; each has its own."""
    own_worlds: bool = False
    """Test in worlds such as the agent was trained in, instead of the full ones."""
    minimal_pairs: bool = False
    """Test also in pairs of sessions that differ in one noun, a tenth as many of each type: does it heed nouns?"""
    nouns: bool = False
    """Show also how often commands with each noun were obeyed, by their type, the worst first."""
    json: Path | None = None
    """Write the figures to this file as well; one that is there already is left alone."""

    def run(self) -> int:
        """Test and print a table."""
        if self.sessions < 4:
            raise ValueError(f"--sessions {self.sessions}: expected 4 or more")
        if self.json is not None and self.json.exists():
            raise ValueError(f"--json {self.json}: there is such a file already; name another or move it away")
        from xworld.evaluation.minimal_pairs import evaluate_minimal_pairs
        from xworld.evaluation.success import evaluate
        from xworld.evaluation.zero_shot import evaluate_zero_shot, holdout_of
        from xworld.training.pretrained import PRETRAINED, load_agent
        from xworld.word_learning.questions import teacher_settings_for
        from xworld.word_learning.taught_file import load_catalogue

        file = find_agent(self.agent, PRETRAINED)
        catalogue = load_catalogue(file)
        agent, provenance = load_agent(file, catalogue)
        holdout = holdout_of(provenance)
        settings = teacher_of(provenance) if self.own_worlds else teacher_settings_for(catalogue)
        console = Console(highlight=False)
        title = "the agent of the package" if file in PRETRAINED.values() else file
        console.print(f"{title}: {_origin(provenance, catalogue.added_classes)}")
        if holdout != Holdout("Standard"):
            console.print(str(holdout))
        begun = time.perf_counter()
        device = choose_device()
        agent, few = agent.to(device), max(1, self.sessions // _TO_THE_POINT)
        report = replace(
            evaluate(agent, self.sessions, self.seed, catalogue, settings, self.nouns),
            starred=evaluate_zero_shot(agent, holdout, few, self.seed, catalogue, settings),
            minimal_pairs=evaluate_minimal_pairs(agent, few, self.seed, catalogue, settings)
            if self.minimal_pairs
            else {},
        )
        _show(report, console)
        took = time.perf_counter() - begun
        console.print(f"\n{report.overall.trials:,} sessions from seed {self.seed}, {took:.0f} s on {device.type}")
        if self.json is not None:
            self.json.write_text(json.dumps(report.as_json(holdout), indent=1) + "\n")
        return 0


def find_agent(agent: str | None, pretrained: Mapping[str, Path]) -> Path:
    """The file of an agent that is named by its condition or by its path.

    >>> find_agent("NC", {"Standard": Path("standard.safetensors"), "NC": Path("nc.safetensors")}).name
    'nc.safetensors'
    """
    if agent is None or agent in pretrained:
        return pretrained[agent or "Standard"]
    if agent in CONDITIONS and not Path(agent).exists():
        raise ValueError(f"no agent of the package was trained under {agent}; there are {', '.join(pretrained)}")
    return Path(agent)


def teacher_of(provenance: dict[str, Any]) -> TeacherSettings:
    """The settings of the worlds in which an agent was trained."""
    if "config" not in provenance:
        raise SettingsError("--own-worlds: the file does not say in what worlds its agent was trained")
    return from_json(provenance["config"]).teacher


def make_table(report: "EvaluationReport") -> Table:
    """Rates with their 95 % intervals."""
    table = _right_aligned("", "of", "%", "95 % interval")
    for name, rate in report.success.items():
        table.add_row(name, *_cells(rate))
    table.add_row("[bold]success overall[/]", *_cells(report.overall))
    for name, rate in report.starred.items():
        table.add_row(f"*{name}", *_cells(rate))
    table.add_row("path efficiency", "", f"{100 * report.path_efficiency:.1f}", "", end_section=True)
    for name, rate in report.recognition.items():
        table.add_row(name, *_cells(rate))
    table.add_row("[bold]recognition overall[/]", *_cells(report.overall_recognition))
    return table


def make_pair_table(minimal_pairs: Mapping[str, "PairRates"]) -> Table:
    """How many pairs of sessions that differ in one noun were told apart; in how many both, and each, succeeded."""
    table = _right_aligned("minimal_pairs, %", "pairs", "told apart", "95 % interval", "both", "each")
    for name, rates in minimal_pairs.items():
        others = (f"{100 * rate.value:.2f}" for rate in (rates.both, rates.single))
        table.add_row(name, *_cells(rates.told_apart), *others)
    return table


def make_noun_table(nouns: Mapping[str, "NounRates"], commands: Sequence[str]) -> Table:
    """How often commands with each noun were obeyed, by their type."""
    table = _right_aligned("noun, %", *commands, "sessions")
    for noun, rates in nouns.items():
        cells = (f"{100 * rates[command].value:.1f}" if command in rates else "" for command in commands)
        table.add_row(noun, *cells, f"{sum(rate.trials for rate in rates.values()):,}")
    return table


def _show(report: "EvaluationReport", console: Console) -> None:
    console.print()
    console.print(make_table(report))
    if report.minimal_pairs:
        console.print()
        console.print(make_pair_table(report.minimal_pairs))
    if report.nouns:
        console.print()
        console.print(make_noun_table(report.nouns, list(report.success)))


def _right_aligned(first: str, *others: str) -> Table:
    """A table with names in its first column and numbers in the others."""
    table = Table(first, box=None, pad_edge=False)
    for title in others:
        table.add_column(title, justify="right")
    return table


def _cells(rate: Rate) -> tuple[str, str, str]:
    return f"{rate.trials:,}", f"{100 * rate.value:.2f}", f"{100 * rate.low:.2f} to {100 * rate.high:.2f}"


def _origin(provenance: dict[str, object], taught: tuple[str, ...]) -> str:
    known = [
        f"{key} {provenance[key]}"
        for key in ("model", "condition", "seed", "global_step", "hardware")
        if key in provenance
    ]
    return ", ".join([*known, *(f"taught {word!r}" for word in taught)])

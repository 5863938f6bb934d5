"""`xworld evaluate`: how good an agent is, in test sessions that it has never seen."""

import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from tyro.conf import Positional

from xworld.evaluation import TEST_SEED
from xworld.evaluation.intervals import Rate
from xworld.learning.presets import from_json
from xworld.teacher.settings import SettingsError, TeacherSettings

if TYPE_CHECKING:  # torch takes a second to load, and other commands do without it
    from xworld.evaluation.success import Report


@dataclass(frozen=True)
class Evaluate:
    """Test an agent at full difficulty with the greedy policy, a quarter of the sessions for each type of command."""

    checkpoint: Positional[Path | None] = None
    """The agent's weights; without any, those that come with the package."""
    sessions: int = 10_000
    """Test sessions in all."""
    seed: int = TEST_SEED
    """The seed of the first session; each has its own."""
    own_worlds: bool = False
    """Test in worlds such as the agent was trained in, instead of the full ones."""
    json: Path | None = None
    """Write the figures to this file as well; one that is there already is left alone."""

    def run(self) -> int:
        """Test and print a table."""
        if self.sessions < 4:
            raise ValueError(f"--sessions {self.sessions}: expected 4 or more")
        if self.json is not None and self.json.exists():
            raise ValueError(f"--json {self.json}: there is such a file already; name another or move it away")
        import torch

        from xworld.evaluation.success import evaluate
        from xworld.learning.bundled import load_agent

        agent, provenance = load_agent(self.checkpoint)
        begun = time.perf_counter()
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        settings = teacher_of(provenance) if self.own_worlds else None
        report = evaluate(agent.to(device), self.sessions, self.seed, settings=settings)
        console = Console()
        console.print(f"{self.checkpoint or 'the agent of the package'}: {_origin(provenance)}\n")
        console.print(make_table(report))
        took = time.perf_counter() - begun
        console.print(f"\n{report.overall.trials:,} sessions from seed {self.seed}, {took:.0f} s on {device.type}")
        if self.json is not None:
            self.json.write_text(json.dumps(as_json(report), indent=1) + "\n")
        return 0


def teacher_of(provenance: dict[str, Any]) -> TeacherSettings:
    """The settings of the worlds in which an agent was trained."""
    if "recipe" not in provenance:
        raise SettingsError("--own-worlds: the file does not say in what worlds its agent was trained")
    return from_json(provenance["recipe"]).teacher


def make_table(report: "Report") -> Table:
    """Rates with their 95 % intervals."""
    table = Table("", "of", "%", "95 % interval", box=None, pad_edge=False)
    for column in (1, 2, 3):
        table.columns[column].justify = "right"
    for name, rate in report.success.items():
        table.add_row(name, *_cells(rate))
    table.add_row("[bold]success overall[/]", *_cells(report.overall))
    table.add_row("path efficiency", "", f"{100 * report.path_efficiency:.1f}", "", end_section=True)
    for name, rate in report.recognition.items():
        table.add_row(name, *_cells(rate))
    table.add_row("[bold]recognition overall[/]", *_cells(report.overall_recognition))
    return table


def as_json(report: "Report") -> dict[str, object]:
    """The figures for other programs: rates and intervals from 0 to 1."""
    rates = {
        "overall": report.overall,
        **report.success,
        "recognition": report.overall_recognition,
        **report.recognition,
    }
    figures: dict[str, object] = {
        name: {"rate": rate.value, "low": rate.low, "high": rate.high, "trials": rate.trials}
        for name, rate in rates.items()
        if rate.trials
    }
    return {**figures, "path_efficiency": report.path_efficiency}


def _cells(rate: Rate) -> tuple[str, str, str]:
    return f"{rate.trials:,}", f"{100 * rate.value:.2f}", f"{100 * rate.low:.2f} to {100 * rate.high:.2f}"


def _origin(provenance: dict[str, object]) -> str:
    return ", ".join(
        f"{key} {provenance[key]}" for key in ("condition", "seed", "frames", "hardware") if key in provenance
    )

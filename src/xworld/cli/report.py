"""`xworld report`: the results of `xworld reproduce` as a page with tables and figures."""

import shlex
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from xworld.cli.display import say
from xworld.cli.reproduce import GRID_FOLDER


@dataclass(frozen=True)
class ReportCommand:
    """Write a page with tables, figures and conclusions, computed from the result files of `xworld reproduce`."""

    folder: Path = GRID_FOLDER
    """The folder of `xworld reproduce`."""
    page: Path = Path("docs/results.md")
    """The page to write; its figures go to the folder `images` beside it."""

    def run(self) -> int:
        """Write the page and its figures."""
        from xworld.experiments.report.page import write_report

        command = f"xworld report --folder {shlex.quote(str(self.folder))} --page {shlex.quote(str(self.page))}"
        report = write_report(self.folder, self.page, command)
        console = Console(highlight=False)
        for fault in report.faults:
            say(console, f"left out: {fault}")
        say(console, f"{self.page}: {len(report.cells.results)} results, {len(report.figures)} figures")
        return 0

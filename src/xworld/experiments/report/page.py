"""The page of the report: tables, figures, and text between them."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from filelock import FileLock

from xworld.experiments.grid import IN_ALL_CONDITIONS, Grid
from xworld.experiments.report import tables
from xworld.experiments.report.cells import Cells
from xworld.experiments.report.figures import draw_all, file_name
from xworld.experiments.report.style import DARK, LIGHT
from xworld.experiments.result import ResultError, read_all
from xworld.teacher.holdout import PAPER_SHARE
from xworld.teacher.settings import TeacherSettings
from xworld.training.atomic_file import write_atomic

IMAGES = "images"
NOTES = "notes.md"
"""Remarks for the reader, in the folder of results. They are copied to the page, so their links are the page's."""
_LOCK = ".lock"
_FULL_WORLDS = json.loads(json.dumps(asdict(TeacherSettings())))
"""The paper's worlds, as they stand in the settings of a result."""


@dataclass(frozen=True)
class WrittenReport:
    """The results and figures of a page that was written, and why some results were left out."""

    cells: Cells
    figures: list[str]
    faults: list[str]


def write_report(folder: Path, page: Path, command: str) -> WrittenReport:
    """Write the page and its figures from the results in a folder; the page names the `command` that made it."""
    if not folder.is_dir():
        raise ResultError(f"{folder} is no folder with results; `xworld reproduce` makes one")
    notes = _read_notes(folder / NOTES)
    with FileLock(folder / _LOCK):  # two processes that finish together would write one page at once
        results, faults = read_all(folder)
        if not results and page.exists():
            raise ResultError(f"{folder} holds no result that can be read: {page} is left as it is")
        cells = Cells(results)
        figures = draw_all(cells)
        images = page.parent / IMAGES
        images.mkdir(parents=True, exist_ok=True)
        for name, data in figures.items():
            write_atomic(images / name, data)
        write_atomic(page, compose(cells, list(figures), faults, command, notes).encode())
    return WrittenReport(cells, list(figures), faults)


def _read_notes(path: Path) -> str:
    """The remarks beside the results, if there are any."""
    try:
        return path.read_text(encoding="utf-8").strip() if path.exists() else ""
    except (OSError, UnicodeDecodeError) as error:
        raise ResultError(f"{path} cannot be read as UTF-8 text ({error}): repair it or move it away") from error


def compose(cells: Cells, figures: list[str], faults: list[str], command: str, notes: str = "") -> str:
    """The whole page."""
    parts = [
        *_head(cells, faults, command),
        *_all_models(cells, figures),
        *_never_heard(cells, figures),
        *_other_baselines(cells),
        *_shares(cells, figures),
        *_pairs(cells, figures),
        "## Answers",
        "Right answers by type of question, %.",
        tables.recognition_table(cells),
        notes,
        *_cost(cells),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _head(cells: Cells, faults: list[str], command: str) -> Iterator[str]:
    yield "# Results"
    yield f"Made by `{command}` from {len(cells.results)} result files of `xworld reproduce`."
    if cells.results:
        settings = [result.settings for result in cells.results]
        yield (
            f"Config {_all(entry['config']['name'] for entry in settings)}, "
            f"{_all(result.global_step for result in cells.results)} steps, xworld "
            f"{_all(result.versions['xworld'] for result in cells.results)}, seeds "
            f"{_all(entry['seed'] for entry in settings)}. Each agent was tested in "
            f"{_all(entry['sessions'] for entry in settings)} sessions, in "
            f"{_all(entry['held_out_sessions'] for entry in settings)} more for each row with a star, and in "
            f"{_all(entry['minimal_pairs'] for entry in settings)} minimal pairs of each type of command. Numbers are "
            f"means over seeds; ± gives half the 95 % interval (Student's t over {cells.most_seeds} seeds, unless a "
            f"cell names another number). An interval around a difference is computed from the differences seed by "
            f"seed."
        )
        if any(entry["config"]["teacher"] != _FULL_WORLDS for entry in settings):
            yield "These worlds are not the paper's: do not compare these numbers with the paper's."
    if faults:
        yield "Left out:\n\n" + "\n".join(f"- {fault}" for fault in faults)


def _all(values: Iterable[int | str]) -> str:
    """Every distinct value."""
    return ", ".join(f"{value:,}" if isinstance(value, int) else value for value in sorted(set(values), key=str))


def _all_models(cells: Cells, figures: list[str]) -> Iterator[str]:
    yield "## All models (Table 1a)"
    yield "Success in test sessions at full difficulty, %, trained and tested in Standard."
    yield tables.table_1a(cells)
    yield tables.conclude_1a(cells)
    caption = "Reward during training (the paper's Figure 3): mean over seeds, and the range from lowest to highest."
    yield _figure("rewards", "Reward of a training session against steps, for all models", caption, figures)


def _never_heard(cells: Cells, figures: list[str]) -> Iterator[str]:
    yield "## Commands never heard (Table 1b)"
    yield (
        "Success by type of command, %. Columns are the conditions of training; tests hold nothing out. In rows with a "
        "star, every command was held out of training. `*nav_obj` in NC is an exception: a single noun is no "
        "combination, so the command was heard in training, but its target has a color that no command named together "
        "with it. Therefore `*overall` leaves this row out in NC."
    )
    for model in IN_ALL_CONDITIONS:
        yield tables.table_1b(cells, model)
        yield tables.conclude_1b(cells, model)
    yield tables.conclude_ablation(cells)
    caption = "Filled: ours, with 95 % intervals. Rings: the paper's."
    yield _figure("conditions", "Success by type of command in four conditions, ours and the paper's", caption, figures)


def _other_baselines(cells: Cells) -> Iterator[str]:
    """Models that the paper tests in Standard only, if they were run in more conditions."""
    more = [model for model in cells.models if model not in IN_ALL_CONDITIONS and len(cells.conditions(model)) > 1]
    if more:
        yield "### The other baselines"
        yield "Not in the paper, which tests these models in Standard only."
        yield from (tables.table_1b(cells, model) for model in more)


def _shares(cells: Cells, figures: list[str]) -> Iterator[str]:
    shares = sorted({PAPER_SHARE, *Grid().shares, *cells.shares("framework", "NWNavRec")})
    yield "## More words held out"
    yield (
        "Not in the paper: the framework in NWNavRec, with more and more of the 40 object words heard in answers only. "
        "Success, %, on commands with such words and on all commands."
    )
    yield tables.shares_table(cells, shares)
    yield tables.conclude_shares(cells, shares)
    caption = "Means with 95 % intervals; the small dots are single seeds."
    yield _figure("shares", "Success against the share of words held out", caption, figures)


def _pairs(cells: Cells, figures: list[str]) -> Iterator[str]:
    yield "## Minimal pairs: does the noun matter?"
    yield (
        "Not in the paper: pairs of test sessions on the same map whose commands differ in one noun. A pair is told "
        "apart if each session reaches its target in time, and before the target of the other, %. The last columns: "
        "pairs in which both targets were reached by any path, and success in the same sessions one by one. The test "
        "matters most for `nav_bw_obj`, where most maps have a single place that could be meant."
    )
    yield tables.pairs_table(cells)
    caption = (
        "Filled: pairs told apart in Standard, with 95 % intervals. Hollow: success in the same sessions one by one."
    )
    yield _figure("pairs", "Pairs told apart and success in the same sessions, for all models", caption, figures)


def _cost(cells: Cells) -> Iterator[str]:
    yield "## Training cost"
    if not cells.results:
        yield "Nothing has been run."
        return
    yield tables.cost_table(cells)
    yield f"<details><summary>Every run</summary>\n\n{tables.runs_table(cells)}\n\n</details>"


def _figure(name: str, alternative: str, caption: str, figures: list[str]) -> str:
    """A figure in the colors of the reader's page, with its caption; empty if it could not be drawn."""
    light, dark = (f"{IMAGES}/{file_name(name, theme)}" for theme in (LIGHT, DARK))
    if file_name(name, LIGHT) not in figures:
        return ""
    return (
        f'<picture>\n  <source media="(prefers-color-scheme: dark)" srcset="{dark}">\n'
        f'  <img alt="{alternative}" src="{light}">\n</picture>\n\n*{caption}*'
    )

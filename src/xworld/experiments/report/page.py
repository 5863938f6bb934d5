"""The page of the report: tables, figures, and sentences between them."""

import json
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from xworld.experiments.grid import IN_ALL_CONDITIONS, Grid
from xworld.experiments.report import prose, tables
from xworld.experiments.report.cells import Cells
from xworld.experiments.report.figures import draw_all, file_name
from xworld.experiments.report.style import DARK, LIGHT
from xworld.experiments.result import ResultError, read_all
from xworld.teacher.holdout import PAPER_SHARE
from xworld.teacher.settings import TeacherSettings
from xworld.training.atomic_file import write_atomic
from xworld.training.run_folder import RunFolder, RunFolderError

IMAGES = "images"
NOTES = "notes.md"
"""In the folder of results: what their reader should know besides, put on the page as it stands.

Its links are those of the page, not of the folder.
"""
_FULL_WORLDS = json.loads(json.dumps(asdict(TeacherSettings())))
"""As the settings of a result have them."""
_LOOK = 0.1
"""Seconds between two looks whether another process has written its report."""


@dataclass(frozen=True)
class Report:
    """What was written, and which results could not be read."""

    cells: Cells
    figures: list[str]
    faults: list[str]


def write_report(folder: Path, page: Path, command: str) -> Report:
    """Write the page and its figures from the results in a folder; the page says that `command` made it."""
    if not folder.is_dir():
        raise ResultError(f"{folder} is no folder with results; `xworld reproduce` makes one")
    notes = _read_notes(folder / NOTES)
    with _alone(folder):
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
    return Report(cells, list(figures), faults)


def _read_notes(path: Path) -> str:
    """What was written down beside the results, if anything was."""
    try:
        return path.read_text(encoding="utf-8").strip() if path.exists() else ""
    except (OSError, UnicodeDecodeError) as error:
        raise ResultError(f"{path} cannot be read as UTF-8 text ({error}): mend it or move it away") from error


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Wait until no other process writes a report of the folder: two that end together would write one page at once."""
    with ExitStack() as stack:
        while True:
            try:
                stack.enter_context(RunFolder(folder, {}).lock())
                break
            except RunFolderError:
                time.sleep(_LOOK)
        yield


def compose(cells: Cells, figures: list[str], faults: list[str], command: str, notes: str = "") -> str:
    """The whole page."""
    parts = [
        *_head(cells, faults, command),
        *_all_models(cells, figures),
        *_never_heard(cells, figures),
        *_others(cells),
        *_shares(cells, figures),
        *_twins(cells, figures),
        *_answers(cells),
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
            f"Preset {_all(entry['config']['name'] for entry in settings)}, "
            f"{_all(result.global_step for result in cells.results)} steps, xworld "
            f"{_all(result.versions['xworld'] for result in cells.results)}, seeds "
            f"{_all(entry['seed'] for entry in settings)}. Each agent was tested in "
            f"{_all(entry['sessions'] for entry in settings)} sessions, in "
            f"{_all(entry['held_out_sessions'] for entry in settings)} more for each row with a star, and in "
            f"{_all(entry['minimal_pairs'] for entry in settings)} minimal pairs of each type of command. Figures are "
            f"means over seeds; what follows ± is half of the 95 % interval (Student's t over "
            f"{cells.most_seeds} seeds, or as many as a cell says)."
        )
        if any(entry["config"]["teacher"] != _FULL_WORLDS for entry in settings):
            yield "These worlds are not the paper's: none of the figures compares with its own."
    if faults:
        yield "Left out:\n\n" + "\n".join(f"- {fault}" for fault in faults)


def _all(values: Iterable[int | str]) -> str:
    """Every value that there is, once."""
    return ", ".join(f"{value:,}" if isinstance(value, int) else value for value in sorted(set(values), key=str))


def _all_models(cells: Cells, figures: list[str]) -> Iterator[str]:
    yield "## All models (Table 1a)"
    yield "Success in test sessions at full difficulty, %, trained and tested in Standard."
    yield tables.table_1a(cells)
    yield prose.say_table_1a(cells)
    caption = "Rewards in training (the paper's Figure 3): mean over seeds, and from the lowest to the highest."
    yield _figure("rewards", "Reward of a training session against steps, for all models", caption, figures)


def _never_heard(cells: Cells, figures: list[str]) -> Iterator[str]:
    yield "## Commands never heard (Table 1b)"
    yield (
        "Success by type of command, %. The columns are the conditions of training; tests hold nothing out. In rows "
        "with a star, every command was held out of training, but for `*nav_obj` in NC: a single noun is no "
        "combination, so there the object that is meant has a color which no command named together with it, while "
        "the command itself is heard in training. So `*overall` leaves that row out in NC: it is over commands that "
        "training never contained."
    )
    for model in IN_ALL_CONDITIONS:
        yield tables.table_1b(cells, model)
        yield " ".join(filter(None, (prose.say_table_1b(cells, model), prose.say_zero_shot(cells, model))))
    yield prose.say_lead(cells)
    caption = "Filled: ours, with 95 % intervals. Rings: the paper's."
    yield _figure("conditions", "Success by type of command in four conditions, ours and the paper's", caption, figures)


def _others(cells: Cells) -> Iterator[str]:
    """Models that the paper tests in Standard alone, where they were run in more."""
    more = [model for model in cells.models if model not in IN_ALL_CONDITIONS and len(cells.conditions(model)) > 1]
    if more:
        yield "### The other baselines"
        yield "Beyond the paper, which tests these models in Standard alone."
        yield from (tables.table_1b(cells, model) for model in more)


def _shares(cells: Cells, figures: list[str]) -> Iterator[str]:
    shares = sorted({PAPER_SHARE, *Grid().shares, *cells.shares("framework", "NWNavRec")})
    yield "## More words held out"
    yield (
        "Beyond the paper: the framework in NWNavRec, with more and more of the 40 object words heard in answers only. "
        "Success, %, on commands with such words and on all commands."
    )
    yield tables.shares_table(cells, shares)
    yield prose.say_shares(cells, shares)
    caption = "Means with 95 % intervals; the small dots are single seeds."
    yield _figure("shares", "Success against the share of words held out", caption, figures)


def _twins(cells: Cells, figures: list[str]) -> Iterator[str]:
    yield "## Does it heed the nouns?"
    yield (
        "Beyond the paper: pairs of test sessions on one map whose commands differ in one noun. A pair is told apart "
        "if each target is reached in time and before the other one's, %. The last columns are pairs whose targets "
        "were both reached, on whatever way, and the success of the same sessions one by one."
    )
    yield tables.pairs_table(cells)
    yield prose.say_twins(cells)
    caption = "Filled: pairs told apart, with 95 % intervals. Hollow: success in the same sessions one by one."
    yield _figure(
        "minimal_pairs", "Pairs told apart, beside success in the same sessions, for all models", caption, figures
    )


def _answers(cells: Cells) -> Iterator[str]:
    yield "## Answers"
    yield "Right answers by type of question, %."
    yield tables.recognition_table(cells)
    yield prose.say_recognition(cells)


def _cost(cells: Cells) -> Iterator[str]:
    yield "## What it took"
    if not cells.results:
        yield "Nothing has been run."
        return
    yield tables.cost_table(cells)
    yield f"<details><summary>Every run</summary>\n\n{tables.runs_table(cells)}\n\n</details>"


def _figure(name: str, alternative: str, caption: str, figures: list[str]) -> str:
    """A figure in the colors of the reader's page, and what it shows; nothing where it could not be drawn."""
    light, dark = (f"{IMAGES}/{file_name(name, theme)}" for theme in (LIGHT, DARK))
    if file_name(name, LIGHT) not in figures:
        return ""
    return (
        f'<picture>\n  <source media="(prefers-color-scheme: dark)" srcset="{dark}">\n'
        f'  <img alt="{alternative}" src="{light}">\n</picture>\n\n*{caption}*'
    )

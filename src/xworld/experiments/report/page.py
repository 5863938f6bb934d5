"""The page of the report: tables, figures, and text between them."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from filelock import FileLock

from xworld.experiments.grid import IN_ALL_CONDITIONS, Grid
from xworld.experiments.report import tables
from xworld.experiments.report.ablation import describe_ablations, is_ablation
from xworld.experiments.report.cells import Cells
from xworld.experiments.report.figures import draw_all
from xworld.experiments.report.style import DARK, LIGHT
from xworld.experiments.result import ResultError, read_all
from xworld.teacher.holdout import PAPER_SHARE
from xworld.teacher.settings import TeacherSettings
from xworld.training.atomic_file import write_atomic
from xworld.world.catalogue import MAX_TILES

IMAGES = "images"
NOTES = "notes.md"
"""Remarks for the reader, in the folder of results. They are copied to the page, so their links are the page's."""
_FULL_WORLDS = [json.loads(json.dumps(asdict(TeacherSettings(classes=(4, most))))) for most in (40, MAX_TILES)]
"""The paper's worlds, as they stand in the settings of a result: 40 classes, which are all of them."""
_NEVER_HEARD = (
    "Success by type of command, %. Columns are the conditions of training; tests hold nothing out. In rows with a "
    "star, every command was held out of training. `*nav_obj` in NC is an exception: a single noun is no combination, "
    "so the command was heard in training, but its target has a color that no command named together with it. "
    "Therefore `*overall` leaves this row out in NC."
)
_MORE_WORDS = (
    "Not in the paper: the planner in NWNavRec, with more and more of the 40 object words heard in answers only. "
    "Success, %, on commands with such words and on all commands."
)
_MINIMAL_PAIRS = (
    "Not in the paper: pairs of test sessions on the same map whose commands differ in one noun. A pair is told apart "
    "if each session reaches its target in time, and before the target of the other, %. The last columns: pairs in "
    "which both targets were reached by any path, and success in the same sessions one by one. The test matters most "
    "for `nav_bw_obj`, where most maps have a single place that could be meant."
)
_ABLATIONS = (
    "The first line of a table is the config itself. In each of the others, one of its settings is as the paper prints "
    "it, and the rest is the config's. Success and right answers, %. Below each table stands what differs by the order "
    "of the runs (rank-sum test, p at most 0.05 to one side): three runs that are all worse than three others do."
)
_CAPTIONS = {
    "rewards": (
        "Reward of a training session against steps, for all models",
        "Reward during training (the paper's Figure 3): mean over seeds, and the range from lowest to highest.",
    ),
    "conditions": (
        "Success by type of command in four conditions, ours and the paper's",
        "Filled: ours, with 95 % intervals. Rings: the paper's.",
    ),
    "shares": (
        "Success against the share of words held out",
        "Means with 95 % intervals; the small dots are single seeds.",
    ),
    "pairs": (
        "Pairs told apart and success in the same sessions, for all models",
        "Filled: pairs told apart in Standard, with 95 % intervals. Hollow: success in the same sessions one by one.",
    ),
}
"""The alternative text of each figure, and its caption."""


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
    with FileLock(folder / ".lock"):  # two processes that finish together would write one page at once
        results, faults = read_all(folder)
        if not results and page.exists():
            raise ResultError(f"{folder} holds no result that can be read: {page} is left as it is")
        cells = Cells(results)
        figures = {} if is_ablation(results) else draw_all(cells, page.stem)
        images = page.parent / IMAGES
        (images if figures else page.parent).mkdir(parents=True, exist_ok=True)
        for name, data in figures.items():
            write_atomic(images / name, data)
        text = _compose_ablations if is_ablation(results) else compose
        write_atomic(page, text(cells, list(figures), faults, command, notes).encode())
    return WrittenReport(cells, list(figures), faults)


def _read_notes(path: Path) -> str:
    """The remarks beside the results, if there are any."""
    try:
        return path.read_text(encoding="utf-8").strip() if path.exists() else ""
    except (OSError, UnicodeDecodeError) as error:
        raise ResultError(f"{path} cannot be read as UTF-8 text ({error}): repair it or move it away") from error


def compose(cells: Cells, figures: list[str], faults: list[str], command: str, notes: str = "") -> str:
    """The whole page; without a result in which something is held out, also without the tables of that."""
    parts = [
        "# Results",
        f"Made by `{command}` from {len(cells.results)} result files of `xworld reproduce`.",
        *_describe_runs(cells),
        _left_out(faults),
        "## All models (Table 1a)",
        "Success in test sessions at full difficulty, %, trained and tested in Standard.",
        tables.table_1a(cells),
        tables.conclude_1a(cells),
        _figure("rewards", figures),
        *(_describe_held_out(cells, figures) if cells.hold_something_out(cells.models) else ()),
        "## Minimal pairs: does the noun matter?",
        _MINIMAL_PAIRS,
        tables.pairs_table(cells),
        _figure("pairs", figures),
        "## Answers",
        "Right answers by type of question, %.",
        tables.recognition_table(cells),
        notes,
        "## Training cost",
        tables.cost_table(cells) if cells.results else "Nothing has been run.",
        f"<details><summary>Every run</summary>\n\n{tables.runs_table(cells)}\n\n</details>" if cells.results else "",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _describe_held_out(cells: Cells, figures: list[str]) -> Iterator[str]:
    """What becomes of commands that were never heard."""
    yield "## Commands never heard (Table 1b)"
    yield _NEVER_HEARD
    for model in IN_ALL_CONDITIONS:
        yield tables.table_1b(cells, model)
        yield tables.conclude_1b(cells, model)
    yield tables.conclude_ablation(cells)
    yield _figure("conditions", figures)
    yield from _other_models(cells)
    shares = sorted({PAPER_SHARE, *Grid().shares, *cells.shares("planner", "NWNavRec")})
    yield "## More words held out"
    yield _MORE_WORDS
    yield tables.shares_table(cells, shares)
    yield tables.conclude_shares(cells, shares)
    yield _figure("shares", figures)


def _compose_ablations(cells: Cells, _: list[str], faults: list[str], command: str, notes: str) -> str:
    """The page of a folder with ablations."""
    names = sorted({result.settings["config"]["name"] for result in cells.results})
    parts = [
        f"# What each setting of {' and '.join(f'`{name}`' for name in names)} does",
        f"Made by `{command}` from {len(cells.results)} result files of `xworld reproduce`.",
        *_describe_runs(cells),
        _left_out(faults),
        _ABLATIONS,
        *describe_ablations(cells.results),
        notes,
        "## Training cost",
        tables.cost_table(cells),
        f"<details><summary>Every run</summary>\n\n{tables.runs_table(cells)}\n\n</details>",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _left_out(faults: list[str]) -> str:
    return "Left out:\n\n" + "\n".join(f"- {fault}" for fault in faults) if faults else ""


def _describe_runs(cells: Cells) -> Iterator[str]:
    """How the agents were trained and tested."""
    if not cells.results:
        return
    seeds_of_a_cell = (
        "the seeds of its line"
        if is_ablation(cells.results)
        else f"{cells.most_seeds} seeds, unless a cell names another number"
    )
    settings = [result.settings for result in cells.results]
    names = "seed", "sessions", "held_out_sessions", "minimal_pairs"
    seeds, sessions, held_out, pairs = (_all(entry[name] for entry in settings) for name in names)
    splits = _all(result.evaluation["split"] for result in cells.results)
    yield (
        f"Config {_all(entry['config']['name'] for entry in settings)}, "
        f"{_all(result.global_step for result in cells.results)} steps, xworld "
        f"{_all(result.versions['xworld'] for result in cells.results)}, seeds {seeds}. Each agent was tested in "
        f"{sessions} {splits} sessions, in {held_out} more for each row with a star, and in {pairs} minimal pairs of "
        f"each type of command. Numbers are means over seeds; ± gives half the 95 % interval (Student's t over "
        f"{seeds_of_a_cell}). An interval around a difference is computed from the differences seed by seed."
    )
    if any(entry["config"]["teacher"] not in _FULL_WORLDS or entry.get("pack") for entry in settings):
        yield "These worlds are not the paper's: do not compare these numbers with the paper's."


def _all(values: Iterable[int | str]) -> str:
    """Every distinct value."""
    return ", ".join(f"{value:,}" if isinstance(value, int) else value for value in sorted(set(values), key=str))


def _other_models(cells: Cells) -> Iterator[str]:
    """Models that the paper tests in Standard only or not at all, if they were run in more conditions."""
    more = [model for model in cells.models if model not in IN_ALL_CONDITIONS and len(cells.conditions(model)) > 1]
    if more:
        yield "### The other models"
        yield "Not in the paper, which tests its other baselines in Standard only."
        yield from (tables.table_1b(cells, model) for model in more)


def _figure(name: str, figures: list[str]) -> str:
    """A figure in the colors of the reader's page, with its caption; empty if it could not be drawn."""
    files = [file for theme in (LIGHT, DARK) for file in figures if file.endswith(f"-{name}-{theme.name}.svg")]
    if not files:
        return ""
    light, dark = files
    alternative, caption = _CAPTIONS[name]
    return (
        f'<picture>\n  <source media="(prefers-color-scheme: dark)" srcset="{IMAGES}/{dark}">\n'
        f'  <img alt="{alternative}" src="{IMAGES}/{light}">\n</picture>\n\n*{caption}*'
    )

"""The tables of the report, in Markdown: ours beside the paper's."""

from collections.abc import Iterable, Sequence

from xworld.baselines.registry import MODEL_NAMES, ModelName
from xworld.experiments.report.cells import NOT_RUN, Cells
from xworld.experiments.report.paper import ROWS, TABLE_1A, TABLE_1B, TITLES
from xworld.teacher.holdout import CONDITIONS
from xworld.teacher.settings import COMMAND_NAMES, QUESTION_NAMES

NOT_APPLICABLE = "-"
_OVERALL = {"nav_bw_obj": "overall", "*nav_bw_obj": "*overall"}
"""After which rows a row for all of them follows; the paper has none."""


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table, its first column to the left and the others to the right.

    >>> print(markdown(["", "a"], [["b", "1"]]))
    |  | a |
    | :-- | --: |
    | b | 1 |
    """
    lines = [head, [":--", *["--:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def table_1a(cells: Cells) -> str:
    """Overall success of all models in Standard."""
    titles = ["", *(TITLES[model] for model in MODEL_NAMES)]
    ours = ["ours", *(cells.text(model, "Standard", "overall") for model in MODEL_NAMES)]
    paper = ["the paper", *(f"{TABLE_1A[model]:.1f}" for model in MODEL_NAMES)]
    return markdown(titles, [ours, paper])


def table_1b(cells: Cells, model: ModelName) -> str:
    """Success of a model by type of command and condition; with a star, on commands that were held out."""
    paper = TABLE_1B.get(model, {})
    head = [TITLES[model]] + [name for condition in CONDITIONS for name in (condition, *["the paper"] * bool(paper))]
    rows = []
    for row in ROWS:
        rows.append(_row_1b(cells, model, row))
        if row in _OVERALL:
            rows.append(_row_1b(cells, model, _OVERALL[row]))
    return markdown(head, rows)


def _row_1b(cells: Cells, model: ModelName, row: str) -> list[str]:
    paper = TABLE_1B.get(model, {})
    line = [_code(row)]
    for condition in CONDITIONS:
        nothing_held_out = condition == "Standard" and row.startswith("*")
        line.append(NOT_APPLICABLE if nothing_held_out else cells.text(model, condition, row))
        if paper:
            printed = paper.get((row, condition))
            line.append(NOT_APPLICABLE if printed is None else f"{printed:.1f}")
    return line


def recognition_table(cells: Cells) -> str:
    """Right answers by type of question, in Standard, and over all questions in every condition."""
    head = ["", *(TITLES[model] for model in MODEL_NAMES)]
    rows = [
        [_code(name), *(cells.text(model, "Standard", name) for model in MODEL_NAMES)]
        for name in (*QUESTION_NAMES, "recognition")
    ]
    rows[-1][0] = "all, Standard"
    for condition in CONDITIONS[1:]:
        line = [cells.text(model, condition, "recognition") for model in MODEL_NAMES]
        if set(line) != {NOT_RUN}:
            rows.append([f"all, {condition}", *line])
    return markdown(head, rows)


def pairs_table(cells: Cells) -> str:
    """Pairs of sessions told apart, beside success in the same sessions, both of a pair or one by one."""
    head = ["", "", *map(_code, COMMAND_NAMES), "all", "both reached", "single sessions"]
    names = [*(f"pairs_{name}" for name in COMMAND_NAMES), "pairs_overall", "pairs_both", "pairs_single"]
    rows = [
        [TITLES[model], condition, *(cells.text(model, condition, name) for name in names)]
        for model in MODEL_NAMES
        for condition in cells.conditions(model) or ["Standard"]
    ]
    return markdown(head, rows)


def shares_table(cells: Cells, shares: Sequence[float]) -> str:
    """Success of the framework in NWNavRec with more and more words held out."""
    rows = [
        [
            f"{100 * share:g} %",
            *(cells.text("framework", "NWNavRec", name, share) for name in ("*overall", "overall", "recognition")),
            str(len(cells.runs("framework", "NWNavRec", share))),
        ]
        for share in shares
    ]
    return markdown(["words held out", "held-out commands", "all commands", "answers", "seeds"], rows)


def cost_table(cells: Cells) -> str:
    """What each model took, by the machine that trained it."""
    rows = []
    for model in cells.models:
        own = [result for result in cells.results if result.job.model == model]
        for hardware in sorted({result.hardware for result in own}):
            group = [result for result in own if result.hardware == hardware]
            global_step, seconds = (
                {result.global_step for result in group},
                [result.seconds["training"] for result in group],
            )
            rows.append([TITLES[model], hardware, str(len(group)), _span(global_step), _span(seconds)])
    return markdown(["", "hardware", "runs", "global_step a run", "seconds of training a run"], rows)


def runs_table(cells: Cells) -> str:
    """Every run by itself."""
    rows = []
    for result in cells.results:
        rates = [result.rate(name) for name in ("overall", "*overall", "recognition", "pairs_overall")]
        shown = [NOT_APPLICABLE if rate is None else f"{100 * rate:.2f}" for rate in rates]
        rows.append([_code(result.job.name), *shown, f"{result.global_step:,}", f"{result.seconds['training']:,.0f}"])
    return markdown(["run", "success", "held-out", "answers", "minimal_pairs", "global_step", "seconds"], rows)


def _span(values: Iterable[float]) -> str:
    low, high = min(known := list(values)), max(known)
    return f"{low:,.0f}" if f"{low:,.0f}" == f"{high:,.0f}" else f"{low:,.0f} to {high:,.0f}"


def _code(name: str) -> str:
    return f"`{name}`"

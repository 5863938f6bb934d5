"""The tables of the report in Markdown, ours beside the paper's, and the conclusions that no single cell shows."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from xworld.experiments.report.cells import NOT_RUN, Cells, Estimate
from xworld.experiments.report.paper import ROWS, TABLE_1A, TABLE_1B, title_of
from xworld.teacher.holdout import CONDITIONS
from xworld.teacher.settings import COMMAND_NAMES, QUESTION_NAMES

NOT_APPLICABLE = "-"
_OVERALL = {"nav_bw_obj": "overall", "*nav_bw_obj": "*overall"}
"""The rows that are followed by a row over all types; the paper has none."""
_MOST_LISTED = 6
"""Cells or pairs of models that a sentence lists."""


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table with its first column aligned to the left and the others to the right.

    >>> print(markdown(["", "a"], [["b", "1"]]))
    |  | a |
    | :-- | --: |
    | b | 1 |
    """
    lines = [head, [":--", *["--:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def table_1a(cells: Cells) -> str:
    """Overall success of all models in Standard."""
    titles = ["", *map(title_of, cells.columns)]
    ours = ["ours", *(cells.text(model, "Standard", "overall") for model in cells.columns)]
    paper = [f"{TABLE_1A[model]:.1f}" if model in TABLE_1A else NOT_APPLICABLE for model in cells.columns]
    return markdown(titles, [ours, ["the paper", *paper]])


def conclude_1a(cells: Cells) -> str:
    """How the framework compares with the paper, which models the intervals separate, and in which order."""
    found = {model: estimate for model in cells.columns if (estimate := cells.estimate(model, "Standard", "overall"))}
    sentences = []
    if ours := found.get("framework"):
        gain, side = ours.mean - TABLE_1A["framework"], ours.side(TABLE_1A["framework"])
        interval = {None: "one seed, no interval", "around": "within the interval"}.get(side, "outside the interval")
        direction = "below" if gain < 0 else "above"
        sentences.append(f"The framework is {abs(gain):.1f} points {direction} the paper's number ({interval}).")
    ranked = sorted((model for model in found if found[model].half is not None), key=lambda model: -found[model].mean)
    pairs = list(combinations(ranked, 2))
    overlapping = [pair for pair in pairs if not found[pair[0]].is_apart_from(found[pair[1]])]
    if overlapping:
        listed = "; ".join(_list(title_of(model) for model in pair) for pair in overlapping[:_MOST_LISTED])
        more = f"; and {len(overlapping) - _MOST_LISTED} more pairs" if len(overlapping) > _MOST_LISTED else ""
        sentences.append(f"Intervals overlap, so it is open which is better: {listed}{more}.")
    return " ".join([*sentences, *_compare_order([pair for pair in pairs if pair not in overlapping])])


def _compare_order(pairs: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Whether pairs of models, the better one first, are in the paper's order; it says nothing of other models."""
    pairs = [pair for pair in pairs if TABLE_1A.keys() >= {*pair}]
    swapped = [(better, worse) for better, worse in pairs if TABLE_1A[better] < TABLE_1A[worse]]
    parts = [
        f"{title_of(model)} is better than {_list(title_of(worse) for better, worse in swapped if better == model)}"
        for model in dict.fromkeys(better for better, _ in swapped)
    ]
    if parts:
        yield f"Unlike in the paper, {'; '.join(parts)}."
    elif pairs:
        yield "Where intervals do not overlap, the models are in the paper's order."


def table_1b(cells: Cells, model: str) -> str:
    """Success of a model by type of command and condition; a star marks held-out commands."""
    beside_paper = ["the paper"] * (model in TABLE_1B)
    head = [title_of(model), *(name for condition in CONDITIONS for name in (condition, *beside_paper))]
    rows = [name for row in ROWS for name in (row, _OVERALL.get(row)) if name]
    return markdown(head, [_row_1b(cells, model, row) for row in rows])


def _row_1b(cells: Cells, model: str, row: str) -> list[str]:
    line = [_code(row)]
    for condition in CONDITIONS:
        nothing_held_out = condition == "Standard" and row.startswith("*")
        line.append(NOT_APPLICABLE if nothing_held_out else cells.text(model, condition, row))
        if model in TABLE_1B:
            printed = TABLE_1B[model].get((row, condition))
            line.append(NOT_APPLICABLE if printed is None else f"{printed:.1f}")
    return line


def conclude_1b(cells: Cells, model: str) -> str:
    """How many cells lie above and below the paper's, and what it costs that a command was never heard."""
    paper = TABLE_1B.get(model, {})
    found = {cell: estimate for cell in paper if (estimate := cells.estimate(model, cell[1], cell[0]))}
    sides = {cell: estimate.side(paper[cell]) for cell, estimate in found.items()}
    count, sentences = Counter(sides.values()), []
    if found:
        sentences.append(
            f"Of {len(found)} cells, {count['above']} lie above the paper's number with their whole interval, "
            f"{count['around']} contain it, {count['below']} lie below"
            + (f" and {count[None]} have one seed, so no interval." if count[None] else ".")
        )
    below = sorted((cell for cell in found if sides[cell] == "below"), key=lambda c: found[c].mean - paper[c])
    if below:
        listed = _list(f"{_code(row)} in {condition}" for row, condition in below[:_MOST_LISTED])
        sentences.append(f"Farthest below: {listed}.")
    costs = _differences(cells, (model, "overall"), (model, "*overall"))
    if costs:
        sentences.append(f"Success on all commands minus success on commands never heard, in points: {costs}.")
    return " ".join(sentences)


def conclude_ablation(cells: Cells) -> str:
    """How much the framework gains on held-out commands over the ablation without word attention."""
    gains = _differences(cells, ("framework", "*overall"), ("simple_attention", "*overall"))
    return f"Framework minus SimpleAttention on commands never heard, in points: {gains}." if gains else ""


def _differences(cells: Cells, first: tuple[str, str], second: tuple[str, str]) -> str:
    """The difference of two rates in each condition, paired by seed: a seed holds the same out for all models."""
    parts = []
    for condition in CONDITIONS[1:]:
        one, other = (cells.rates(model, condition, name) for model, name in (first, second))
        if both := [one[seed] - other[seed] for seed in one if seed in other]:
            difference = Estimate.of(both)
            doubt = {None: " (one seed)", "around": " (may be chance)"}.get(difference.side(0.0), "")
            parts.append(f"{condition} {difference}{doubt}")
    return _list(parts)


def recognition_table(cells: Cells) -> str:
    """Right answers by type of question in Standard, and over all questions in every condition."""
    head = ["", *map(title_of, cells.columns)]
    rows = [[_code(name), *(cells.text(model, "Standard", name) for model in cells.columns)] for name in QUESTION_NAMES]
    for condition in CONDITIONS:
        line = [cells.text(model, condition, "recognition") for model in cells.columns]
        if condition == "Standard" or set(line) != {NOT_RUN}:
            rows.append([f"all, {condition}", *line])
    return markdown(head, rows)


def pairs_table(cells: Cells) -> str:
    """Minimal pairs told apart, beside success in the same sessions, both of a pair or one by one."""
    head = ["", "", *map(_code, COMMAND_NAMES), "all", "both reached", "single sessions"]
    names = [*(f"pairs_{name}" for name in COMMAND_NAMES), "pairs_overall", "pairs_both", "pairs_single"]
    rows = [
        [title_of(model), condition, *(cells.text(model, condition, name) for name in names)]
        for model in cells.columns
        for condition in cells.conditions(model) or ["Standard"]
    ]
    return markdown(head, rows)


def shares_table(cells: Cells, shares: Sequence[float]) -> str:
    """Success of the planner in NWNavRec with more and more words held out."""
    rows = [
        [
            f"{100 * share:g} %",
            *(cells.text("planner", "NWNavRec", name, share) for name in ("*overall", "overall", "recognition")),
            str(len(cells.runs("planner", "NWNavRec", share))),
        ]
        for share in shares
    ]
    return markdown(["words held out", "held-out commands", "all commands", "answers", "seeds"], rows)


def conclude_shares(cells: Cells, shares: Sequence[float]) -> str:
    """How much success changes from the smallest share of words to the largest."""
    found = ((share, cells.estimate("planner", "NWNavRec", "*overall", share)) for share in shares)
    known = [(share, estimate) for share, estimate in found if estimate]
    if len(known) < 2:
        return ""
    (first, start), *_, (last, end) = known
    overlap = "do not overlap" if start.is_apart_from(end) else "overlap"
    intervals = "one seed, no interval" if None in (start.half, end.half) else f"the intervals {overlap}"
    change = f"{end.mean - start.mean:+.1f} points from {100 * first:g} to {100 * last:g} % ({intervals})"
    return f"On held-out commands, success changes by {change}."


def cost_table(cells: Cells) -> str:
    """Steps and training time of each model, by the machine that trained it."""
    rows = []
    for model in cells.models:
        own = [result for result in cells.results if result.job.model == model]
        for hardware in sorted({result.hardware for result in own}):
            group = [result for result in own if result.hardware == hardware]
            steps = _span(result.global_step for result in group)
            seconds = _span(result.seconds["training"] for result in group)
            rows.append([title_of(model), hardware, str(len(group)), steps, seconds])
    return markdown(["", "hardware", "runs", "steps per run", "seconds of training per run"], rows)


def runs_table(cells: Cells) -> str:
    """Every single run."""
    rows = []
    for result in cells.results:
        rates = [result.rate(name) for name in ("overall", "*overall", "recognition", "pairs_overall")]
        shown = [NOT_APPLICABLE if rate is None else f"{100 * rate:.2f}" for rate in rates]
        rows.append([_code(result.job.name), *shown, f"{result.global_step:,}", f"{result.seconds['training']:,.0f}"])
    return markdown(["run", "success", "held-out", "answers", "pairs", "steps", "seconds"], rows)


def _span(values: Iterable[float]) -> str:
    ordered = [f"{value:,.0f}" for value in sorted(values)]
    return ordered[0] if ordered[0] == ordered[-1] else f"{ordered[0]} to {ordered[-1]}"


def _code(name: str) -> str:
    return f"`{name}`"


def _list(items: Iterable[str]) -> str:
    """Items in words: "a, b and c"."""
    *first, last = [*items] or [""]
    return f"{', '.join(first)} and {last}" if first else last

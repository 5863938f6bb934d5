"""What the tables show, in sentences that are computed from them: nothing here knows a result."""

from collections.abc import Iterable, Mapping, Sequence

from xworld.baselines.names import MODEL_NAMES, ModelName
from xworld.experiments.report.cells import Cells
from xworld.experiments.report.paper import TABLE_1A, TABLE_1B, TITLES
from xworld.experiments.report.statistics import Estimate
from xworld.teacher.holdout import CONDITIONS

_NOT_RUN = "None of these jobs has been run."
_MOST_LISTED = 6
"""Cells that a sentence names one by one."""


def say_table_1a(cells: Cells) -> str:
    """How all models compare in Standard."""
    found = {model: estimate for model in MODEL_NAMES if (estimate := cells.estimate(model, "Standard", "overall"))}
    if not found:
        return _NOT_RUN
    sentences = []
    if ours := found.get("framework"):
        sentences.append(
            f"The framework obeys {ours.mean:.1f} % of the commands, {_points(ours.mean - TABLE_1A['framework'])} "
            f"than the paper's {TABLE_1A['framework']} %. {_over_seeds(ours)}"
        )
    if len(found) > 1:
        sentences.append(_say_order(found))
    return " ".join([*sentences, *_say_missing(found)])


def _say_order(found: dict[ModelName, Estimate]) -> str:
    """The models from best to worst, ours and the paper's."""
    ours = sorted(found, key=lambda model: -found[model].mean)
    paper = sorted(found, key=lambda model: -TABLE_1A[model])
    order = f"From best to worst they are {_list(TITLES[model] for model in ours)}"
    return f"{order}, as in the paper." if ours == paper else f"{order}; the paper's order is {_names(paper)}."


def _say_missing(found: dict[ModelName, Estimate]) -> list[str]:
    missing = [model for model in MODEL_NAMES if model not in found]
    return [f"Not run: {_names(missing)}."] if missing else []


def say_table_1b(cells: Cells, model: ModelName) -> str:
    """Which cells reach the paper's figure, and which do not."""
    paper = TABLE_1B[model]
    found = {cell: estimate for cell in paper if (estimate := cells.estimate(model, cell[1], cell[0]))}
    if not found:
        return _NOT_RUN
    below = {cell: estimate for cell, estimate in found.items() if round(estimate.mean, 1) < paper[cell]}
    clearly = [cell for cell, estimate in found.items() if estimate.half is not None and estimate.low > paper[cell]]
    above = len(found) - len(below)
    told = "Every one" if not below else f"{above}"
    sentences = [
        f"{TITLES[model]}: {len(found)} of the paper's {len(paper)} cells have been run. {told} of them "
        f"{'is' if above == 1 or not below else 'are'} at or above the paper's figure"
        f"{f', {len(clearly)} with the whole interval' if clearly else ''}."
    ]
    if below:
        sentences.append(_say_below(below, paper))
    return " ".join(sentences)


def _say_below(below: Mapping[tuple[str, str], Estimate], paper: Mapping[tuple[str, str], float]) -> str:
    """The cells that do not reach the paper's figure, or the farthest of them where they are many."""
    farthest = sorted(below, key=lambda cell: below[cell].mean - paper[cell])[:_MOST_LISTED]
    listed = _list(f"`{cell[0]}` in {cell[1]} ({below[cell].mean:.1f}, the paper {paper[cell]})" for cell in farthest)
    return f"Below it: {listed}." if len(below) == len(farthest) else f"Farthest below it: {listed}."


def say_lead(cells: Cells) -> str:
    """How far the framework is ahead of the ablation without word attention, on held-out commands."""
    parts = []
    for condition in CONDITIONS[1:]:
        if lead := cells.lead("framework", "simple_attention", condition, "*overall"):
            margin = "" if lead.half is None else f" (± {lead.half:.1f}, seed by seed)"
            parts.append(f"{_points(lead.mean)} in {condition}{margin}")
    return f"On held-out commands the framework has {_list(parts)} than SimpleAttention." if parts else ""


def say_zero_shot(cells: Cells, model: ModelName) -> str:
    """What it costs a model that a command was never heard."""
    parts = []
    for condition in CONDITIONS[1:]:
        heard, starred = (cells.estimate(model, condition, name) for name in ("overall", "*overall"))
        if heard and starred:
            parts.append(f"{starred.mean:.1f} % in {condition} (all commands: {heard.mean:.1f} %)")
    return f"{TITLES[model]} obeys, of commands that it never heard, {_list(parts)}." if parts else ""


def say_recognition(cells: Cells) -> str:
    """How well questions are answered."""
    found = {model: estimate for model in MODEL_NAMES if (estimate := cells.estimate(model, "Standard", "recognition"))}
    if not found:
        return _NOT_RUN
    listed = _list(f"{TITLES[model]} {estimate.mean:.1f} %" for model, estimate in found.items())
    return f"Right answers over all types of question in Standard: {listed}."


def say_twins(cells: Cells) -> str:
    """Who heeds the nouns of a command."""
    parts = []
    for model in MODEL_NAMES:
        told, single = (cells.estimate(model, "Standard", name) for name in ("twins_overall", "twins_single"))
        if told and single:
            parts.append(f"{TITLES[model]} {told.mean:.1f} % (single sessions: {single.mean:.1f} %)")
    return f"Pairs told apart in Standard: {_list(parts)}." if parts else _NOT_RUN


def say_shares(cells: Cells, shares: Sequence[float]) -> str:
    """What happens as more and more words are held out."""
    found = {
        share: estimate for share in shares if (estimate := cells.estimate("framework", "NWNavRec", "*overall", share))
    }
    if not found:
        return _NOT_RUN
    listed = _list(f"{estimate.mean:.1f} % (at {100 * share:g} %)" for share, estimate in found.items())
    sentences = [f"Commands with words that were heard in answers only are obeyed in {listed} of the sessions."]
    if len(found) > 1:
        (first, start), *_, (last, end) = found.items()
        sentences.append(f"From {100 * first:g} to {100 * last:g} % that is {_change(end.mean - start.mean)}.")
    return " ".join(sentences)


def _over_seeds(estimate: Estimate) -> str:
    values = estimate.values
    if len(values) == 1:
        return "That is one seed."
    return f"The worst of {len(values)} seeds has {min(values):.1f} %, the best {max(values):.1f} %."


def _points(difference: float) -> str:
    return f"{abs(difference):.1f} points {'less' if difference < 0 else 'more'}"


def _change(difference: float) -> str:
    return f"a {'loss' if difference < 0 else 'gain'} of {abs(difference):.1f} points"


def _names(models: Iterable[ModelName]) -> str:
    return _list(TITLES[model] for model in models)


def _list(items: Iterable[str]) -> str:
    """Things one after the other, in words.

    >>> _list(["a", "b", "c"])
    'a, b and c'
    """
    *first, last = items
    return f"{', '.join(first)} and {last}" if first else last

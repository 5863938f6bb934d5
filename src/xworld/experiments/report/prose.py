"""What the tables show, in sentences that are computed from them: nothing here knows a result."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from xworld.baselines.registry import MODEL_NAMES, ModelName
from xworld.experiments.report.cells import Cells
from xworld.experiments.report.paper import TABLE_1A, TABLE_1B, TITLES
from xworld.experiments.report.statistics import Estimate, Side
from xworld.teacher.holdout import CONDITIONS

_NOT_RUN = "None of these jobs has been run."
_SAME_ORDER = "Where intervals do not overlap, the order is that of the paper."
_MOST_LISTED = 6
"""Cells, or pairs of models, that a sentence names one by one."""

_SIDES: Mapping[Side | None, tuple[str, str]] = {
    Side.ABOVE: ("lies above with the whole interval", "lie above with the whole interval"),
    Side.AROUND: ("has the figure within its interval", "have the figure within their intervals"),
    Side.BELOW: ("lies below with the whole interval", "lie below with the whole interval"),
    None: ("has one seed and no interval", "have one seed and no interval"),
}
"""What is said of one cell and of several."""


def say_table_1a(cells: Cells) -> str:
    """How all models compare in Standard."""
    found = {model: estimate for model in MODEL_NAMES if (estimate := cells.estimate(model, "Standard", "overall"))}
    if not found:
        return _NOT_RUN
    sentences = []
    if ours := found.get("framework"):
        sentences.append(_say_against_the_paper(ours, TABLE_1A["framework"]))
    if len(found) > 1:
        sentences += _say_order(found)
    return " ".join([*sentences, *_say_missing(found)])


def _say_against_the_paper(ours: Estimate, paper: float) -> str:
    """The framework's figure beside the printed one, and what the seeds leave of the difference."""
    told = f"The framework obeys {ours.mean:.1f} % of the commands, {_points(ours.mean - paper)} the paper's {paper} %"
    if ours.half is None:
        return f"{told}; that is one seed, and its interval is not known."
    outcome = "holds" if ours.side(paper) is Side.AROUND else "leaves out"
    worst, best = min(ours.values), max(ours.values)
    return (
        f"{told}; its interval of ± {ours.half:.1f} {outcome} the paper's figure. "
        f"The worst of {len(ours.values)} seeds has {worst:.1f} %, the best {best:.1f} %."
    )


def _say_order(found: Mapping[ModelName, Estimate]) -> Iterator[str]:
    """The models from best to worst, which of them the intervals tell apart, and whether the paper has them so too."""
    ranked = sorted(found, key=lambda model: -found[model].mean)
    yield f"By their means, from best to worst, they are {_names(ranked)}."
    single = [model for model in ranked if found[model].half is None]
    if single:
        yield f"Of one seed alone, so that their places may be chance: {_names(single)}."
    pairs = list(combinations([model for model in ranked if model not in single], 2))
    open_pairs = [pair for pair in pairs if not found[pair[0]].is_apart_from(found[pair[1]])]
    if open_pairs:
        yield _say_open(open_pairs, len(pairs))
    if clear := [pair for pair in pairs if pair not in open_pairs]:
        yield _say_agreement(clear, found)


def _say_open(pairs: Sequence[tuple[ModelName, ModelName]], of: int) -> str:
    """Which pairs of models the intervals do not tell apart."""
    if len(pairs) > _MOST_LISTED:
        return f"The intervals of {len(pairs)} of {of} pairs overlap: which of the two is better is open."
    listed = "; ".join(_names(pair) for pair in pairs)
    return f"Intervals overlap, so that it is open which is better: {listed}."


def _say_agreement(pairs: Sequence[tuple[ModelName, ModelName]], found: Mapping[ModelName, Estimate]) -> str:
    """Whether pairs that the intervals tell apart, the better one first, stand in the paper's order."""
    against = defaultdict[ModelName, list[ModelName]](list)
    for better, worse in pairs:
        if TABLE_1A[better] < TABLE_1A[worse]:
            against[better].append(worse)
    listed = "; ".join(
        f"{TITLES[better]} ({found[better].mean:.1f} %, the paper {TABLE_1A[better]} %) is before {_names(others)}"
        for better, others in against.items()
    )
    return f"Other than in the paper, {listed}." if against else _SAME_ORDER


def _say_missing(found: Mapping[ModelName, Estimate]) -> list[str]:
    missing = [model for model in MODEL_NAMES if model not in found]
    return [f"Not run: {_names(missing)}."] if missing else []


def say_table_1b(cells: Cells, model: ModelName) -> str:
    """How many cells lie above the paper's figure, around it and below it, and which are below."""
    paper = TABLE_1B[model]
    found = {cell: estimate for cell in paper if (estimate := cells.estimate(model, cell[1], cell[0]))}
    if not found:
        return _NOT_RUN
    sides = {cell: estimate.side(paper[cell]) for cell, estimate in found.items()}
    count = Counter(sides.values())
    told = [f"{count[side]} {one if count[side] == 1 else many}" for side, (one, many) in _SIDES.items() if count[side]]
    sentences = [
        f"{TITLES[model]}: {len(found)} of the paper's {len(paper)} cells have been run. "
        f"Beside the paper's figures, {_list(told)}."
    ]
    below = {cell: estimate for cell, estimate in found.items() if sides[cell] is Side.BELOW}
    return " ".join([*sentences, *([_say_below(below, paper)] if below else [])])


def _say_below(below: Mapping[tuple[str, str], Estimate], paper: Mapping[tuple[str, str], float]) -> str:
    """The cells that do not reach the paper's figure, or the farthest of them where they are many."""
    farthest = sorted(below, key=lambda cell: below[cell].mean - paper[cell])[:_MOST_LISTED]
    listed = _list(f"`{cell[0]}` in {cell[1]} ({below[cell]}, the paper {paper[cell]})" for cell in farthest)
    return f"Below: {listed}." if len(below) == len(farthest) else f"Farthest below: {listed}."


def say_lead(cells: Cells) -> str:
    """How far the framework is ahead of the ablation without word attention, on held-out commands."""
    parts = [
        f"in {condition} {_points(lead.mean)} SimpleAttention ({_certainty(lead)})"
        for condition in CONDITIONS[1:]
        if (lead := cells.lead("framework", "simple_attention", condition, "*overall"))
    ]
    return f"On commands that training never contained, the framework has {_list(parts)}." if parts else ""


def _certainty(difference: Estimate) -> str:
    """What the seeds say of a difference."""
    if difference.half is None:
        return "one seed"
    verdict = ", which may be chance" if difference.side(0.0) is Side.AROUND else ""
    return f"± {difference.half:.1f}, seed by seed{verdict}"


def say_zero_shot(cells: Cells, model: ModelName) -> str:
    """What it costs a model that a command was never heard."""
    parts = []
    for condition in CONDITIONS[1:]:
        heard, starred = (cells.estimate(model, condition, name) for name in ("overall", "*overall"))
        if heard and starred:
            parts.append(f"{starred} % in {condition} (all commands: {heard} %)")
    return f"{TITLES[model]} obeys, of commands that it never heard, {_list(parts)}." if parts else ""


def say_recognition(cells: Cells) -> str:
    """How well questions are answered."""
    found = {model: estimate for model in MODEL_NAMES if (estimate := cells.estimate(model, "Standard", "recognition"))}
    if not found:
        return _NOT_RUN
    listed = _list(f"{TITLES[model]} {estimate} %" for model, estimate in found.items())
    return f"Right answers over all types of question in Standard: {listed}."


def say_twins(cells: Cells) -> str:
    """Who heeds the nouns of a command; and who does between two things, where the paper saw one that does not."""
    everywhere = _told_apart(cells, "pairs_overall", "pairs_single")
    if not everywhere:
        return _NOT_RUN
    sentences = [f"Pairs told apart in Standard: {everywhere}."]
    if between := _told_apart(cells, "pairs_nav_bw_obj", "pairs_nav_bw_obj_single"):
        sentences.append(
            f"Between two things (`nav_bw_obj`), where maps mostly have one place that could be meant: {between}."
        )
    return " ".join(sentences)


def _told_apart(cells: Cells, pairs: str, single: str) -> str:
    """How many pairs the models tell apart, and how they do in single sessions."""
    parts = []
    for model in MODEL_NAMES:
        told, each = (cells.estimate(model, "Standard", name) for name in (pairs, single))
        if told and each:
            parts.append(f"{TITLES[model]} {told} % (single sessions: {each} %)")
    return _list(parts) if parts else ""


def say_shares(cells: Cells, shares: Sequence[float]) -> str:
    """What happens as more and more words are held out."""
    found = {
        share: estimate for share in shares if (estimate := cells.estimate("framework", "NWNavRec", "*overall", share))
    }
    if not found:
        return _NOT_RUN
    listed = _list(f"{estimate} % (at {100 * share:g} %)" for share, estimate in found.items())
    sentences = [f"Commands with words that were heard in answers only are obeyed in {listed} of the sessions."]
    if len(found) > 1:
        (first, start), *_, (last, end) = found.items()
        sentences.append(f"From {100 * first:g} to {100 * last:g} % that is {_change(start, end)}.")
    return " ".join(sentences)


def _points(difference: float) -> str:
    """A difference in front of what it is a difference to.

    >>> _points(-2.04), _points(0.04)
    ('2.0 points less than', 'as much as')
    """
    if not round(difference, 1):
        return "as much as"
    return f"{abs(difference):.1f} points {'less' if difference < 0 else 'more'} than"


def _change(start: Estimate, end: Estimate) -> str:
    """What has become of a figure, and whether the seeds bear that out."""
    difference = round(end.mean - start.mean, 1)
    if not difference:
        return "no change"
    told = f"a {'loss' if difference < 0 else 'gain'} of {abs(difference):.1f} points"
    if None in (start.half, end.half):
        return f"{told}, of which one seed cannot tell whether it is chance"
    return told if start.is_apart_from(end) else f"{told}, but the intervals overlap"


def _names(models: Iterable[ModelName]) -> str:
    return _list(TITLES[model] for model in models)


def _list(items: Iterable[str]) -> str:
    """Things one after the other, in words.

    >>> _list(["a", "b", "c"])
    'a, b and c'
    """
    *first, last = items
    return f"{', '.join(first)} and {last}" if first else last

"""The page about ablations: a config, and what becomes of it with single settings as the paper prints them."""

from collections import Counter
from collections.abc import Iterator, Sequence

from xworld.experiments.report.cells import Cells, Estimate
from xworld.experiments.report.paper import title_of
from xworld.experiments.report.tables import NOT_APPLICABLE, markdown
from xworld.experiments.result import Result
from xworld.teacher.settings import QUESTION_NAMES

_COLUMNS = {
    "all commands": "overall",
    "`nav_bw_obj`": "nav_bw_obj",
    "never heard": "*overall",
    "pairs told apart": "pairs_overall",
    "answers": "recognition",
}
"""The columns of the table, and the rates in them."""


def is_ablation(results: Sequence[Result]) -> bool:
    """Whether some results are of ablations."""
    return any(result.job.printed for result in results)


def describe_ablations(results: Sequence[Result]) -> Iterator[str]:
    """The parts of the page: a table for each model, condition and share held out."""
    jobs = [result.job for result in results]
    for model, condition, share in dict.fromkeys((job.model, job.condition, job.share) for job in jobs):
        runs = Cells(results).runs(model, condition, share)
        yield f"## {title_of(model)}, {condition}" + (f", {100 * share:g} % held out" if share else "")
        yield _table(runs)
        yield _conclude(runs)


def _table(runs: Sequence[Result]) -> str:
    """The config itself, and a line for each of its settings that was put back."""
    lines = [
        [_describe(printed, group), *map(str, _estimates(group).values()), _worst_question(group), _seeds(group)]
        for printed, group in _groups(runs).items()
    ]
    return markdown(["as the paper prints it", *_COLUMNS, "worst question type", "seeds"], lines)


def _conclude(runs: Sequence[Result]) -> str:
    """Which settings matter: without them, the runs have another rate than those of the config."""
    groups = _groups(runs)
    if "" not in groups:
        return "The config itself was not run."
    with_all, said = _estimates(groups[""]), []
    for printed, group in groups.items():
        changes = {name: (rate, with_all[name]) for name, rate in _estimates(group).items()}
        apart = [
            f"{name} {'fall' if rate.mean < own.mean else 'rise'} by {abs(rate.mean - own.mean):.2f} points"
            for name, (rate, own) in changes.items()
            if isinstance(rate, Estimate) and isinstance(own, Estimate) and _is_apart(rate.values, own.values)
        ]
        if printed:
            said.append(f"- `{printed}`: {', '.join(apart) or 'nothing that the order of the runs shows'}.")
    return "\n".join(said)


def _is_apart(rates: Sequence[float], others: Sequence[float]) -> bool:
    """Whether chance would order the runs as unevenly, to this side, in at most one case of 20: a rank-sum test.

    A part that keeps single runs from failing makes some runs much worse and others not at all. An interval around such
    a mean is wide and says nothing; the order of the runs does.
    """
    pooled = sorted([*rates, *others])
    # Twice the rank of a run, so that ties, which share the mean of their ranks, have whole numbers.
    ranks = [2 * pooled.index(rate) + pooled.count(rate) for rate in [*rates, *others]]
    ways = Counter({(0, 0): 1})  # to choose some of the runs, by their number and the sum of their ranks
    for rank in ranks:
        ways.update({(count + 1, total + rank): number for (count, total), number in ways.items()})
    own = sum(ranks[: len(rates)])
    sums = {total: number for (count, total), number in ways.items() if count == len(rates)}
    lower = sum(number for total, number in sums.items() if total <= own)
    higher = sum(number for total, number in sums.items() if total >= own)
    return 20 * min(lower, higher) <= sum(sums.values())


def _groups(runs: Sequence[Result]) -> dict[str, list[Result]]:
    """The runs by the setting that is as printed, the config itself first."""
    names = sorted({result.job.printed for result in runs})
    return {name: [result for result in runs if result.job.printed == name] for name in names}


def _estimates(group: Sequence[Result]) -> dict[str, Estimate | str]:
    """Each column's rate in %, over seeds."""
    found: dict[str, Estimate | str] = {}
    for column, name in _COLUMNS.items():
        rates = [100 * rate for result in group if (rate := result.rate(name)) is not None]
        found[column] = Estimate.of(rates) if rates else NOT_APPLICABLE
    return found


def _worst_question(group: Sequence[Result]) -> str:
    """The lowest rate of right answers to a type of question, in any seed."""
    rates = {(result.rate(name), name) for result in group for name in QUESTION_NAMES}
    measured = [(rate, name) for rate, name in rates if rate is not None]
    if not measured:
        return NOT_APPLICABLE
    rate, name = min(measured)
    return f"`{name}` {100 * rate:.1f}"


def _describe(printed: str, group: Sequence[Result]) -> str:
    """A setting and its printed value."""
    config = group[0].settings["config"]
    return f"`{printed}` = {config[printed]}" if printed else f"nothing: `{config['name']}`"


def _seeds(group: Sequence[Result]) -> str:
    return str(len({result.job.seed for result in group}))

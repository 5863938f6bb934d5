"""The live dashboard of `xworld train`, for a terminal of 80 columns and 24 lines."""

import math
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from xworld.cli.display import COLOR, LOUD, QUIET, LiveScreen, bar, span
from xworld.evaluation.rate import Rate
from xworld.training.metrics import PHASES, Evaluation, Metrics, MovingWindow

_NAME, _BAR, _HISTORY, _LOSS = 11, 14, 20, 21  # columns
_LOSSES_PER_LINE, _MOST_LOSSES = 3, 9  # the log has all of them
_BLOCKS = "▁▂▃▄▅▆▇"  # the full block would run into the line above
_OVERALL = "overall"


class Dashboard(LiveScreen):
    """Shows iterations and evaluations since a run was started or resumed, as a callback of training.

    >>> with Dashboard("tiny, Standard, seed 0, cpu, runs/tiny-Standard-0", Console(force_terminal=False)) as dashboard:
    ...     dashboard.say("resuming after iteration 40")
    tiny, Standard, seed 0, cpu, runs/tiny-Standard-0
    resuming after iteration 40
    """

    def __init__(self, title: str, console: Console, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(title, console, clock)
        self._recent = MovingWindow()
        self._histories: defaultdict[str, History] = defaultdict(History)
        self._spent = dict.fromkeys(PHASES, 0.0)
        self._iterations, self._seconds, self._has_news = 0, 0.0, False
        self._last: Metrics | None = None
        self._evaluation: Evaluation | None = None

    def __exit__(self, *_: object) -> None:
        if self._has_news:
            self._refresh()
        super().__exit__()

    def on_iteration(self, metrics: Metrics, seconds: float) -> None:
        """Show an iteration; `seconds` is the training time so far."""
        self._last, self._seconds = metrics, seconds
        self._iterations += 1
        self._recent.add(metrics)
        for phase, took in metrics.seconds.items():
            self._spent[phase] += took
        for name, rate in _with_totals(metrics.success, metrics.overall, metrics.answer_accuracy).items():
            self._histories[name].add(rate)
        self._has_news = not self._is_due() and metrics.iteration < metrics.iterations
        if not self._has_news:
            self._refresh()

    def on_evaluation(self, evaluation: Evaluation) -> None:
        """Show an evaluation."""
        self._evaluation = evaluation
        if self._live is None:
            self.say(_evaluation_line(evaluation))
        else:
            self._refresh()

    def line(self) -> str:
        """The last iteration in one line."""
        last, recent = self._last, self._recent
        assert last is not None
        return (
            f"iteration {last.iteration:,} of {last.iterations:,}, {last.global_step:,} steps, {span(self._seconds)}: "
            f"success {_percent(recent.overall)} % ({_by_type(recent.success)}), "
            f"answers {_percent(recent.answer_accuracy)} %, return {_number(recent.session_return)}, "
            f"{_number(recent.steps_per_second, ',.0f')} steps/s, {self._left(last)} left"
        )

    def parts(self) -> Iterator[RenderableType]:
        """Progress, rates and other numbers."""
        if self._last is None:
            yield Text("The first iteration is running.", style=QUIET)
        else:
            yield from (self._progress(self._last), "", self._rates(), "", self._numbers(self._last))

    def _progress(self, last: Metrics) -> Table:
        share = f"{100 * last.iteration / last.iterations:.0f} %"
        parts = (
            f"{share:<{_NAME + 2}}iteration {last.iteration:,} of {last.iterations:,}",
            f"{last.global_step:,} steps",
            span(self._seconds),
            f"{self._left(last)} left",
        )
        table = Table.grid(expand=True)
        table.add_row(bar(last.iteration, last.iterations, width=None))
        table.add_row(Text("   ".join(parts), no_wrap=True))
        return table

    def _left(self, last: Metrics) -> str:
        return span(sum(self._spent.values()) / self._iterations * (last.iterations - last.iteration))

    def _rates(self) -> Table:
        """Success by command type, and correct answers: now, so far, and in the last evaluation."""
        table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style=QUIET)
        table.add_column("success, %", width=_NAME, no_wrap=True)
        table.add_column(width=_BAR)
        table.add_column("now", width=5, justify="right")
        table.add_column("so far", width=_HISTORY)
        tested, recent = dict[str, Rate](), self._recent
        if self._evaluation is not None:
            report = self._evaluation.report
            tested = _with_totals(report.success, report.overall, report.overall_recognition)
            table.add_column(f"test, iteration {self._evaluation.iteration:,}", no_wrap=True)
        for name, rate in _with_totals(recent.success, recent.overall, recent.answer_accuracy).items():
            history = Text(self._histories[name].sparkline(), style=COLOR)
            test = [_with_interval(tested[name])] if name in tested else []
            style = LOUD if name == _OVERALL else ""
            table.add_row(name, bar(rate.hits, rate.trials, _BAR), _percent(rate), history, *test, style=style)
        return table

    def _numbers(self, last: Metrics) -> Table:
        spent, recent = max(sum(self._spent.values()), 1e-9), self._recent
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(width=_NAME, style=QUIET)
        table.add_column(no_wrap=True)
        table.add_row("return", f"{_number(recent.session_return)} per session")
        table.add_row("speed", f"{_number(recent.steps_per_second, ',.0f')} steps per second")
        table.add_row("time", _pairs((phase, f"{100 * self._spent[phase] / spent:.0f} %") for phase in PHASES))
        schedule = ("difficulty", f"{100 * last.difficulty:.0f} %"), ("learning rate", f"{last.learning_rate:.2g}")
        table.add_row("schedule", _pairs(schedule))
        losses = [(name, _number(loss)) for name, loss in recent.losses.items()]
        for start in range(0, min(len(losses), _MOST_LOSSES), _LOSSES_PER_LINE):
            table.add_row("" if start else "losses", _pairs(losses[start : start + _LOSSES_PER_LINE], _LOSS))
        return table


class History:
    """A long series of rates in a few cells. When they are full, neighbors merge, and each covers twice as much.

    >>> history = History(most=4)
    >>> for hits in range(9):
    ...     history.add(Rate(hits, 8))
    >>> history.sparkline()
    '▂▅▇'
    """

    def __init__(self, most: int = _HISTORY) -> None:
        """`most` is the number of cells, and even."""
        self.cells: list[Rate] = []
        """The same number of iterations each, except for the last."""
        self._most, self._span, self._count = most, 1, 0

    def add(self, rate: Rate) -> None:
        """Add an iteration."""
        if self._count == self._most * self._span:
            self.cells = [first + second for first, second in zip(self.cells[::2], self.cells[1::2], strict=True)]
            self._span *= 2
        if self._count % self._span == 0:
            self.cells.append(Rate(0, 0))
        self.cells[-1] += rate
        self._count += 1

    def sparkline(self) -> str:
        """A block for each cell, from 0 to 100 %; a space where nothing was tried."""
        return "".join(_BLOCKS[round(rate.value * (len(_BLOCKS) - 1))] if rate.trials else " " for rate in self.cells)


def _evaluation_line(evaluation: Evaluation) -> str:
    report = evaluation.report
    interval = f"{100 * report.overall.low:.1f} to {100 * report.overall.high:.1f}"
    return (
        f"test after iteration {evaluation.iteration:,}: success {_percent(report.overall)} % "
        f"({interval}; {_by_type(report.success)}), "
        f"answers {_percent(report.overall_recognition)} %, path efficiency {100 * report.path_efficiency:.1f} %"
    )


def _with_totals(success: Mapping[str, Rate], overall: Rate, answers: Rate) -> dict[str, Rate]:
    return {**success, _OVERALL: overall, "answers": answers}


def _with_interval(rate: Rate) -> Text:
    if not rate.trials:
        return Text()
    return Text.assemble(f"{_percent(rate):>5}", (f"  {100 * rate.low:.1f} to {100 * rate.high:.1f}", QUIET))


def _pairs(pairs: Iterable[tuple[str, str]], width: int = 0) -> Text:
    """Names and numbers in one line; with a width, in columns."""
    line = Text()
    for name, number in pairs:
        line.append(f"{name} ", style=QUIET).append(number.ljust(width - len(name) - 2) if width else f"{number}  ")
        line.append(" ")
    return line


def _by_type(success: Mapping[str, Rate]) -> str:
    return ", ".join(f"{name} {_percent(rate)}" for name, rate in success.items())


def _percent(rate: Rate) -> str:
    return _number(100 * rate.value, ".1f")


def _number(value: float, form: str = ".3g") -> str:
    return "-" if math.isnan(value) else f"{value:{form}}"

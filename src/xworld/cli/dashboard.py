"""The live dashboard of `xworld train`, for a terminal of 80 columns and 24 lines.

Without a terminal, as in a log file, it prints a plain line every ten seconds instead.
"""

import math
import time
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta

from rich.console import Console, Group, RenderableType
from rich.constrain import Constrain
from rich.live import Live
from rich.padding import Padding
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from xworld.evaluation.rate import Rate
from xworld.training.metrics import PHASES, Evaluation, Metrics, MovingWindow

REFRESH_SECONDS = 1.0
"""The screen is drawn no more often than this."""
LINE_SECONDS = 10.0
"""Without a terminal, a line is printed no more often than this."""

_WIDTH, _NAME, _BAR, _HISTORY, _LOSS = 80, 11, 14, 20, 21  # columns
_LOSSES_PER_LINE, _MOST_LOSSES = 3, 9  # the log has all of them
_BLOCKS = "▁▂▃▄▅▆▇"  # the full block would run into the line above
QUIET, LOUD, COLOR = "dim", "bold", "cyan"
_OVERALL, _ANSWERS = "overall", "answers"
_UNKNOWN = "-"
_NONE = Rate(0, 0)


class Dashboard:
    """Shows iterations and evaluations as a callback of training.

    >>> with Dashboard("tiny, Standard, seed 0, cpu, runs/tiny-Standard-0", Console(force_terminal=False)) as dashboard:
    ...     dashboard.say("resuming after iteration 40")
    tiny, Standard, seed 0, cpu, runs/tiny-Standard-0
    resuming after iteration 40
    """

    def __init__(self, title: str, console: Console | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._console, self._clock = console or Console(), clock
        self._summary = RunSummary(title)
        self._live = self._make_live() if _can_draw(self._console) else None
        self._pause = LINE_SECONDS if self._live is None else REFRESH_SECONDS
        self._shown_at, self._has_news = -math.inf, False

    def __enter__(self) -> "Dashboard":
        if self._live is None:
            self.say(self._summary.title)
        else:
            self._live.start(refresh=True)
        return self

    def __exit__(self, *_: object) -> None:
        if self._has_news:
            self._show()
        if self._live is not None:
            self._live.stop()

    def on_iteration(self, metrics: Metrics, seconds: float) -> None:
        """Show an iteration; `seconds` is the training time so far."""
        self._summary.add(metrics, seconds)
        self._has_news = True
        if metrics.iteration == metrics.iterations or self._clock() - self._shown_at >= self._pause:
            self._show()

    def on_evaluation(self, evaluation: Evaluation) -> None:
        """Show an evaluation."""
        self._summary.evaluation = evaluation
        if self._live is None:
            self.say(evaluation_line(evaluation))
        else:
            self._show()

    def say(self, text: str) -> None:
        """Print a line, above the dashboard if there is one."""
        self._console.print(Text(text), soft_wrap=True)

    def _show(self) -> None:
        self._shown_at, self._has_news = self._clock(), False
        if self._live is None:
            self.say(self._summary.line())
        else:
            self._live.refresh()

    def _make_live(self) -> Live:
        # No thread redraws it: it changes only with a callback, and takes no time from training in between.
        return Live(console=self._console, auto_refresh=False, get_renderable=self._summary.screen)


class RunSummary:
    """The numbers of a run since it was started or resumed, as a screen or as a line."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.evaluation: Evaluation | None = None
        self._recent = MovingWindow()
        self._histories: dict[str, History] = {}
        self._spent = dict.fromkeys(PHASES, 0.0)
        self._iterations, self._seconds = 0, 0.0
        self._last: Metrics | None = None

    def add(self, metrics: Metrics, seconds: float) -> None:
        """Add an iteration."""
        self._last, self._seconds = metrics, seconds
        self._iterations += 1
        self._recent.add(metrics)
        for phase, took in metrics.seconds.items():
            self._spent[phase] += took
        for name, rate in _with_totals(metrics.success, metrics.overall, metrics.answer_accuracy).items():
            self._histories.setdefault(name, History(_HISTORY)).add(rate)

    def line(self) -> str:
        """One line, for a log file."""
        last, recent = self._last, self._recent
        if last is None:
            return "the first iteration is running"
        types = ", ".join(f"{name} {_percent(rate)}" for name, rate in recent.success.items())
        return (
            f"iteration {last.iteration:,} of {last.iterations:,}, {last.global_step:,} steps, {span(self._seconds)}: "
            f"success {_percent(recent.overall)} % ({types}), answers {_percent(recent.answer_accuracy)} %, "
            f"return {_number(recent.session_return)}, {_count(recent.steps_per_second)} steps/s, "
            f"{span(self._left(last))} left"
        )

    def screen(self) -> RenderableType:
        """The whole screen."""
        title = Text(self.title, style=LOUD, no_wrap=True, overflow="ellipsis")
        if self._last is None:
            parts: list[RenderableType] = [title, "", Text("The first iteration is running.", style=QUIET)]
        else:
            parts = [title, "", self._progress(self._last), "", self._rates(), "", self._numbers(self._last)]
        return Constrain(Padding(Group(*parts), (0, 1)), _WIDTH)

    def _progress(self, last: Metrics) -> Table:
        """How far training is."""
        share = f"{100 * last.iteration / last.iterations:.0f} %"
        parts = (
            f"{share:<{_NAME + 2}}iteration {last.iteration:,} of {last.iterations:,}",
            f"{last.global_step:,} steps",
            span(self._seconds),
            f"{span(self._left(last))} left",
        )
        table = Table.grid(expand=True)
        table.add_row(bar(last.iteration, last.iterations, width=None))
        table.add_row(Text("   ".join(parts), no_wrap=True))
        return table

    def _left(self, last: Metrics) -> float:
        return sum(self._spent.values()) / self._iterations * (last.iterations - last.iteration)

    def _rates(self) -> Table:
        """Success by command type, and correct answers: now, so far, and in the last evaluation."""
        table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style=QUIET)
        table.add_column("success, %", width=_NAME, no_wrap=True)
        table.add_column(width=_BAR)
        table.add_column("now", width=5, justify="right")
        table.add_column("so far", width=_HISTORY)
        table.add_column(f"test, iteration {self.evaluation.iteration:,}" if self.evaluation else "", no_wrap=True)
        tested = _tested(self.evaluation)
        recent = self._recent
        for name, rate in _with_totals(recent.success, recent.overall, recent.answer_accuracy).items():
            cells = bar(rate.hits, rate.trials), _percent(rate), Text(self._histories[name].sparkline(), style=COLOR)
            table.add_row(name, *cells, _with_interval(tested.get(name)), style=LOUD if name == _OVERALL else "")
        return table

    def _numbers(self, last: Metrics) -> Table:
        """The other numbers."""
        spent = max(sum(self._spent.values()), 1e-9)
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(width=_NAME, style=QUIET)
        table.add_column(no_wrap=True)
        table.add_row("return", f"{_number(self._recent.session_return)} per session")
        table.add_row("speed", f"{_count(self._recent.steps_per_second)} steps per second")
        table.add_row("time", _pairs((phase, f"{100 * self._spent[phase] / spent:.0f} %") for phase in PHASES))
        schedule = ("difficulty", f"{100 * last.difficulty:.0f} %"), ("learning rate", f"{last.learning_rate:.2g}")
        table.add_row("schedule", _pairs(schedule))
        losses = [(name, _number(loss)) for name, loss in self._recent.losses.items()]
        for start in range(0, min(len(losses), _MOST_LOSSES), _LOSSES_PER_LINE):
            table.add_row("" if start else "losses", _pairs(losses[start : start + _LOSSES_PER_LINE], _LOSS))
        return table


class History:
    """A long series of rates in a few cells. When they are full, neighbors merge, and each covers twice as much.

    >>> history = History(cells=4)
    >>> for hits in range(9):
    ...     history.add(Rate(hits, 8))
    >>> history.sparkline()
    '▂▅▇'
    """

    def __init__(self, cells: int) -> None:
        self._most = cells  # an even number
        self.cells: list[Rate] = []
        """The same number of iterations each, except for the last."""
        self._span, self._room = 1, 0

    def add(self, rate: Rate) -> None:
        """Add an iteration."""
        if not self._room:
            if len(self.cells) == self._most:
                self._merge()
            self.cells.append(_NONE)
            self._room = self._span
        self.cells[-1] += rate
        self._room -= 1

    def sparkline(self) -> str:
        """A block for each cell, from 0 to 100 %; a space where nothing was tried."""
        return "".join(_block(rate) for rate in self.cells)

    def _merge(self) -> None:
        self.cells = [first + second for first, second in zip(self.cells[::2], self.cells[1::2], strict=True)]
        self._span *= 2


def evaluation_line(evaluation: Evaluation) -> str:
    """An evaluation as one line, for a log file."""
    report = evaluation.report
    overall = report.overall
    types = ", ".join(f"{name} {_percent(rate)}" for name, rate in report.success.items())
    return (
        f"test after iteration {evaluation.iteration:,}: success {_percent(overall)} % "
        f"({100 * overall.low:.1f} to {100 * overall.high:.1f}; {types}), "
        f"answers {_percent(report.overall_recognition)} %, path efficiency {100 * report.path_efficiency:.1f} %"
    )


def _can_draw(console: Console) -> bool:
    return console.is_terminal and not console.is_dumb_terminal and not console.options.ascii_only


def _with_totals(success: Mapping[str, Rate], overall: Rate, answers: Rate) -> dict[str, Rate]:
    return {**success, _OVERALL: overall, _ANSWERS: answers}


def _tested(evaluation: Evaluation | None) -> dict[str, Rate]:
    if evaluation is None:
        return {}
    report = evaluation.report
    return _with_totals(report.success, report.overall, report.overall_recognition)


def bar(done: float, of: float, width: int | None = _BAR) -> ProgressBar:
    """A progress bar."""
    return ProgressBar(max(of, 1), done, width, style="bright_black", complete_style=COLOR, finished_style=COLOR)


def _block(rate: Rate) -> str:
    return _BLOCKS[round(rate.value * (len(_BLOCKS) - 1))] if rate.trials else " "


def _with_interval(rate: Rate | None) -> Text:
    if rate is None or not rate.trials:
        return Text()
    return Text.assemble(f"{_percent(rate):>5}", (f"  {100 * rate.low:.1f} to {100 * rate.high:.1f}", QUIET))


def _pairs(pairs: Iterable[tuple[str, str]], width: int = 0) -> Text:
    """Names and numbers in one line; with a width, in columns."""
    line = Text()
    for name, number in pairs:
        line.append(f"{name} ", style=QUIET).append(number.ljust(width - len(name) - 2) if width else f"{number}  ")
        line.append(" ")
    return line


def _percent(rate: Rate) -> str:
    return f"{100 * rate.value:.1f}" if rate.trials else _UNKNOWN


def _number(value: float) -> str:
    return _UNKNOWN if math.isnan(value) else f"{value:.3g}"


def _count(value: float) -> str:
    return _UNKNOWN if math.isnan(value) else f"{value:,.0f}"


def span(seconds: float) -> str:
    """A duration, such as 1:02:03."""
    return str(timedelta(seconds=round(seconds)))

"""The live dashboard of `xworld train`: how training goes, on a screen of 80 columns and 24 lines.

Where there is no terminal, in a log file or on a server, it is a plain line every ten seconds instead.
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
from xworld.training.progress import PHASES, Evaluation, Progress
from xworld.training.recent import Recent

REFRESH_SECONDS = 1.0
"""The screen is drawn no more often than this."""
LINE_SECONDS = 10.0
"""Without a terminal, a line is printed no more often than this."""

_WIDTH, _NAME, _BAR, _HISTORY, _LOSS = 80, 11, 14, 20, 21  # columns
_LOSSES_A_LINE, _MOST_LOSSES = 3, 9
"""The log has them all."""
_BLOCKS = "▁▂▃▄▅▆▇"  # the full block would run into the line above
_QUIET, _LOUD, _COLOR, _TRACK = "dim", "bold", "cyan", "bright_black"
_OVERALL, _ANSWERS = "overall", "answers"
_UNKNOWN = "-"
_NOTHING = Rate(0, 0)


class Dashboard:
    """Shows rounds and evaluations as they are reported.

    >>> with Dashboard("tiny, Standard, seed 0, cpu, runs/tiny-Standard-0", Console(force_terminal=False)) as dashboard:
    ...     dashboard.say("resuming at round 40")
    tiny, Standard, seed 0, cpu, runs/tiny-Standard-0
    resuming at round 40
    """

    def __init__(self, title: str, console: Console | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._console, self._clock = console or Console(), clock
        self._run = Run(title)
        self._live = self._make_live() if _can_draw(self._console) else None
        self._pause = LINE_SECONDS if self._live is None else REFRESH_SECONDS
        self._shown_at, self._has_news = -math.inf, False

    def __enter__(self) -> "Dashboard":
        if self._live is None:
            self.say(self._run.title)
        else:
            self._live.start(refresh=True)
        return self

    def __exit__(self, *_: object) -> None:
        if self._has_news:
            self._show()
        if self._live is not None:
            self._live.stop()

    def report(self, progress: Progress, seconds: float) -> None:
        """Show a round; `seconds` is the training time so far."""
        self._run.report(progress, seconds)
        self._has_news = True
        if progress.iteration == progress.iterations or self._clock() - self._shown_at >= self._pause:
            self._show()

    def evaluated(self, evaluation: Evaluation) -> None:
        """Show an evaluation."""
        self._run.evaluation = evaluation
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
            self.say(self._run.line())
        else:
            self._live.refresh()

    def _make_live(self) -> Live:
        # No thread redraws it: it changes with a report only, and takes no time from the agent in between.
        return Live(console=self._console, auto_refresh=False, get_renderable=self._run.screen)


class Run:
    """What is known of a run since it was begun or resumed, as a screen or as a line."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.evaluation: Evaluation | None = None
        self._recent = Recent()
        self._histories: dict[str, History] = {}
        self._spent = dict.fromkeys(PHASES, 0.0)
        self._rounds, self._seconds = 0, 0.0
        self._last: Progress | None = None

    def report(self, progress: Progress, seconds: float) -> None:
        """Take in a round."""
        self._last, self._seconds = progress, seconds
        self._rounds += 1
        self._recent.add(progress)
        for phase, took in progress.seconds.items():
            self._spent[phase] += took
        overall = sum(progress.success.values(), start=_NOTHING)
        for name, rate in _with_totals(progress.success, overall, progress.answers).items():
            self._histories.setdefault(name, History(_HISTORY)).add(rate)

    def line(self) -> str:
        """All in one line, for a log file."""
        last, recent = self._last, self._recent
        if last is None:
            return "the first round is under way"
        types = ", ".join(f"{name} {_percent(rate)}" for name, rate in recent.success.items())
        return (
            f"round {last.iteration:,} of {last.iterations:,}, {last.global_step:,} steps, {_span(self._seconds)}: "
            f"success {_percent(recent.overall)} % ({types}), answers {_percent(recent.answers)} %, "
            f"reward {_number(recent.reward)}, {_count(recent.steps_per_second)} steps/s, "
            f"{_span(self._left(last))} left"
        )

    def screen(self) -> RenderableType:
        """All on one screen."""
        title = Text(self.title, style=_LOUD, no_wrap=True, overflow="ellipsis")
        if self._last is None:
            parts: list[RenderableType] = [title, "", Text("The first round is under way.", style=_QUIET)]
        else:
            parts = [title, "", self._way(self._last), "", self._rates(), "", self._figures(self._last)]
        return Constrain(Padding(Group(*parts), (0, 1)), _WIDTH)

    def _way(self, last: Progress) -> Table:
        """How far it is."""
        share = f"{100 * last.iteration / last.iterations:.0f} %"
        parts = (
            f"{share:<{_NAME + 2}}round {last.iteration:,} of {last.iterations:,}",
            f"{last.global_step:,} steps",
            _span(self._seconds),
            f"{_span(self._left(last))} left",
        )
        table = Table.grid(expand=True)
        table.add_row(_bar(last.iteration, last.iterations, width=None))
        table.add_row(Text("   ".join(parts), no_wrap=True))
        return table

    def _left(self, last: Progress) -> float:
        return sum(self._spent.values()) / self._rounds * (last.iterations - last.iteration)

    def _rates(self) -> Table:
        """Success by type of command, and right answers: now, so far, and in the last evaluation."""
        table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style=_QUIET)
        table.add_column("success, %", width=_NAME, no_wrap=True)
        table.add_column(width=_BAR)
        table.add_column("now", width=5, justify="right")
        table.add_column("so far", width=_HISTORY)
        table.add_column(f"test, round {self.evaluation.iteration:,}" if self.evaluation else "", no_wrap=True)
        tested = _tested(self.evaluation)
        for name, rate in _with_totals(self._recent.success, self._recent.overall, self._recent.answers).items():
            cells = _bar(rate.hits, rate.trials), _percent(rate), Text(self._histories[name].sparkline(), style=_COLOR)
            table.add_row(name, *cells, _with_interval(tested.get(name)), style=_LOUD if name == _OVERALL else "")
        return table

    def _figures(self, last: Progress) -> Table:
        """The other numbers, each line under its name."""
        spent = max(sum(self._spent.values()), 1e-9)
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(width=_NAME, style=_QUIET)
        table.add_column(no_wrap=True)
        table.add_row("reward", f"{_number(self._recent.reward)} a session")
        table.add_row("speed", f"{_count(self._recent.steps_per_second)} steps a second")
        table.add_row("time", _pairs((phase, f"{100 * self._spent[phase] / spent:.0f} %") for phase in PHASES))
        schedule = ("difficulty", f"{100 * last.difficulty:.0f} %"), ("learning rate", f"{last.learning_rate:.2g}")
        table.add_row("schedule", _pairs(schedule))
        losses = [(name, _number(loss)) for name, loss in self._recent.losses.items()]
        for start in range(0, min(len(losses), _MOST_LOSSES), _LOSSES_A_LINE):
            table.add_row("" if start else "losses", _pairs(losses[start : start + _LOSSES_A_LINE], _LOSS))
        return table


class History:
    """A long life in a few cells. When they are full, neighbors merge, and a cell stands for twice as many rounds.

    >>> history = History(cells=4)
    >>> for hits in range(9):
    ...     history.add(Rate(hits, 8))
    >>> history.sparkline()
    '▂▅▇'
    """

    def __init__(self, cells: int) -> None:
        self._most = cells  # an even number
        self.cells: list[Rate] = []
        """Equally many rounds each, but for the last."""
        self._span, self._room = 1, 0

    def add(self, rate: Rate) -> None:
        """Take in one more round."""
        if not self._room:
            if len(self.cells) == self._most:
                self._merge()
            self.cells.append(_NOTHING)
            self._room = self._span
        self.cells[-1] += rate
        self._room -= 1

    def sparkline(self) -> str:
        """A block for each cell, from none to all; a space where nothing was tried."""
        return "".join(_block(rate) for rate in self.cells)

    def _merge(self) -> None:
        self.cells = [first + second for first, second in zip(self.cells[::2], self.cells[1::2], strict=True)]
        self._span *= 2


def evaluation_line(evaluation: Evaluation) -> str:
    """An evaluation in one line, for a log file."""
    report = evaluation.report
    overall = report.overall
    types = ", ".join(f"{name} {_percent(rate)}" for name, rate in report.success.items())
    return (
        f"test at round {evaluation.iteration:,}: success {_percent(overall)} % "
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


def _bar(done: int, of: int, width: int | None = _BAR) -> ProgressBar:
    return ProgressBar(max(of, 1), done, width, style=_TRACK, complete_style=_COLOR, finished_style=_COLOR)


def _block(rate: Rate) -> str:
    return _BLOCKS[round(rate.value * (len(_BLOCKS) - 1))] if rate.trials else " "


def _with_interval(rate: Rate | None) -> Text:
    if rate is None or not rate.trials:
        return Text()
    return Text.assemble(f"{_percent(rate):>5}", (f"  {100 * rate.low:.1f} to {100 * rate.high:.1f}", _QUIET))


def _pairs(pairs: Iterable[tuple[str, str]], width: int = 0) -> Text:
    """Names and numbers side by side; with a width, in columns."""
    line = Text()
    for name, number in pairs:
        line.append(f"{name} ", style=_QUIET).append(number.ljust(width - len(name) - 2) if width else f"{number}  ")
        line.append(" ")
    return line


def _percent(rate: Rate) -> str:
    return f"{100 * rate.value:.1f}" if rate.trials else _UNKNOWN


def _number(value: float) -> str:
    return _UNKNOWN if math.isnan(value) else f"{value:.3g}"


def _count(value: float) -> str:
    return _UNKNOWN if math.isnan(value) else f"{value:,.0f}"


def _span(seconds: float) -> str:
    return str(timedelta(seconds=round(seconds)))

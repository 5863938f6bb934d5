"""The dashboard of training: it fits a screen, is quiet, and says what it should."""

import io
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rich.console import Console
from rich.segment import Segment

from made_up_metrics import make_evaluation, make_metrics, make_silent_metrics
from xworld.cli.dashboard import Dashboard, History
from xworld.cli.display import LINE_SECONDS, REFRESH_SECONDS
from xworld.evaluation.rate import Rate
from xworld.training.metrics import Metrics

TITLE = "default, Standard, seed 0, cuda, runs/default-Standard-0"
CURSOR_UP = "\x1b[1A"
"""Only what draws itself anew moves the cursor up."""


class Clock:
    """A clock that goes when it is told to."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def make_console(file: io.TextIOBase, terminal: bool, **environment: str) -> Console:
    return Console(file=file, width=80, height=24, force_terminal=terminal, _environ=environment)  # type: ignore[arg-type]


def make_dashboard(title: str = TITLE) -> Dashboard:
    return Dashboard(title, make_console(io.StringIO(), terminal=True))


def lines_of(dashboard: Dashboard) -> list[str]:
    console = make_console(io.StringIO(), terminal=True)
    lines = console.render_lines(dashboard.picture(), console.options.update(height=None), pad=False)
    assert all(Segment.get_line_length(line) <= 80 for line in lines)
    assert len(lines) <= 24
    return ["".join(segment.text for segment in line).rstrip() for line in lines]


def line_with(lines: list[str], name: str) -> str:
    (line,) = [line for line in lines if line.startswith(f" {name} ")]
    return line


def test_before_the_first_round() -> None:
    assert lines_of(make_dashboard()) == [f" {TITLE}", "", " The first iteration is running."]


def test_a_screen() -> None:
    dashboard = make_dashboard()
    for iteration in range(1, 26):
        success = {"nav_obj": Rate(iteration > 5, 1), "nav_bw_obj": Rate(iteration % 2, 2)}
        dashboard.on_iteration(make_metrics(iteration, success=success), seconds=3600.0 + iteration)
    dashboard.on_evaluation(make_evaluation(20))
    lines = lines_of(dashboard)
    assert lines[0] == f" {TITLE}"
    assert lines[3].split() == "25 % iteration 25 of 100 25,000 steps 1:00:25 0:12:30 left".split()
    assert lines[5].endswith("test, iteration 20")
    assert line_with(lines, "nav_obj").split()[2:] == ["100.0", "▁▁▄▇▇▇▇▇▇▇▇▇▇", "90.0", "82.6", "to", "94.5"]
    assert line_with(lines, "nav_bw_obj").split()[-4:] == ["60.0", "50.2", "to", "69.1"]
    assert line_with(lines, "overall").split()[-6:-4] == ["50.0", "▂▂▃▄▄▄▄▄▄▄▄▄▅"]
    assert line_with(lines, "answers").split()[-4] == "50.0"
    assert line_with(lines, "return").split() == ["return", "0.25", "per", "session"]
    assert line_with(lines, "speed").split() == ["speed", "2,000", "steps", "per", "second"]
    assert line_with(lines, "time").split() == "time rollout 3 % update 2 % evaluation 95 % saving 0 %".split()
    assert line_with(lines, "schedule").split() == "schedule difficulty 50 % learning rate 0.001".split()
    assert line_with(lines, "losses").split() == "losses policy -0.125 value 2 gradient_norm 0.5".split()


def test_nothing_to_tell_yet() -> None:
    dashboard = make_dashboard()
    dashboard.on_iteration(make_silent_metrics(1), seconds=0.5)
    lines = lines_of(dashboard)
    assert line_with(lines, "nav_obj").split()[-1] == "-"
    assert line_with(lines, "return").split()[1] == "-"
    assert line_with(lines, "speed").split()[1] == "-"


huge = st.floats(allow_nan=True, allow_infinity=False)
counts = st.integers(0, 10**12)


@settings(max_examples=30)
@given(
    title=st.text(max_size=120),
    losses=st.dictionaries(st.text("abc_", min_size=1, max_size=30), huge, max_size=30),
    reward=huge,
    rounds=st.tuples(st.integers(1, 10**7), counts),
    global_step=counts,
    seconds=st.floats(0, 1e6),
)
@example(TITLE, {f"loss_{number}": -1e-5 / 3 for number in range(30)}, 0.5, (10, 100), 10**6, 60.0)
def test_it_always_fits(
    title: str, losses: dict[str, float], reward: float, rounds: tuple[int, int], global_step: int, seconds: float
) -> None:
    dashboard = make_dashboard(title)
    iteration, left = rounds
    progress = make_metrics(
        1, losses=losses, session_return=reward, global_step=global_step, seconds={"update": 0.1, "saving": seconds}
    )
    dashboard.on_iteration(replace(progress, iteration=iteration, iterations=iteration + min(left, 10**7)), seconds)
    dashboard.on_evaluation(replace(make_evaluation(1), iteration=iteration))
    lines_of(dashboard)


def show(console: Console, rounds: list[Metrics], pause: float) -> None:
    """Report rounds, one after each pause."""
    clock = Clock()
    with Dashboard(TITLE, console, clock) as dashboard:
        for progress in rounds:
            dashboard.on_iteration(progress, seconds=0.5 * progress.iteration)
            clock.now += pause


def test_it_is_drawn_in_place_and_not_too_often() -> None:
    file = io.StringIO()
    rounds = [make_metrics(iteration) for iteration in range(1, 41)]
    show(make_console(file, terminal=True), rounds, pause=REFRESH_SECONDS / 10)
    drawn = file.getvalue().count(TITLE)
    assert 5 <= drawn <= 8  # at the beginning, four times in between, at the end
    assert CURSOR_UP in file.getvalue()
    assert "iteration 40 of 100" in file.getvalue()


def test_what_is_said_stands_above_it() -> None:
    file = io.StringIO()
    with Dashboard(TITLE, make_console(file, terminal=True)) as dashboard:
        dashboard.on_iteration(make_metrics(1), seconds=1)
        dashboard.say("saved [bold]everything")
        dashboard.on_evaluation(make_evaluation(1))
    said = file.getvalue().index("saved [bold]everything")
    assert file.getvalue().rindex(TITLE) > said
    assert "test, iteration 1" in file.getvalue()[said:]


def test_plain_lines_where_there_is_no_terminal() -> None:
    file = io.StringIO()
    clock = Clock()
    with Dashboard(TITLE, make_console(file, terminal=False), clock) as dashboard:
        for iteration in range(1, 26):
            dashboard.on_iteration(make_metrics(iteration), seconds=iteration)
            clock.now += LINE_SECONDS / 10
            if iteration == 20:
                dashboard.on_evaluation(make_evaluation(iteration))
        dashboard.say("interrupted")
    assert file.getvalue().splitlines() == [
        TITLE,
        "iteration 1 of 100, 1,000 steps, 0:00:01: success 50.0 % (nav_obj 50.0, nav_col_obj 50.0, nav_nr_obj 50.0, "
        "nav_bw_obj -), answers 75.0 %, return 0.25, - steps/s, 0:16:30 left",
        "iteration 11 of 100, 11,000 steps, 0:00:11: success 50.0 % (nav_obj 50.0, nav_col_obj 50.0, nav_nr_obj 50.0, "
        "nav_bw_obj -), answers 75.0 %, return 0.25, 2,000 steps/s, 0:14:50 left",
        "test after iteration 20: success 75.0 % (70.5 to 79.0; nav_obj 90.0, nav_col_obj 80.0, nav_nr_obj 70.0, "
        "nav_bw_obj 60.0), answers 50.0 %, path efficiency 75.0 %",
        "iteration 21 of 100, 21,000 steps, 0:00:21: success 50.0 % (nav_obj 50.0, nav_col_obj 50.0, nav_nr_obj 50.0, "
        "nav_bw_obj -), answers 75.0 %, return 0.25, 2,000 steps/s, 0:13:10 left",
        "interrupted",
        "iteration 25 of 100, 25,000 steps, 0:00:25: success 50.0 % (nav_obj 50.0, nav_col_obj 50.0, nav_nr_obj 50.0, "
        "nav_bw_obj -), answers 75.0 %, return 0.25, 2,000 steps/s, 0:12:30 left",
    ]


def test_the_last_round_is_shown_at_once_and_only_once() -> None:
    file = io.StringIO()
    with Dashboard(TITLE, make_console(file, terminal=False), Clock()) as dashboard:
        dashboard.on_iteration(make_metrics(99), seconds=1)
        dashboard.on_iteration(make_metrics(100), seconds=2)
        dashboard.say("done")
    assert [line[:13] for line in file.getvalue().splitlines()[1:]] == ["iteration 99 ", "iteration 100", "done"]


@pytest.mark.parametrize(("encoding", "term"), [("ascii", "xterm"), ("utf-8", "dumb")])
def test_terminals_that_cannot_draw_get_plain_lines(encoding: str, term: str) -> None:
    file = io.TextIOWrapper(io.BytesIO(), encoding, write_through=True)
    show(make_console(file, terminal=True, TERM=term), [make_metrics(1), make_silent_metrics(2)], pause=LINE_SECONDS)
    file.seek(0)
    assert [line[:12] for line in file.read().splitlines()] == [TITLE[:12], "iteration 1 ", "iteration 2 "]


@given(st.lists(st.integers(0, 9).map(lambda hits: Rate(hits, 9)), max_size=200), st.sampled_from([2, 4, 20]))
def test_a_history_forgets_nothing(rates: list[Rate], cells: int) -> None:
    history = History(cells)
    for rate in rates:
        history.add(rate)
    assert sum(history.cells, start=Rate(0, 0)) == sum(rates, start=Rate(0, 0))
    assert len(history.cells) == len(history.sparkline()) <= cells
    assert len(history.cells) > cells // 2 or len(history.cells) == len(rates)
    assert len({cell.trials for cell in history.cells[:-1]}) <= 1  # all but the last cover equally many iterations

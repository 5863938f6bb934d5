"""Ablations: jobs with a setting as the paper prints it, and the page about them."""

from pathlib import Path

import pytest

from results import make_result
from xworld.experiments.grid import Grid, Job
from xworld.experiments.plan import Plan, read_settings
from xworld.experiments.report.page import write_report
from xworld.experiments.result import Result
from xworld.experiments.scheduler import Scheduler, State
from xworld.training.configs import DEFAULT, PAPER, PRINTED, TINY, as_printed, not_as_printed
from xworld.world.checks import SettingsError


def finish(folder: Path, result: Result) -> None:
    path = folder / result.job.name
    path.mkdir()
    result.write(path)


def jobs(printed: str, *seeds: int) -> list[Job]:
    return [Job("planner", "NWNavRec", 0.1, seed, printed) for seed in seeds]


def test_with_all_settings_put_back_a_config_is_the_printed_one() -> None:
    config = PAPER
    for setting in not_as_printed(PAPER):
        config = as_printed(config, setting)
    assert not_as_printed(config) == not_as_printed(PRINTED) == ()
    for setting in not_as_printed(DEFAULT):
        assert as_printed(DEFAULT, setting) != DEFAULT


def test_an_optimizer_comes_with_a_rate_that_suits_it_and_a_buffer_fits_the_environments() -> None:
    other = as_printed(DEFAULT, "optimizer")
    assert (other.optimizer, other.learning_rate, other.weight_decay) == ("adagrad", 1e-2, 0.0)
    assert as_printed(DEFAULT, "buffer_size").buffer_size in range(10_000, 10_000 + DEFAULT.num_envs)


def test_a_setting_that_is_as_printed_already_cannot_be_put_back() -> None:
    with pytest.raises(SettingsError, match="gamma"):
        as_printed(PAPER, "gamma")
    with pytest.raises(SettingsError, match="optimizer"):
        Plan(PAPER).settings(jobs("optimizer", 0)[0])


def test_every_job_comes_with_its_ablations() -> None:
    grid = Grid(("planner",), ("Standard",), seeds=(0, 1), printed=("init", "temperature", "init"))
    names = [job.name for job in grid.jobs()]
    assert names[:3] == [f"planner-Standard-0-0{end}" for end in ("", "-printed-init", "-printed-temperature")]
    assert len(names) == 6


def test_the_settings_of_an_ablation_hold_the_config_that_is_trained() -> None:
    (job,) = jobs("temperature", 3)
    plan, again = read_settings(Plan(TINY).settings(job))
    assert again == job
    assert plan == Plan(as_printed(TINY, "temperature"))


def test_ablations_share_a_folder_with_the_config_itself(tmp_path: Path) -> None:
    both = [*jobs("", 0), *jobs("init", 0)]
    for job in both:
        finish(tmp_path, make_result(job))
    for attempt in (both, jobs("", 0), jobs("temperature", 0)):
        scheduler = Scheduler(tmp_path, attempt, Plan(split="test"))
        assert scheduler.scan() == []
        assert all((state is State.DONE) == (job in both) for job, state in scheduler.states.items())
    with pytest.raises(SettingsError, match="other settings, see entropy_coef"):
        Scheduler(tmp_path, both, Plan(as_printed(DEFAULT, "entropy_coef"), split="test")).scan()


def test_the_page_says_what_falls_without_a_setting(tmp_path: Path) -> None:
    rates = {"": (0.99, 0.98, 0.99), "embedding_noise": (0.99, 0.98, 0.99), "init": (0.1, 0.2, 0.1)}
    starred = {"": 0.9, "embedding_noise": 0.5, "init": 0.1}
    for printed, values in rates.items():
        for job, rate in zip(jobs(printed, 0, 1, 2), values, strict=True):
            heard = starred[printed] + job.seed / 100
            finish(tmp_path, make_result(job, rate, heard, {"rec_loc2obj": 0.75 if printed else 0.97}))
    write_report(tmp_path, tmp_path / "page.md", "xworld report")
    page = (tmp_path / "page.md").read_text()
    assert "# What each setting of `default` does" in page
    assert "Student's t over the seeds of its line" in page
    assert "| nothing: `default` | 98.7 ± 1.4 | 98.7 ± 1.4 | 91.0 ± 2.5 | 98.7 ± 1.4 |" in page
    assert "| `init` = printed |" in page
    assert "`rec_loc2obj` 75.0 | 3 |" in page
    assert "- `embedding_noise`: never heard fall by 40.00 points.\n" in page
    assert "- `init`: all commands fall by 85.33 points, `nav_bw_obj` fall by 85.33 points" in page
    assert "## Planner, NWNavRec, 10 % held out" in page
    assert not (tmp_path / "images").exists()


def test_one_run_that_fails_counts_and_one_that_is_as_good_as_the_config_does_too(tmp_path: Path) -> None:
    rates = {"": (0.97, 0.98, 0.99), "init": (0.96, 0.02, 0.96), "temperature": (0.02, 0.02, 0.975)}
    for printed, values in rates.items():
        for job, rate in zip(jobs(printed, 0, 1, 2), values, strict=True):
            finish(tmp_path, make_result(job, rate))
    write_report(tmp_path, tmp_path / "new" / "page.md", "xworld report")
    page = (tmp_path / "new" / "page.md").read_text()
    assert "- `init`: all commands fall by 33.33 points" in page
    assert "- `temperature`: nothing that the order of the runs shows." in page


def test_without_the_config_itself_nothing_is_concluded(tmp_path: Path) -> None:
    for job in jobs("init", 0, 1):
        finish(tmp_path, make_result(job))
    write_report(tmp_path, tmp_path / "page.md", "xworld report")
    assert "The config itself was not run." in (tmp_path / "page.md").read_text()


def test_one_seed_shows_no_difference(tmp_path: Path) -> None:
    for job, rate in zip((*jobs("", 0, 1), *jobs("init", 0)), (0.9, 0.91, 0.1), strict=True):
        finish(tmp_path, make_result(job, rate))
    write_report(tmp_path, tmp_path / "page.md", "xworld report")
    assert "- `init`: nothing that the order of the runs shows." in (tmp_path / "page.md").read_text()


@pytest.mark.parametrize(
    ("rates", "others", "apart"),
    [
        ((1, 2, 3), (4, 5, 6), True),  # 1 of 20 choices is as low
        ((4, 5, 6), (1, 2, 3), True),
        ((1, 2, 4), (3, 5, 6), False),  # 2 of 20
        ((1, 2, 5), (3, 4, 6, 7, 8), False),  # 4 of 56
        ((1, 2, 4), (3, 5, 6, 7, 8), True),  # 2 of 56
        ((1, 1, 1), (1, 1, 1), False),
        ((1, 2, 2), (2, 3, 4), False),  # ties: 2 of 20
    ],
)
def test_the_order_of_runs_is_judged_by_ranks(
    rates: tuple[int, ...], others: tuple[int, ...], apart: bool, tmp_path: Path
) -> None:
    for printed, values in (("", others), ("init", rates)):
        for job, rate in zip(jobs(printed, *range(len(values))), values, strict=True):
            finish(tmp_path, make_result(job, rate / 10))
    write_report(tmp_path, tmp_path / "page.md", "xworld report")
    assert ("- `init`: all commands" in (tmp_path / "page.md").read_text()) == apart

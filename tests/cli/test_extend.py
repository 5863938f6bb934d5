"""`--extend`, with any command, each in a process of its own: what it loads stays loaded."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = [str(EXAMPLES / name) for name in ("far_command.py", "count_question.py")]
EXTEND = [argument for file in FILES for argument in ("--extend", file)]
SHORT = ["--total-steps", "256", "--num-envs", "64", "--buffer-size", "128", "--batches-per-iteration", "2"]
SHORT += ["--minimal-pairs", "4", "--sessions", "4", "--validation-sessions", "4"]

SESSIONS = "600"

EVERYWHERE = """
import sys
from pathlib import Path
from xworld.teacher.extension import load_extension
for file in sys.argv[2:]:
    load_extension(file)

import gymnasium, xworld
env = gymnasium.make("XWorld-v0", observation="tiles")
envs = gymnasium.make_vec("XWorld-v0", num_envs=64, observation="tiles")
commands = envs.unwrapped.text(envs.reset(seed=0)[0]["command"])
assert 4 < sum("far away from" in command for command in commands) < 30
assert env.reset(seed=5)[1]["command"] == commands[5]

from xworld.teacher.holdout import Holdout
from xworld.teacher.settings import TeacherSettings
settings = TeacherSettings(commands=("nav_far_obj",))
envs = gymnasium.make_vec("XWorld-v0", num_envs=512, condition=Holdout("NWNav", ("apple",)), settings=settings)
commands = envs.unwrapped.text(envs.reset(seed=0)[0]["command"])
assert all("far" in command and " apple" not in command for command in commands)

from xworld.teacher.oracle import possible_commands
offers = [possible_commands(envs.unwrapped.simulator, index) for index in range(512)]
targets = [[command.target for command in each if command.subtask == "nav_far_obj"] for each in offers]
several = [cells for cells in targets if len(cells) > 1]
alike = sum(len(set(cells)) < len(cells) for cells in several)
assert len(several) > 100 and alike < 0.05 * len(several)

from xworld.demo.about import describe
from xworld.demo.agents import load_agents
from xworld.demo.new_map import NewMapRequest, make_map
from xworld.demo.suggestions import suggest
agent, = load_agents([Path(sys.argv[1])]).values()
scene, answer = make_map(agent, NewMapRequest(seed=3, command="nav_far_obj", with_word="apple"))
assert "far away from the apple" in answer["command"]["text"]
assert {"nav_far_obj", "rec_count"} <= {suggestion.sentence.subtask for suggestion in suggest(agent, scene)}
assert describe([agent])["questions"][-1]["title"] == "count the objects"
"""
"""Both environments speak the new command, hold-outs apply to it, its noun matters, and the demo shows it."""

ONE_BY_ONE = """
import json, sys
from xworld.cli.main import main
print(json.dumps([main(command) for command in json.loads(sys.argv[1])]))
"""
"""Commands in one process, and in the end how each of them ended."""


def start(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "xworld.cli.main", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def xworld(*arguments: str) -> str:
    """The output of a command that succeeds."""
    done = start(*arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def refusal(*arguments: str) -> str:
    """The error of a command that is refused."""
    done = start(*arguments)
    assert done.returncode == 2, done.stdout
    return done.stderr


def test_new_sentences_are_listed() -> None:
    lines = xworld("sentences", "--all", "--type", "nav_far_obj", *EXTEND).splitlines()
    assert len(lines) == 160
    assert lines[0] == "Go far away from the apple."
    assert "rec_count" in xworld(*EXTEND, "sentences", "--help")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short training run with both examples."""
    folder = tmp_path_factory.mktemp("runs") / "extended"
    xworld("train", "tiny", *EXTEND, *SHORT, "--folder", str(folder))
    return folder


def test_an_agent_is_trained_and_tested_with_new_types(run: Path) -> None:
    result = json.loads((run / "result.json").read_text())
    assert [extension["file"] for extension in result["settings"]["extend"]] == FILES
    assert {"nav_obj", "nav_far_obj", "pairs_nav_far_obj", "rec_count"} <= result["evaluation"].keys()


def test_a_run_resumes_with_its_types(run: Path) -> None:
    (run / "result.json").unlink()
    assert "nav_far_obj" in xworld("train", "--resume", str(run))


def test_new_types_are_spoken_held_out_and_shown(run: Path) -> None:
    command = [sys.executable, "-c", EVERYWHERE, str(run / "agent.safetensors"), *FILES]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_an_agent_is_loaded_with_its_types_only(run: Path) -> None:
    agent = str(run / "agent.safetensors")
    expected = "only the file has 'far', .*--extend far_command.py --extend count_question.py"
    assert re.search(expected, refusal("evaluate", agent))
    commands = ["evaluate", agent, "--sessions", "8"], ["evaluate", "Standard"], ["demo", "--port", "0", "--no-browser"]
    extended = json.dumps([[*command, *EXTEND] for command in commands])
    done = subprocess.run([sys.executable, "-c", ONE_BY_ONE, extended], capture_output=True, text=True, check=False)
    assert "nav_far_obj" in done.stdout
    assert "the file lacks 'far'" in done.stderr
    assert "no agent knows far, away" in done.stderr
    assert done.stdout.endswith("[0, 2, 2]\n"), done.stderr


@pytest.mark.parametrize(("file", "message"), [("gone.py", "No such file"), ("odd.py", "is not Python")])
def test_what_is_no_extension_is_refused(file: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "odd.py").write_text("go far away")
    assert message in refusal("sentences", "--extend", str(tmp_path / file))


def test_a_kernel_that_does_not_compile_is_refused_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(Path(FILES[1]).read_text().replace("if count > 0", "if cuont > 0"))
    *_, error = refusal("train", "tiny", "--extend", str(file), *SHORT, "--folder", str(tmp_path / "run")).splitlines()
    assert re.fullmatch(rf"xworld: {file}, line \d+: this kernel does not compile: NameError: name 'cuont' .*", error)
    assert not (tmp_path / "run").exists()


def test_the_referees_agree_with_the_examples() -> None:
    command = [sys.executable, str(Path(__file__).parents[1] / "extended.py"), SESSIONS, *FILES]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout == "0\n", done.stderr

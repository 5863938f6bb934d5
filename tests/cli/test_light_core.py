"""A plain `pip install xworld` has no PyTorch, Matplotlib or web server: the environment works without them."""

import subprocess
import sys

import pytest

WITHOUT_EXTRAS = """
import sys
EXTRAS = "torch safetensors tensorboard filelock matplotlib fastapi starlette uvicorn pydantic minigrid ray".split()
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in EXTRAS:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Missing())
"""
COMMANDS = """
from xworld.cli.main import main
for command in sys.argv[1:]:
    try:
        main(command.split())
    except SystemExit as end:
        assert not end.code
"""
STEPS = """
import gymnasium, xworld
env = gymnasium.make("XWorld-v0")
env.reset(seed=0)
env.step(0)
assert not set(EXTRAS) & set(sys.modules)
"""


def run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", WITHOUT_EXTRAS + code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_environment_steps() -> None:
    assert run(STEPS).returncode == 0


def test_commands_of_the_core_run_and_all_help_is_shown() -> None:
    options = [f"{name} --help" for name in ("play", "train", "reproduce", "evaluate", "figures", "demo", "teach")]
    result = run(COMMANDS, "--help", "sentences --type nav_obj --samples 2", *options)
    assert result.stderr == ""
    assert result.returncode == 0


NEEDS = {
    "evaluate": ("PyTorch", "train"),
    "train tiny": ("PyTorch", "train"),
    "teach zebra --icon zebra.png": ("PyTorch", "train"),
    "bench agent": ("PyTorch", "train"),
    "bench env": ("minigrid", "bench"),
    "figures": ("PyTorch", "figures"),
    "report": ("filelock", "figures"),
}


@pytest.fixture(scope="module")
def errors() -> list[str]:
    return run(COMMANDS, *NEEDS).stderr.splitlines()


@pytest.mark.parametrize("command", NEEDS)
def test_other_commands_say_what_to_install(command: str, errors: list[str]) -> None:
    title, extra = NEEDS[command]
    assert len(errors) == len(NEEDS)
    assert errors[list(NEEDS).index(command)] == f"xworld: this command needs {title}: pip install 'xworld[{extra}]'"

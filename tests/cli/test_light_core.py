"""A plain `pip install xworld` has no PyTorch, Matplotlib or web server: the environment works without them."""

import subprocess
import sys

import pytest

WITHOUT_EXTRAS = """
import sys
EXTRAS = '''
torch safetensors tensorboard filelock matplotlib fastapi starlette uvicorn pydantic minigrid ray minari
'''.split()
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in EXTRAS:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Missing())

import gymnasium, xworld
env = gymnasium.make("XWorld-v0")
env.reset(seed=0)
env.step(0)

from xworld.cli.main import main
for command in sys.argv[1:]:
    try:
        main(command.split())
    except SystemExit as end:
        assert not end.code
assert not set(EXTRAS) & set(sys.modules)
"""
HELP = [
    "--help",
    *(
        f"{name} --help"
        for name in ("play", "train", "reproduce", "evaluate", "figures", "demo", "demonstrate", "teach")
    ),
]
NEEDS = {
    "evaluate": ("PyTorch", "train"),
    "train tiny": ("PyTorch", "train"),
    "teach zebra --icon zebra.png": ("PyTorch", "train"),
    "bench agent": ("PyTorch", "train"),
    "bench env": ("minigrid", "bench"),
    "demonstrate": ("minari", "data"),
    "figures": ("PyTorch", "figures"),
    "report": ("filelock", "figures"),
}


@pytest.fixture(scope="module")
def result() -> subprocess.CompletedProcess[str]:
    """The environment steps, then commands run one after the other."""
    commands = [*HELP, "sentences --type nav_obj --samples 2", *NEEDS]
    return subprocess.run(
        [sys.executable, "-c", WITHOUT_EXTRAS, *commands], capture_output=True, text=True, check=False
    )


def test_the_environment_steps_and_commands_start(result: subprocess.CompletedProcess[str]) -> None:
    assert result.returncode == 0, result.stderr
    assert result.stdout.count("usage: xworld") == len(HELP)


@pytest.mark.parametrize("command", NEEDS)
def test_other_commands_say_what_to_install(command: str, result: subprocess.CompletedProcess[str]) -> None:
    title, extra = NEEDS[command]
    errors = result.stderr.splitlines()
    assert len(errors) == len(NEEDS)
    assert errors[list(NEEDS).index(command)] == f"xworld: this command needs {title}: pip install 'xworld[{extra}]'"

"""The program itself, before any command runs."""

import subprocess
import sys

import xworld

INTERRUPTED = """
import sys
class Interrupted:
    def find_spec(self, name, path=None, target=None):
        if name == "tyro":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupted())

from xworld.cli.main import main
sys.exit(main(["demo"]))
"""


def test_ctrl_c_while_it_loads_is_no_traceback() -> None:
    result = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (130, "", "")


def test_python_runs_the_package_too() -> None:
    command = [sys.executable, "-m", "xworld", "--version"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (0, f"xworld {xworld.__version__}\n", "")

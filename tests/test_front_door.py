"""The names that the package offers: quick to import, documented, with examples that run."""

import doctest
import inspect
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import xworld

API = Path(__file__).parents[1] / "docs" / "api.md"


def run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_importing_the_package_is_fast_and_loads_neither_torch_nor_numba() -> None:
    code = "import sys, time; t = time.process_time(); import xworld; print(time.process_time() - t, *sys.modules)"
    attempts = [run(code).split() for _ in range(3)]
    assert not {"torch", "numba"} & set(attempts[0])
    assert min(float(seconds) for seconds, *_ in attempts) < 0.3


def test_environments_and_functions_are_tested_without_torch() -> None:
    code = """
import sys, numpy, xworld
report = xworld.evaluate(lambda seen: numpy.zeros(len(seen["command"]), int), sessions=8, observation="tiles")
assert report.overall.trials == 8
assert "torch" not in sys.modules
"""
    run(code)


@pytest.mark.parametrize("name", xworld.__all__)
def test_each_name_has_a_docstring_an_example_and_a_line_in_the_docs(name: str) -> None:
    thing = getattr(xworld, name)
    examples = [part for part in doctest.DocTestFinder().find(thing, name) if part.examples]
    assert inspect.getdoc(thing)
    assert examples, f"{name} has no example"
    assert f"`{name}" in API.read_text(), f"docs/api.md does not speak of {name}"


@pytest.mark.parametrize("name", ["register_command", "register_question"])
def test_examples_that_add_to_the_language_run(name: str) -> None:
    code = f"""
import doctest, xworld.teacher.extension as home
finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner()
for example in finder.find(home.{name}, {name!r}, globs=vars(home)):
    assert runner.run(example) == (0, len(example.examples)), len(example.examples)
"""
    # For one session, compiling would take longer than running it in Python.
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", xworld.__all__)
def test_all_arguments_and_results_have_types(name: str) -> None:
    thing = getattr(xworld, name)
    call: Any = thing.__init__ if inspect.isclass(thing) else thing
    if hasattr(call, "__annotations__") and not hasattr(thing, "_fields"):
        missing = set(inspect.signature(call).parameters) - set(call.__annotations__) - {"self"}
        assert not missing


def test_what_it_does_not_offer_is_refused_with_what_it_offers() -> None:
    with pytest.raises(AttributeError, match=r"no attribute 'load_agents'; it offers Catalogue, .*load_agent"):
        xworld.load_agents  # noqa: B018
    assert set(xworld.__all__) <= set(dir(xworld))

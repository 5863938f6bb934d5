"""Change the core in one random place at a time, and see whether the tests notice: `make mutants`.

Cosmic Ray makes the changes. Each is tried in a copy of the project, with the tests that should notice it. A change
that no test notices is printed: either a test is missing, or the change makes no difference.
"""

import argparse
import ast
import difflib
import json
import math
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from cosmic_ray.ast import ast_nodes, get_ast_from_path
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

ROOT = Path(__file__).parents[1]
TESTS = {
    "world": ["world", "teacher", "envs"],
    "teacher": ["teacher", "envs", "evaluation", "cli/test_sentences.py"],
    "envs": ["envs"],
    "agent": ["agent", "training/test_trainer.py", "evaluation", "baselines/test_models.py"],
    "training": ["training", "baselines", "cli/test_train.py"],
    "evaluation": ["evaluation", "cli/test_evaluate.py"],
    "experiments/report": ["experiments/report", "experiments/test_result.py", "cli/test_reproduce.py"],
}
"""The packages of the core, and the tests that should notice a change in each; the nearest come first."""
NOT_COPIED = ".venv*", ".git", ".*_cache", "runs", "__pycache__"
PATIENCE = 3
"""A change counts as noticed if the tests take this many times as long as without it."""


def package_of(path: str) -> str:
    """The package of the core to which a file belongs."""
    return next(package for package in TESTS if f"xworld/{package}/" in path)


@dataclass(frozen=True)
class Mutant:
    """One change of one file."""

    path: str
    operator: str
    occurrence: int
    line: int

    def code(self) -> str:
        """The file with the change."""
        changed: str = mutate_code((ROOT / self.path).read_text(), get_operator(self.operator)(), self.occurrence)
        return changed

    def difference(self) -> str:
        """What the change is, as a diff without context."""
        before, after = (ROOT / self.path).read_text().splitlines(), self.code().splitlines()
        lines = difflib.unified_diff(before, after, lineterm="", n=0)
        return "\n".join(line for line in lines if not line.startswith(("---", "+++", "@@")))


def find_mutants() -> Iterator[Mutant]:
    """All changes that the tool can make, except in annotations, which a type checker looks after."""
    operators = {name: get_operator(name) for name in operator_names()}
    for path in (path for package in TESTS for path in sorted((ROOT / "src/xworld" / package).rglob("*.py"))):
        annotations, nodes = list(_annotations(path)), list(ast_nodes(get_ast_from_path(path)))
        for name, operator in operators.items():
            if operator.arguments():  # such as names of variables to insert
                continue
            make = operator()
            positions = (start for node in nodes for start, _ in make.mutation_positions(node))
            for occurrence, start in enumerate(positions):
                if not any(first <= start < last for first, last in annotations):
                    yield Mutant(path.relative_to(ROOT).as_posix(), name, occurrence, start[0])


def _annotations(path: Path) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Where the annotations of a file begin and end."""
    for node in ast.walk(ast.parse(path.read_text())):
        for annotation in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            if annotation is not None:
                yield (annotation.lineno, annotation.col_offset), (annotation.end_lineno, annotation.end_col_offset)


class Copies:
    """Copies of the project, in which changes are tried side by side."""

    def __init__(self, folder: Path, count: int, without: list[str]) -> None:
        self._free: SimpleQueue[Path] = SimpleQueue()
        self._without, self._seconds = [f"--ignore={path}" for path in without], math.inf
        for number in range(count):
            shutil.copytree(ROOT, folder / str(number), ignore=shutil.ignore_patterns(*NOT_COPIED))
            self._free.put(folder / str(number))

    def test_unchanged(self, paths: Iterable[str], pool: ThreadPoolExecutor) -> None:
        """See how long the tests of some files take; those that fail on this machine are left out from now on."""
        begun = time.monotonic()
        failed = [
            name for names in pool.map(lambda path: self.test(path, (ROOT / path).read_text()), paths) for name in names
        ]
        self._without += [f"--deselect={name}" if "::" in name else f"--ignore={name}" for name in failed]
        self._seconds = time.monotonic() - begun
        print(f"without a change the tests take {self._seconds:.0f} s, and these fail: {failed}", flush=True)

    def test(self, path: str, code: str, *options: str) -> list[str]:
        """Run the tests of a file with other code in it: those that fail, or why none of them could."""
        folder = self._free.get()
        try:
            (folder / path).write_text(code)
            return self._run_tests(folder, path, options)
        finally:
            shutil.copy(ROOT / path, folder / path)
            self._free.put(folder)

    def _run_tests(self, folder: Path, path: str, options: tuple[str, ...]) -> list[str]:
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, *self._without]
        command += [path, *(f"tests/{test}" for test in [*TESTS[package_of(path)], "test_values.py"])]
        paths = os.pathsep.join([str(folder / "src"), os.environ.get("PYTHONPATH", "")])
        environment = {**os.environ, "PYTHONPATH": paths, "NUMBA_CACHE_DIR": str(folder / "kernels")}
        environment |= {"PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1"}
        pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        with subprocess.Popen(command, cwd=folder, env=environment, start_new_session=True, **pipes) as process:
            try:
                output, _ = process.communicate(timeout=min(3600, PATIENCE * self._seconds))
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                return ["the tests do not end"]
        failed = [line.split(" ")[1] for line in output.splitlines() if line.startswith(("FAILED ", "ERROR "))]
        return failed or output.splitlines()[-1:] if process.returncode else []


def main() -> None:
    """Draw mutants, try them side by side, and print those that no test noticed."""
    parser = argparse.ArgumentParser(description="Does a test notice when the core is changed?")
    parser.add_argument("--count", type=int, default=300, help="number of mutants, drawn at random")
    parser.add_argument("--seed", type=int, default=0, help="of the draw")
    parser.add_argument("--only", default="", help="draw from files whose path contains this")
    parser.add_argument("--again", type=Path, help="instead, try those that such a file of lines says survived")
    parser.add_argument("--at-once", type=int, default=os.cpu_count() or 1, help="copies of the project")
    parser.add_argument("--without", nargs="*", default=[], help="files or folders with tests to leave out")
    parser.add_argument("--out", type=Path, default=ROOT / "runs/mutants.jsonl", help="a line of JSON for each mutant")
    options = parser.parse_args()
    chosen = read_survivors(options.again) if options.again else draw(options.count, options.seed, options.only)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    survivors = 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.at_once) as pool:
        copies = Copies(Path(folder), options.at_once, options.without)
        examples = {package_of(mutant.path): mutant.path for mutant in chosen}.values()
        copies.test_unchanged(examples, pool)
        trials = {pool.submit(copies.test, mutant.path, mutant.code(), "-x"): mutant for mutant in chosen}
        with options.out.open("w") as out:
            for trial in as_completed(trials):
                mutant, failed = trials[trial], trial.result()
                survivors += not failed
                print(json.dumps(asdict(mutant) | {"noticed_by": failed}), file=out, flush=True)
                if not failed:
                    print(f"\n{mutant.path}:{mutant.line}, {mutant.operator}\n{mutant.difference()}", flush=True)
    count = len(chosen) - survivors
    print(f"\nnoticed: {count} of {len(chosen)}, {100 * count / len(chosen):.1f} %; {options.out}")


def draw(count: int, seed: int, only: str) -> list[Mutant]:
    """Random mutants of the files whose path contains a text."""
    everything = [mutant for mutant in find_mutants() if only in mutant.path]
    print(f"{count} of {len(everything)} mutants, seed {seed}")
    return random.Random(seed).sample(everything, min(count, len(everything)))


def read_survivors(path: Path) -> list[Mutant]:
    """The mutants that were not noticed in an earlier run."""
    names = [field.name for field in fields(Mutant)]
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return [Mutant(**{name: line[name] for name in names}) for line in lines if not line["noticed_by"]]


if __name__ == "__main__":
    main()

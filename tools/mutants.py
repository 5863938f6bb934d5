"""Change the core in one random place at a time, and see whether the tests notice: `make mutants`.

Cosmic Ray makes the changes. Each is tried in a copy of the project, with the tests of its own package first. A change
that no test notices is printed: either a test is missing, or the change makes no difference.
"""

import argparse
import ast
import difflib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from cosmic_ray.ast import ast_nodes, get_ast_from_path
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

ROOT = Path(__file__).parents[1]
CORE = "world", "teacher", "envs", "agent", "training", "evaluation", "experiments/report"
TESTS = (
    "world",
    "teacher",
    "envs",
    "agent",
    "evaluation",
    "training",
    "experiments",
    "baselines",
    "word_learning",
    "cli",
)
NEAR = {
    "world": ("world", "teacher", "envs"),
    "teacher": ("teacher", "envs", "evaluation"),
    "training": ("training", "baselines"),
    "experiments": ("experiments/report", "experiments"),
}
"""Packages that are tested by others' tests as well; the rest have their own tests first."""
NOT_NEEDED = "tests/experiments/test_ray_launcher.py", "tests/experiments/test_local_launcher.py"
"""They start processes, and test nothing of the core that others do not."""
NOT_COPIED = ".venv*", ".git", ".*_cache", "runs", "__pycache__"
PATIENCE = 1500
"""Seconds, after which a change counts as noticed: the tests do not end."""


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
    for path in (path for package in CORE for path in sorted((ROOT / "src/xworld" / package).rglob("*.py"))):
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


def tests_for(path: str) -> list[str]:
    """The tests to run, those nearest to a file first."""
    package = path.split("/")[2]
    near = NEAR.get(package, (package,))
    return [path, *(f"tests/{folder}" for folder in dict.fromkeys((*near, *TESTS)))]


def run_tests(folder: Path, path: str, without: list[str]) -> tuple[bool, str]:
    """Run the tests in a copy until one fails: whether that happens, and which one it is."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests_for(path)]
    command += [f"--ignore={test}" for test in (*NOT_NEEDED, *without)]
    paths = os.pathsep.join([str(folder / "src"), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": paths, "NUMBA_CACHE_DIR": str(folder / "kernels")}
    environment |= {"PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1"}
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    with subprocess.Popen(command, cwd=folder, env=environment, start_new_session=True, **pipes) as process:
        try:
            output, _ = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            return True, "does not end"
    failed = [line for line in output.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return process.returncode != 0, (failed or output.splitlines()[-1:])[0]


def try_mutant(mutant: Mutant, copies: "SimpleQueue[Path]", without: list[str]) -> tuple[bool, str]:
    """Whether the tests notice a change, in the next copy that is free."""
    folder = copies.get()
    try:
        (folder / mutant.path).write_text(mutant.code())
        return run_tests(folder, mutant.path, without)
    finally:
        shutil.copy(ROOT / mutant.path, folder / mutant.path)
        copies.put(folder)


def main() -> None:
    """Draw mutants, try them side by side, and print those that no test noticed."""
    parser = argparse.ArgumentParser(description="Does a test notice when the core is changed?")
    parser.add_argument("--count", type=int, default=300, help="number of mutants, drawn at random")
    parser.add_argument("--seed", type=int, default=0, help="of the draw")
    parser.add_argument("--only", default="", help="draw from files whose path contains this")
    parser.add_argument("--at-once", type=int, default=os.cpu_count() or 1, help="copies of the project")
    parser.add_argument("--without", nargs="*", default=[], help="files with tests that cannot run on this machine")
    parser.add_argument("--out", type=Path, default=ROOT / "runs/mutants.jsonl", help="a line for each mutant")
    options = parser.parse_args()
    everything = [mutant for mutant in find_mutants() if options.only in mutant.path]
    chosen = random.Random(options.seed).sample(everything, min(options.count, len(everything)))
    print(f"{len(chosen)} of {len(everything)} mutants, seed {options.seed}")
    options.out.parent.mkdir(parents=True, exist_ok=True)
    copies: SimpleQueue[Path] = SimpleQueue()
    survivors = 0
    with tempfile.TemporaryDirectory() as folder, options.out.open("w") as out:
        for number in range(options.at_once):
            shutil.copytree(ROOT, Path(folder, str(number)), ignore=shutil.ignore_patterns(*NOT_COPIED))
            copies.put(Path(folder, str(number)))
        failed, how = run_tests(Path(folder, "0"), "src/xworld/world/rng.py", options.without)
        if failed:
            sys.exit(f"the tests fail without any change: {how}")
        with ThreadPoolExecutor(options.at_once) as pool:
            trials = {pool.submit(try_mutant, mutant, copies, options.without): mutant for mutant in chosen}
            for trial in as_completed(trials):
                mutant, (noticed, how) = trials[trial], trial.result()
                survivors += not noticed
                out.write(json.dumps(asdict(mutant) | {"noticed": noticed, "how": how}) + "\n")
                out.flush()
                if not noticed:
                    print(f"\n{mutant.path}:{mutant.line}, {mutant.operator}\n{mutant.difference()}", flush=True)
    count = len(chosen) - survivors
    print(f"\nnoticed: {count} of {len(chosen)}, {100 * count / len(chosen):.1f} %; {options.out}")


if __name__ == "__main__":
    main()

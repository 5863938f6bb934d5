"""Kernels mean what they say: machine code and Python agree to the last bit."""

import hashlib
import os
import subprocess
import sys

import numpy as np

from xworld.envs.observation import Observer
from xworld.teacher.oracle import expert_actions, possible_commands, possible_questions
from xworld.teacher.settings import TeacherSettings
from xworld.teacher.simulator import Simulator

STEPS = 60


def history() -> str:
    """A digest of some sessions, with all that kernels compute; every other step is the oracle's."""
    simulator = Simulator(6, settings=TeacherSettings(question_rate=0.7), curriculum_sessions=3, threads=1)
    simulator.reset(seeds=np.arange(6))
    observer = Observer(simulator, "pixels")
    rng, digest = np.random.default_rng(0), hashlib.sha256()
    for step in range(STEPS):
        random = rng.integers(0, 4, size=6)
        results = simulator.step(random if step % 2 else expert_actions(simulator))
        for array in (*results, simulator.worlds, simulator.sessions, simulator.tiles):
            digest.update(array.tobytes())
    digest.update(observer.observe()["pixels"].tobytes())
    digest.update(repr([possible_commands(simulator), possible_questions(simulator)]).encode())
    return digest.hexdigest()


def test_kernels_that_stay_python_compute_the_same() -> None:
    """As under a debugger."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, __file__], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == history(), done.stderr


if __name__ == "__main__":
    print(history())

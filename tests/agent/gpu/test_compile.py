"""Every kernel compiles for the GPUs of a data center and of a desktop; no GPU is needed for that."""

import os
import subprocess
import sys

import pytest

COMPILE = """
import sys
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource, compile
from xworld.agent.gpu import attention, bias_relu, gru, plan, word_attention

sentences = dict(LENGTH=12, WIDTH=16, SIZE=128, ROWS=16)
view = dict(STEPS=3, HIDING=True, VIEW=13, LANES=256)
layers = dict(HIDDEN=32, PLANS=32)
ways = dict(STEPS=14, VIEW=13)
groups = dict(PART=4, SCENES=3, LANES=512)
kernels = [
    (gru._read, sentences | dict(GRUS=2, LEARNING=True), 8, 2),
    (gru._read_backward, sentences | dict(GRUS=2), 8, 2),
    (word_attention._attend, sentences | dict(STEPS=3, UNITS=32), 8, 1),
    (word_attention._attend_backward, sentences | dict(STEPS=3, UNITS=32), 8, 1),
    (attention._run, view, 4, 3),
    (attention._run_backward, view | dict(PENALTY=True), 4, 3),
    (plan._plan, ways | layers | groups | dict(LEARNING=True), 8, 1),
    (plan._follow_ways, ways | groups | dict(PLANS=32), 1, 3),
    (plan._judge_backward, layers | dict(CELLS=169, ROWS=64, TIMES=4), 8, 1),
    (bias_relu._add_bias_and_relu, dict(CHANNELS=128, ROWS=64), 4, 3),
    (bias_relu._bias_relu_backward, dict(CHANNELS=128, ROWS=64, STEPS=32), 4, 3),
]
types = dict(sentences="*i64", tile_ids="*i64", moves="*i8", hidden="*i1")
types |= dict(rows="i32", words="i32", tiles="i32", scenes="i32")
for kernel, constants, warps, stages in kernels:
    names = kernel.arg_names
    halves = {"weights": "*fp16"} if kernel.fn.__module__.endswith(("gru", "word_attention")) else {}
    if kernel.fn.__module__.endswith("bias_relu"):
        halves = {"maps": "*bf16", "result": "*bf16", "by_result": "*bf16", "by_maps": "*bf16"}
    signature = {n: "constexpr" if n in constants else (types | halves).get(n, "*fp32") for n in names}
    source = ASTSource(kernel, signature, constexprs={(names.index(n),): v for n, v in constants.items()})
    target = GPUTarget("cuda", int(sys.argv[1]), 32)
    compiled = compile(source, target=target, options=dict(num_warps=warps, num_stages=stages))
    print(kernel.fn.__name__, compiled.metadata.shared)
"""


@pytest.mark.parametrize("capability", [80, 89, 90])
def test_kernels_compile(capability: int) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "TRITON_INTERPRET"}
    run = subprocess.run(
        [sys.executable, "-c", COMPILE, str(capability)], env=environment, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr[-2000:]
    shared = {name: int(size) for name, size in (line.split() for line in run.stdout.splitlines())}
    assert len(shared) == 11
    reading = max(shared.pop("_read"), shared.pop("_read_backward"))
    assert reading <= 160 * 2**10  # as `gru._fits_one_kernel` asks for
    assert max(shared.values()) <= 64 * 2**10  # any GPU has as much
